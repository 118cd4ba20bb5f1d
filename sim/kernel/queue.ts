/**
 * The event list: a 4-ary heap over arrays of numbers, with lanes behind it.
 *
 * Every pending timer occupies a slot, one index into parallel typed arrays. Freed slots are used again, so a steady run allocates nothing.
 * The heap orders slots by (time, sequence). A lane is a queue of timers that all wait equally long and so expire in the order in which they
 * were started: a linked list of slots of which only the first one stands in the heap.
 *
 * A timer cancelled inside of a lane is unlinked at once. One that stands in the heap is marked dead and dropped when it comes up, or when
 * half of the heap is dead.
 */
import { AssayError } from "../core/index.ts";

/** A handle is `generation * 2^24 + slot`. A slot never has one generation twice, so a handle never means a later timer. */
const SLOTS = 16_777_216;
const LAST_GENERATION = 536_870_911;

/** No slot. */
export const NONE = -1;
/** Stands in place of the handler of a cancelled timer. */
const DEAD = -1;
const FIRST_CAPACITY = 1_024;
/** Places of infinite time past the end of a full heap: its last parent may look at four children. */
const PADDING = 4;

export class EventQueue {
  /** By slot. A slot that `take()` has returned can be read until the next timer is started. */
  time = new Float64Array(FIRST_CAPACITY);
  handler = new Int32Array(FIRST_CAPACITY);
  a = new Float64Array(FIRST_CAPACITY);
  b = new Float64Array(FIRST_CAPACITY);

  #sequence = new Float64Array(FIRST_CAPACITY);
  #generation = new Int32Array(FIRST_CAPACITY).fill(1);
  #lane = new Int32Array(FIRST_CAPACITY);
  /** Neighbours in the lane; `#next` also links the free slots. */
  #next = new Int32Array(FIRST_CAPACITY);
  #previous = new Int32Array(FIRST_CAPACITY);
  #capacity = FIRST_CAPACITY;
  #firstFree = NONE;
  /** Slots from here on have never been used. */
  #unused = 0;
  #started = 0;

  #heapTime = new Float64Array(FIRST_CAPACITY + PADDING).fill(Infinity);
  #heapSlot = new Int32Array(FIRST_CAPACITY);
  #size = 0;
  /** The top was taken and its place not filled yet: the next push takes it over, which saves moving another one there and back. */
  #vacant = 0;
  /** Cancelled timers in the heap that no lane stands behind. */
  #dead = 0;

  /** The last slot of each lane, NONE while it is empty. */
  readonly #tail: number[] = [];

  /** Starts a timer. Returns its slot. */
  push(time: number, handler: number, a: number, b: number): number {
    const slot = this.#occupy(time, handler, a, b);
    this.#lane[slot] = NONE;
    this.#rise(slot);
    return slot;
  }

  openLane(): number {
    return this.#tail.push(NONE) - 1;
  }

  /** Starts a timer at the end of a lane; `time` is never before that of the lane's last one. Returns its slot. */
  append(lane: number, time: number, handler: number, a: number, b: number): number {
    const slot = this.#occupy(time, handler, a, b);
    const tail = this.#tail[lane]!;
    this.#lane[slot] = lane;
    this.#next[slot] = NONE;
    this.#previous[slot] = tail;
    this.#tail[lane] = slot;
    if (tail === NONE) this.#rise(slot);
    else this.#next[tail] = slot;
    return slot;
  }

  handle(slot: number): number {
    return this.#generation[slot]! * SLOTS + slot;
  }

