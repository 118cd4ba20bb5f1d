/**
 * A client that races requests past its balance: many at once from one wallet, more than its units pay for.
 *
 * Economics. If two locks could use the same units, every further job would be a gift of `charge`. They cannot: the gateway's books count a lock
 * when the request arrives, before anything is sent to the chain, so all requests that the balance does not cover are refused (402), and the chain
 * would revert what the books let through. It gains 0 and loses 0; the network answers more requests.
 */
export function race(burst: number, send: () => void): void {
  for (let i = 0; i < burst; i++) send();
}
