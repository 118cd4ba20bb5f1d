/** The form of a study file, as a JSON Schema (2020-12): for the loader and for editors. */
const number = (description: string) => ({ type: "number", description });

const range = {
  type: "object",
  description: "Numbers at equal steps, both ends included.",
  required: ["from", "to"],
  additionalProperties: false,
  properties: {
    from: number("The first."),
    to: number("The last that may be reached."),
    step: { type: "number", exclusiveMinimum: 0, description: "From one to the next; this or `count`." },
    count: { type: "integer", minimum: 2, description: "How many; this or `step`." },
    scale: { enum: ["linear", "log"], description: "Equal steps of the number or, with `count`, of its logarithm." },
  },
};

const between = {
  type: "object",
  description: "Any number from `low` to `high`: for a Latin hypercube.",
  required: ["low", "high"],
  additionalProperties: false,
  properties: {
    low: number("The least."),
    high: number("The greatest."),
    scale: { enum: ["linear", "log"], description: "What is spread evenly: the number or its logarithm." },
    integer: { type: "boolean", description: "Rounded to whole numbers." },
  },
};

const factor = {
  type: "object",
  description: "Something that differs from point to point: a name, where it stands in the scenario, and its values.",
  required: ["name", "path"],
  additionalProperties: false,
  properties: {
    name: {
      type: "string",
      pattern: "^[a-z][a-z0-9_]*$",
      description: "Small letters, digits and underscores: it becomes a column.",
    },
    path: {
      type: ["string", "array"],
      minItems: 1,
      items: { type: "string" },
      description: 'Where the value goes: "clients[0].arrivals.rate", "workers[*].slots", or a list of such places.',
    },
    unit: { type: "string", description: "For the data dictionary." },
    values: { type: "array", minItems: 1, description: "The values themselves." },
    labels: {
      type: "array",
      items: { type: "string" },
      description: "What the values are called in tables, one for each.",
    },
    range,
    between,
  },
};

export const studySchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "assay study",
  type: "object",
  description: "A scenario, what differs from point to point, and how often each point is run.",
  required: ["scenario", "factors"],
  additionalProperties: false,
  properties: {
    name: { type: "string", minLength: 1, description: "What the study is called." },
    scenario: {
      type: ["string", "object"],
      description: "A scenario file, relative to this one, or the scenario itself.",
    },
    seed: { type: ["integer", "string"], description: "Names the random streams of all replications." },
    replications: { type: "integer", minimum: 1, description: "Runs of each point that differ in their seeds." },
    common_random_numbers: {
      type: "boolean",
      description: "Whether a replication has one seed at all points, so that points differ by their factors alone.",
    },
    warm_up: {
      type: ["string", "integer"],
      description: '"mser5", found at each point by a pilot; "none"; or the number of jobs to leave out.',
    },
    confidence: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1, description: "Of all intervals." },
    design: { enum: ["full", "fractional", "latin-hypercube"], description: "Which points of all there could be." },
    points: { type: "integer", minimum: 2, description: "latin-hypercube: how many." },
    generators: {
      type: "array",
      minItems: 1,
      items: { type: "string" },
      description: 'fractional: "d = a*b*c" sets the factor d by the product of others; every factor has two values.',
    },
    factors: { type: "array", minItems: 1, items: factor, description: "What differs." },
    metrics: {
      type: "array",
      minItems: 1,
      items: { type: "string" },
      description: "What is shown at the end; all metrics are recorded.",
    },
    compare: {
      type: "object",
      description: "Ranks the values of one factor.",
      required: ["factor", "metric"],
      additionalProperties: false,
      properties: {
        factor: { type: "string", description: "The name of the factor." },
        metric: { type: "string", description: "By which they are ranked." },
        better: { enum: ["lower", "higher"], description: "Which is better; lower unless told." },
      },
    },
  },
} as const;
