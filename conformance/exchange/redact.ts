/** Hides secrets in what a report shows. A secret is known by its value: it is hidden wherever it stands. */

/** The secrets of a run: keys, control token, webhook secrets. */
export interface Secrets {
  add(secret: string, label: string): void;
  /** The text with every known secret replaced by `<label>`. */
  hide(text: string): string;
  /** The labels of the secrets that a text contains. */
  foundIn(text: string): readonly string[];
}

/** Too short a text is no secret: hiding it would hide half of the report. */
const SHORTEST = 6;

export function secrets(): Secrets {
  const known = new Map<string, string>();
  return {
    add(secret, label) {
      if (secret.length >= SHORTEST && !known.has(secret)) known.set(secret, label);
    },
    hide(text) {
      let hidden = text;
      for (const [secret, label] of known) hidden = hidden.replaceAll(secret, `<${label}>`);
      return hidden;
    },
    foundIn: (text) => [...known].filter(([secret]) => text.includes(secret)).map(([, label]) => label),
  };
}