  /** False when that timer has fired or was cancelled, or never was. */
  cancel(handle: number): boolean {
    const generation = Math.floor(handle / SLOTS);
    const slot = handle - generation * SLOTS;
    if (this.#generation[slot] !== generation) return false;
    this.#generation[slot] = generation + 1;
    const lane = this.#lane[slot]!;
    if (lane !== NONE && this.#previous[slot] !== NONE) {
      this.#unlink(slot, lane);
      this.#recycle(slot);
      return true;
    }
    this.handler[slot] = DEAD;
    if (lane === NONE && ++this.#dead > FIRST_CAPACITY && this.#dead * 2 > this.#size) this.#sweep();
    return true;
  }

  /** Time of the next live timer, Infinity when none is pending. */
  peek(): number {
    if (this.#vacant !== 0) this.#close();
    while (this.#size > 0) {
      const slot = this.#heapSlot[0]!;
      if (this.handler[slot] !== DEAD) return this.#heapTime[0]!;
      this.#drop(slot);
    }
    return Infinity;
  }

  /** Removes the next live timer and returns its slot; NONE when there is none by `until`. */
  pop(until: number): number {
    if (this.#vacant !== 0) this.#close();
    while (this.#size > 0) {
      const slot = this.#heapSlot[0]!;
      if (this.handler[slot] !== DEAD) {
        if (this.#heapTime[0]! > until) return NONE;
        this.#removeTop(slot);
        this.#generation[slot]!++;
        this.#recycle(slot);
        return slot;
      }
      this.#drop(slot);
    }
    return NONE;
  }

  /** Removes a dead top. */
  #drop(slot: number): void {
    if (this.#lane[slot] === NONE) this.#dead--;
    this.#removeTop(slot);
    this.#recycle(slot);
    if (this.#vacant !== 0) this.#close();
  }

  #occupy(time: number, handler: number, a: number, b: number): number {
    let slot = this.#firstFree;
    if (slot !== NONE) this.#firstFree = this.#next[slot]!;
    else {
      if (this.#unused === this.#capacity) this.#grow();
      slot = this.#unused++;
    }
    this.time[slot] = time;
    this.handler[slot] = handler;
    this.a[slot] = a;
    this.b[slot] = b;
    this.#sequence[slot] = this.#started++;
    return slot;
  }

  #recycle(slot: number): void {
    if (this.#generation[slot]! > LAST_GENERATION) return;
    this.#next[slot] = this.#firstFree;
    this.#firstFree = slot;
  }

  #unlink(slot: number, lane: number): void {
    const previous = this.#previous[slot]!;
    const next = this.#next[slot]!;
    this.#next[previous] = next;
    if (next === NONE) this.#tail[lane] = previous;
    else this.#previous[next] = previous;
  }

  /** Fills the place of the top, `slot`: with the next of its lane if there is one, else with the last of the heap. */
  #removeTop(slot: number): void {
    const lane = this.#lane[slot]!;
    if (lane !== NONE) {
      const next = this.#next[slot]!;
      if (next !== NONE) {
        this.#previous[next] = NONE;
        this.#sink(0, next);
        return;
      }
      this.#tail[lane] = NONE;
    }
    this.#vacant = 1;
  }

  /** Fills the vacant top with the last of the heap. */
  #close(): void {
    this.#vacant = 0;
    const last = --this.#size;
    this.#heapTime[last] = Infinity;
    if (last > 0) this.#sink(0, this.#heapSlot[last]!);
  }

  /** Adds the newest slot to the heap: of all with its time it comes last. */
  #rise(slot: number): void {
    if (this.#vacant !== 0) {
      this.#vacant = 0;
      this.#sink(0, slot);
      return;
    }
    const time = this.time[slot]!;
    const heapTime = this.#heapTime;
    const heapSlot = this.#heapSlot;
    let hole = this.#size++;
    while (hole > 0) {
      const parent = (hole - 1) >> 2;
      const parentTime = heapTime[parent]!;
      if (parentTime <= time) break;
      heapTime[hole] = parentTime;
      heapSlot[hole] = heapSlot[parent]!;
      hole = parent;
    }
    heapTime[hole] = time;
    heapSlot[hole] = slot;
  }

  /** Puts a slot into the hole, or below it, letting earlier ones rise. */
  #sink(hole: number, slot: number): void {
    const time = this.time[slot]!;
    const heapTime = this.#heapTime;
    const heapSlot = this.#heapSlot;
    const size = this.#size;
    for (;;) {
      const first = (hole << 2) + 1;
      if (first >= size) break;
      // The earliest of four children: the winners of two pairs, and the winner of those. Past the end of the heap stands Infinity.
      const t0 = heapTime[first]!;
      const t1 = heapTime[first + 1]!;
      const t2 = heapTime[first + 2]!;
      const t3 = heapTime[first + 3]!;
      const left = first + earlier(t1, t0);
      const right = first + 2 + earlier(t3, t2);
      const leftTime = heapTime[left]!;
      const rightTime = heapTime[right]!;
      let child = left + (right - left) * earlier(rightTime, leftTime);
      const childTime = heapTime[child]!;
      if (time < childTime) break;
      if (t0 === t1 || t2 === t3 || leftTime === rightTime || time === childTime) {
        // Equal times: the sequence decides.
        child = this.#firstOf(first);
        if (time === childTime && this.#sequence[slot]! < this.#sequence[heapSlot[child]!]!) break;
      }
      heapTime[hole] = childTime;
      heapSlot[hole] = heapSlot[child]!;
      hole = child;
    }
    heapTime[hole] = time;
    heapSlot[hole] = slot;
  }

  #firstOf(first: number): number {
    let child = first;
    for (let other = first + 1; other < first + 4; other++) {
      const childTime = this.#heapTime[child]!;
      const otherTime = this.#heapTime[other]!;
      if (otherTime > childTime || otherTime === Infinity) continue;
      if (otherTime === childTime && this.#sequence[this.#heapSlot[other]!]! > this.#sequence[this.#heapSlot[child]!]!)
        continue;
      child = other;
    }
    return child;
  }

  /** Drops the dead, except for the heads of lanes, which hold a place for those behind them. */
  #sweep(): void {
    if (this.#vacant !== 0) this.#close();
    let kept = 0;
    for (let i = 0; i < this.#size; i++) {
      const slot = this.#heapSlot[i]!;
      if (this.handler[slot] === DEAD && this.#lane[slot] === NONE) this.#recycle(slot);
      else {
        this.#heapTime[kept] = this.#heapTime[i]!;
        this.#heapSlot[kept++] = slot;
      }
    }
    this.#heapTime.fill(Infinity, kept, this.#size);
    this.#size = kept;
    this.#dead = 0;
    for (let i = (kept - 2) >> 2; i >= 0; i--) this.#sink(i, this.#heapSlot[i]!);
  }

  #grow(): void {
    if (this.#capacity === SLOTS) {
      throw new AssayError({
        what: "Too many timers are pending.",
        expected: `at most ${SLOTS}`,
        hint: "cancel timers that are no longer needed, or make the scenario smaller",
      });
    }
    const capacity = this.#capacity * 2;
    const doubles = (old: Float64Array): Float64Array<ArrayBuffer> => {
      const grown = new Float64Array(capacity);
      grown.set(old);
      return grown;
    };
    const integers = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const grown = new Int32Array(capacity).fill(1);
      grown.set(old);
      return grown;
    };
    this.time = doubles(this.time);
    this.handler = integers(this.handler);
    this.a = doubles(this.a);
    this.b = doubles(this.b);
    this.#sequence = doubles(this.#sequence);
    this.#generation = integers(this.#generation);
    this.#lane = integers(this.#lane);
    this.#next = integers(this.#next);
    this.#previous = integers(this.#previous);
    const heapTime = new Float64Array(capacity + PADDING).fill(Infinity);
    heapTime.set(this.#heapTime);
    this.#heapTime = heapTime;
    this.#heapSlot = integers(this.#heapSlot);
    this.#capacity = capacity;
  }
}

/**
 * 1 where `a` is before `b`, else 0: a number to reckon with instead of a branch. Which child is earliest is a coin toss that the processor cannot
 * foresee: with branches here M/M/100 takes a quarter longer.
 */
function earlier(a: number, b: number): number {
  return Number(a < b);
}
