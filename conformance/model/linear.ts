/**
 * Whether some order of requests that were in flight together explains what came back: linearisability, after Herlihy and Wing.
 *
 * A request that had been answered before another was sent comes before it; for the rest every order is tried, each state and set of requests
 * once. For a handful of requests that is quick.
 */

/** One request and what came back. */
export interface Operation<State> {
  readonly name: string;
  /** When it was sent, and when it was answered. */
  readonly from: number;
  readonly to: number;
  /** The state after it, if its answer is right in the state before; null when it is not. */
  apply(state: State): State | null;
}

/** An order that explains all answers, by name; null when there is none. `keyOf` tells states apart. */
export function explain<State>(
  initial: State,
  operations: readonly Operation<State>[],
  keyOf: (state: State) => string,
): readonly string[] | null {
  const dead = new Set<string>();
  const search = (
    state: State,
    left: readonly Operation<State>[],
    order: readonly string[],
  ): readonly string[] | null => {
    if (left.length === 0) return order;
    const key = `${keyOf(state)} ${left.map((each) => operations.indexOf(each)).join()}`;
    if (dead.has(key)) return null;
    const firstEnd = Math.min(...left.map((each) => each.to));
    for (const next of left) {
      if (next.from > firstEnd) continue;
      const after = next.apply(state);
      if (after === null) continue;
      const rest = left.filter((each) => each !== next);
      const found = search(after, rest, [...order, next.name]);
      if (found !== null) return found;
    }
    dead.add(key);
    return null;
  };
  return search(initial, operations, []);
}
