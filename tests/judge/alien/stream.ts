/** A completion as a stream: chunk by chunk as its tokens come. */
import { brokenBy, receiptsOf, until } from "./chat.ts";
import type { ChatAsked } from "./chat-form.ts";
import { type Asked, casedName, replyOf } from "./http.ts";
import type { Job } from "./state.ts";
import type { World } from "./world.ts";

export async function streamTo(world: World, asked: Asked, job: Job, _form: ChatAsked): Promise<null> {
  const { choices, flawed } = world;
  const { response } = asked;
  const cut = job.plan.finish === "length";
  const held = flawed("stream-held-back") && job.model.tier === "max";
  const tokens = job.plan.pieces;
  let sent = 0;
  let opened = false;
  let events = 0;

  const line = (text: string): void => {
    const bytes = Buffer.from(`${text}${choices.eol}`);
    // Torn wherever it is, in the midst of a sign, too.
    const at = choices.torn ? Math.ceil(bytes.length * 0.6) : bytes.length;
    response.write(bytes.subarray(0, at));
    if (at < bytes.length) response.write(bytes.subarray(at));
  };
  const event = (data: unknown): void => {
    if (choices.streamFields) line(`id: ${events}`);
    if (choices.streamFields && events === 0) line("retry: 3000");
    line(`data: ${typeof data === "string" ? data : JSON.stringify(data)}`);
    events += 1;
    if (!(flawed("blank-forgotten") && events === 5)) line("");
  };
  const short = flawed("stream-model-short") ? job.model.id.replace(/^.*\//, "") : job.model.id;
  const chunk = (delta: object, finish: string | null, more: object = {}): unknown => ({
    id: flawed("chunk-id-moves") && sent >= 30 ? `chatcmpl-${job.id}-2` : `chatcmpl-${job.id}`,
    object: "chat.completion.chunk",
    created: flawed("chunk-created-milliseconds")
      ? job.createdAt
      : Math.floor((flawed("chunk-created-moves") ? world.time.now() : job.createdAt) / 1_000),
    ...{
      model: short,
      choices: [{ index: 0, delta, finish_reason: finish, ...(choices.extras ? { logprobs: null } : {}) }],
    },
    ...(choices.extras ? { system_fingerprint: "alien-2", usage: null } : {}),
    ...more,
  });
  const open = (): void => {
    if (opened) return;
    opened = true;
    const trailer = choices.settlement === "trailer" ? { trailer: `x-${choices.brand}-settlement-tx` } : {};
    const headers = Object.entries({ ...receiptsOf(world, asked, job), ...trailer });
    response.writeHead(200, {
      ...Object.fromEntries(
        headers.flatMap(([name, value]) => (value === undefined ? [] : [[casedName(name, choices), value]])),
      ),
      ...{ "content-type": choices.charset ? "text/event-stream; charset=utf-8" : "text/event-stream" },
      ...{ "cache-control": "no-store" },
    });
    response.flushHeaders();
    if (choices.comments) line(": the alien speaks");
    if (choices.comments) line("");
  };
  const tell = (): void => {
    if (held && job.lastTokenAt === null) return;
    while (sent < job.said) {
      const said = tokens.slice(sent, sent + choices.tokensPerChunk).join("");
      const content = flawed("stream-loses-signs") ? said.replace(/[^\n -~]/g, "\ufffd") : said;
      if (flawed("ping-data") && sent > 0 && sent % 50 === 0) event({ ping: true });
      const roleless = flawed("role-late") && job.said === tokens.length;
      if (sent === 0) open();
      if (sent === 0 && choices.roleChunk === "empty") event(chunk({ role: "assistant", content: "" }, null));
      if (choices.emptyDeltas && sent % 6 === 5) event(chunk({ content: "" }, null));
      const first = sent === 0 && !roleless && choices.roleChunk === "text";
      event(chunk(first ? { role: "assistant", content } : { content }, null));
      if (flawed("finish-twice") && cut && sent + choices.tokensPerChunk >= tokens.length) event(chunk({}, "length"));
      sent = Math.min(tokens.length, sent + choices.tokensPerChunk);
      if (choices.comments && sent % 7 === 0) line(": still here");
      if (choices.comments && sent % 7 === 0) line("");
    }
  };

  const listener = (what: string): void => {
    if (what === "token" || what === "finished") tell();
    // A stream that is cut off when its worker drops out must have begun before.
    if (what === "taken" && choices.broken !== "error") open();
  };
  job.listeners.add(listener);
  if (choices.headAt === "arrival") open();
  const happened = await until(job, "finished", "failed", "refunded");
  job.listeners.delete(listener);
  if (happened !== "finished") {
    if (!opened) throw brokenBy(world, asked, job);
    if (choices.broken === "error-event") {
      const { body } = replyOf(brokenBy(world, asked, job), choices);
      event(body);
    }
    if (choices.broken === "cut") response.destroy();
    else response.end();
    return null;
  }
  tell();
  if (tokens.length === 0) {
    open();
    event(chunk({ role: "assistant", content: "" }, null));
  }
  const off = flawed("stream-usage-off") ? 1 : 0;
  const usage = {
    ...{ prompt_tokens: job.promptTokens, completion_tokens: tokens.length - off },
    ...{ total_tokens: job.promptTokens + tokens.length - off },
  };
  const finish = flawed("length-says-stop") ? "stop" : job.plan.finish;
  event(chunk({}, finish, choices.usageChunk === "last" ? { usage } : {}));
  if (choices.usageChunk === "own") event({ ...(chunk({}, null) as object), choices: [], usage });
  const forgets = flawed("fifteenth-without-done") && job.number % 15 === 0;
  if (!(flawed("done-forgotten") && cut) && !forgets) event("[DONE]");
  if (flawed("done-twice") && tokens.length === 1) event("[DONE]");
  if (choices.settlement === "trailer") {
    if (job.settledAt === null) await until(job, "settled");
    response.addTrailers({ [`x-${choices.brand}-settlement-tx`]: job.settlementTx ?? "" });
  }
  response.end();
  return null;
}
