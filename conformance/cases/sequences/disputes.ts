/** Disputes of a sequence: in time and late, with either hash, by the owner and by others; and verdicts. */
import { at, type Exchange, errorCode, succeeded } from "../../exchange/exchange.ts";
import type { WhichHash } from "../../model/command.ts";
import { hearingOf } from "../../model/disputes.ts";
import type { ModelJob } from "../../model/state.ts";
import { sha256 } from "../support/hash.ts";
import { opened } from "../support/jobs.ts";
import { judgeForeign, observeJob, recordJob } from "./jobs.ts";
import { jobOf, type Play, type Player, playerOf, workersOf } from "./play.ts";

function hashFor(job: ModelJob, which: WhichHash): string | null {
  if (which === "posted") return job.postedHash;
  if (which === "delivered") return job.text === null ? null : sha256(job.text.replace(/\n$/, ""));
  return sha256("a text that nobody said");
}

export async function dispute(play: Play, number: number, which: WhichHash, by: number): Promise<void> {
  const { t } = play;
  const job = jobOf(play, number);
  const player = playerOf(play, by);
  if (job === undefined || job.id === null) return;
  const own = player.model === job.wallet;
  // Only a job that was read just before can be told from one that has moved on meanwhile.
  if (own && player.model.key === "active") await observeJob(play, player, job);
  const hash = hashFor(job, which);
  if (hash === null) return;
  const from = t.clock.now();
  const answer = await player.wallet.api.dispute(job.id, hash);
  if (!own || player.model.key !== "active") return judgeForeign(play, player, answer, "4.7/15");
  const same = hash === job.postedHash;
  const heard = hearingOf({ job, own, hash: which, same, status: job.status, from, to: t.clock.now() });
  const shown = { seen: `${answer.status} ${answer.text}`.slice(0, 300), exchanges: answer };
  switch (heard.hearing) {
    case "late":
      t.check(heard.row, answer.status === 422, { ...shown, expected: "422" });
      t.check("7.2/14", errorCode(answer) === "dispute_window_expired", {
        ...shown,
        expected: "dispute_window_expired",
      });
      break;
    case "agrees":
      t.check("4.7/10", succeeded(answer), { ...shown, expected: "a 2xx within the window" });
      t.check("4.7/6", !opened(answer), { ...shown, expected: "no dispute opened" });
      break;
    case "opens":
      t.check(heard.row, opened(answer), { ...shown, expected: "a dispute opened" });
      break;
    case "again": {
      const tx = succeeded(answer) ? at(answer.json, "dispute_tx") : undefined;
      const ok = answer.status < 500 && (typeof tx !== "string" || tx === job.dispute?.tx);
      t.check("4.7/17", ok, { ...shown, expected: `no other \`dispute_tx\` than ${String(job.dispute?.tx)}` });
      return;
    }
    case "never":
      t.check("4.7/19", !opened(answer) && answer.status < 500, { ...shown, expected: "409 or 422" });
      break;
    default:
      t.check("4.7/20", answer.status < 500, { ...shown, expected: "heard or refused" });
  }
  await judgeAfter(play, player, job, answer);
}

/** A dispute that was opened shows on the job; one that was not changes nothing. Neither costs anything. */
async function judgeAfter(play: Play, player: Player, job: ModelJob, answer: Exchange): Promise<void> {
  const { t } = play;
  if (opened(answer)) {
    job.dispute = { tx: at(answer.json, "dispute_tx"), openedAt: t.clock.now(), ended: false };
    play.workers.set(job.model.id, { ...workersOf(play, job.model), accused: true });
    player.model.happened.push({ low: "4.7/24", high: "4.7/24", units: [] });
  }
  const before = job.status;
  const exchange = await player.wallet.api.job(job.id ?? "");
  const status = at(exchange.json, "status");
  const shown = { seen: exchange.text.slice(0, 300), exchanges: [answer, exchange] };
  if (opened(answer)) t.check("4.7/4", status === "disputed", { ...shown, expected: "disputed" });
  else {
    const row = succeeded(answer) ? "3.1/7" : "4.7/13";
    const ended = before !== null && ["settled", "failed", "refunded"].includes(before);
    t.check(row, ended ? status === before : status !== "disputed", { ...shown, expected: `${before}, as before` });
  }
  recordJob(play, job, exchange.json, exchange);
}

export async function verdict(play: Play, number: number, given: "fraudulent" | "honest"): Promise<void> {
  const disputed = play.jobs.filter((job) => job.dispute !== null && !job.dispute.ended);
  const job = disputed[number % Math.max(1, disputed.length)];
  if (job?.dispute == null || job.id === null) return;
  if (play.t.clock.now() > job.dispute.openedAt + 86_000_000) return;
  await play.t.controls.giveVerdict(job.id, given);
  job.dispute = { ...job.dispute, ended: true };
  job.wallet.happened.push({ low: "3.1/16", high: "3.1/16", units: [job.charge ?? 0] });
}
