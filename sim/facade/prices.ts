/** The price list that models show (section 8), units. What is charged is the world's to say. */
export const prices = {
  lite: { perRequest: 2, perThousand: 1 },
  standard: { perRequest: 8, perThousand: 4 },
  pro: { perRequest: 18, perThousand: 9 },
  max: { perRequest: 40, perThousand: 20 },
} as const;
