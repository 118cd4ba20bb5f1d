/**
 * M/M/c on the kernel, draw for draw the model of mmc.cpp. Prints the CPU seconds that the loop took and the mean wait in service times.
 *
 * Usage: mmc CUSTOMERS SERVERS LOAD
 */
import { Stream } from "../../sim/core/index.ts";
import { Kernel } from "../../sim/kernel/index.ts";

const [customers, servers, load] = process.argv.slice(2).map(Number) as [number, number, number];
const service = 1_000_000;
const gap = service / load;

/** Arrival times of those who wait: a ring that doubles when it is full. */
class Fifo {
  #ring = new Float64Array(1_024);
  #first = 0;
  length = 0;

  push(time: number): void {
    const size = this.#ring.length;
    if (this.length === size) {
      const grown = new Float64Array(size * 2);
      for (let i = 0; i < size; i++) grown[i] = this.#ring[(this.#first + i) & (size - 1)]!;
      this.#ring = grown;
      this.#first = 0;
    }
    this.#ring[(this.#first + this.length++) & (this.#ring.length - 1)] = time;
  }

  shift(): number {
    const time = this.#ring[this.#first]!;
    this.#first = (this.#first + 1) & (this.#ring.length - 1);
    this.length--;
    return time;
  }
}

function run(count: number): { seconds: number; wait: number } {
  const kernel = new Kernel();
  const arrivals = new Stream(1, 2, 3, 4);
  const services = new Stream(5, 6, 7, 8);
  const waiting = new Fifo();
  let busy = 0;
  let arrived = 0;
  let waited = 0;

  const arrival = kernel.handler(() => {
    if (++arrived < count) kernel.after(arrivals.exponential(gap), arrival);
    if (busy < servers) {
      busy++;
      kernel.after(services.exponential(service), departure);
    } else waiting.push(kernel.now);
  });
  const departure = kernel.handler(() => {
    if (waiting.length > 0) {
      waited += kernel.now - waiting.shift();
      kernel.after(services.exponential(service), departure);
    } else busy--;
  });

  const began = process.cpuUsage();
  kernel.after(arrivals.exponential(gap), arrival);
  kernel.run();
  return { seconds: process.cpuUsage(began).user / 1e6, wait: waited / count / service };
}

// Once briefly, so that the compiler has seen the code, as after the first seconds of any real run.
run(Math.min(customers, 200_000));
const { seconds, wait } = run(customers);
console.log(`${seconds.toFixed(6)} ${wait.toFixed(6)}`);
