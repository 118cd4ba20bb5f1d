/**
 * The names of the interface that carry the maker's brand. The contract writes `service` in its place.
 */

/** Every branded name. */
export interface Brand {
  readonly name: string;
  /** Of a model: the object with live data of the network (section 2.2). */
  readonly extension: string;
  /** Receipt headers (section 4.11) begin with it: `x-service-`. */
  readonly headerPrefix: string;
  /** Of a webhook delivery (section 6.3). */
  readonly signatureHeader: string;
  /** API keys (section 5) begin with it. */
  readonly keyPrefix: string;
}

/** The names of a brand: `acme` gives `x-acme-*`, `Acme-Signature`, `acme_live_`; `service` itself has the contract's `svc_live_`. */
export function brandOf(name = "service"): Brand {
  return {
    name,
    extension: name,
    headerPrefix: `x-${name}-`,
    signatureHeader: `${name[0]!.toUpperCase()}${name.slice(1)}-Signature`,
    keyPrefix: name === "service" ? "svc_live_" : `${name}_live_`,
  };
}
