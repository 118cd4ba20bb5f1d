/**
 * Lists that shrink to the shortest that still fails: first halves are taken out, then quarters, down to single items, and only then are the
 * items themselves made simpler. What follows from a failure is a failure again, so each smaller list goes on where the larger one was.
 *
 * Unlike `fc.commands` it keeps no memory of which steps had an effect: a counterexample is found again by its path alone.
 */
import { Arbitrary, type Random, Stream, Value } from "fast-check";

interface Drawn<T> {
  /** The items with what their own arbitrary needs to shrink them. */
  readonly items: readonly Value<T>[];
  /** How many items were taken out at once, when this list came about. */
  readonly chunk: number;
}

class ShortestList<T> extends Arbitrary<readonly T[]> {
  readonly #item: Arbitrary<T>;
  readonly #least: number;
  readonly #most: number;

  constructor(item: Arbitrary<T>, least: number, most: number) {
    super();
    this.#item = item;
    this.#least = least;
    this.#most = most;
  }

  override generate(random: Random, bias: number | undefined): Value<readonly T[]> {
    const length = random.nextInt(Math.max(this.#least, Math.ceil(this.#most / 2)), this.#most);
    const items = Array.from({ length }, () => this.#item.generate(random, bias));
    return this.#wrap({ items, chunk: length });
  }

  override canShrinkWithoutContext(_value: unknown): _value is readonly T[] {
    return false;
  }

  override shrink(_value: readonly T[], context: unknown): Stream<Value<readonly T[]>> {
    const drawn = context as Drawn<T> | undefined;
    return drawn === undefined ? Stream.nil() : new Stream(this.#smaller(drawn));
  }

  *#smaller({ items, chunk }: Drawn<T>): IterableIterator<Value<readonly T[]>> {
    for (let size = Math.min(chunk, items.length); size >= 1; size = Math.floor(size / 2)) {
      // From the end: what comes after the failure goes first.
      for (let to = items.length; to > 0; to -= size) {
        const rest = items.filter((_, index) => index < to - size || index >= to);
        if (rest.length >= this.#least && rest.length < items.length) yield this.#wrap({ items: rest, chunk: size });
      }
    }
    for (const [index, each] of items.entries()) {
      for (const simpler of this.#item.shrink(each.value, each.context)) {
        yield this.#wrap({ items: items.with(index, simpler), chunk: 1 });
      }
    }
  }

  #wrap(drawn: Drawn<T>): Value<readonly T[]> {
    return new Value(
      drawn.items.map((each) => each.value),
      drawn,
    );
  }
}

/** Lists of `least` to `most` items; those that are drawn have at least half as many as they may. */
export function shortestList<T>(item: Arbitrary<T>, least: number, most: number): Arbitrary<readonly T[]> {
  return new ShortestList(item, least, most);
}
