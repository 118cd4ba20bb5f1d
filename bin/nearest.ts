/** The word that was probably meant. */

/** The candidate with the fewest letters to change, if those are few; the first of equals. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  // Two letters that changed places are two changes.
  const allowed = Math.max(2, Math.floor(word.length / 3));
  const distances = candidates.map((candidate) => ({ candidate, distance: editDistance(word, candidate) }));
  const best = distances.sort((a, b) => a.distance - b.distance)[0];
  return best !== undefined && best.distance <= allowed ? best.candidate : undefined;
}

/** Letters to insert, delete or replace to make one word of the other (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
