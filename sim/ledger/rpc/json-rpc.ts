/**
 * JSON-RPC 2.0: text in, text out, single or in batches.
 */

/** Methods by name; each is given the parameters as they were sent, and answers or throws. */
export type Methods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** What a method throws to answer with an error of its own. */
export class RpcFault extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const INVALID_PARAMS = -32602;
/** An Ethereum node's code for what it cannot give: a state that it has not kept, a call that reverts. */
export const UNAVAILABLE = -32000;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const NO_METHOD = -32601;
const INTERNAL = -32603;

/** Requests of one batch that are answered. */
const LONGEST_BATCH = 1_000;

/** The answer to a body, as text; empty where nothing in it asks for one. */
export function answer(methods: Methods, body: string): string {
  let asked: unknown;
  try {
    asked = JSON.parse(body);
  } catch {
    return JSON.stringify(fault(null, PARSE_ERROR, "the body is no JSON"));
  }
  if (!Array.isArray(asked)) {
    const one = single(methods, asked);
    return one === undefined ? "" : JSON.stringify(one);
  }
  if (asked.length === 0) return JSON.stringify(fault(null, INVALID_REQUEST, "the batch is empty"));
  if (asked.length > LONGEST_BATCH) {
    return JSON.stringify(fault(null, INVALID_REQUEST, `a batch has at most ${LONGEST_BATCH} requests`));
  }
  const answers = asked.map((each) => single(methods, each)).filter((each) => each !== undefined);
  return answers.length === 0 ? "" : JSON.stringify(answers);
}

function single(methods: Methods, request: unknown): unknown {
  const { id, method, params = [], jsonrpc } = (request ?? {}) as Partial<Record<string, unknown>>;
  if (jsonrpc !== "2.0" || typeof method !== "string" || !Array.isArray(params)) {
    return fault(id ?? null, INVALID_REQUEST, "this is no JSON-RPC 2.0 request");
  }
  const answered = execute(methods, id ?? null, method, params);
  // A request without an id is a notification: it is carried out and not answered.
  return id === undefined ? undefined : answered;
}

function execute(methods: Methods, id: unknown, method: string, params: readonly unknown[]): unknown {
  const found = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (found === undefined) return fault(id, NO_METHOD, `the method ${method.slice(0, 100)} does not exist here`);
  try {
    return { jsonrpc: "2.0", id, result: found(params) ?? null };
  } catch (error) {
    if (error instanceof RpcFault) return fault(id, error.code, error.message);
    return fault(id, INTERNAL, "the chain failed");
  }
}

function fault(id: unknown, code: number, message: string): unknown {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
