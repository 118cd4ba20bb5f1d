/** The part of the run report in which the network moves: a stage, a time line to scrub, the trace's text, one job followed. */
import { dataBlock, html, type Markup } from "../page/markup.ts";
import type { MotionData } from "./tape.ts";

export function motionSection(data: MotionData): { readonly body: Markup; readonly data: Markup } {
  return { body: body(data), data: dataBlock("motion-data", data) };
}

const SPEEDS = [1, 10, 60, 300, 1_200, 3_600];

function body({ cut, events }: MotionData): Markup {
  return html`<div class="motion" id="motion-player" hidden>
<p class="lead">Every dot is a job: from its client to the gateway, where it waits for its lock and a worker; at the worker; then to the chain, where it is settled, or back to the client.</p>
${cut === null ? null : html`<p class="note">${cut}</p>`}
<div class="screen">
<div class="stage"><canvas id="stage" role="img" aria-label="The network"></canvas><p class="strike" id="strike" hidden></p></div>
<div class="side">
<div class="fields"><label>Show <select id="trace-filter"><option value="">all events</option><option value="followed">the followed job</option><option value="job">jobs</option><option value="chain">chain and money</option><option value="worker">workers and stake</option><option value="webhook">webhooks</option><option value="trouble">trouble</option></select></label><output id="trace-count" class="soft small"></output></div>
<div class="trace" id="trace" role="listbox" aria-label="Events of the trace" tabindex="0"><div class="rows" role="presentation"></div></div>
</div></div>
<div class="strip"><canvas id="strip" aria-hidden="true"></canvas><input type="range" id="scrub" min="0" max="100000" value="0" step="1" aria-label="Time in the run"></div>
<div class="controls" role="group" aria-label="Playing">
<button type="button" id="play" aria-pressed="false">Play</button>
<button type="button" id="back" aria-label="Event before">‹</button><button type="button" id="next" aria-label="Next event">›</button>
<button type="button" id="trouble">Next trouble</button>
<label>Speed <select id="speed">${SPEEDS.map((speed) => html`<option value="${speed}">${speed}×</option>`)}</select></label>
<output id="now" class="now">0:00:00.000</output>
<label class="follow">Follow job <input id="follow" type="number" min="0" step="1" inputmode="numeric" placeholder="no."></label>
<button type="button" id="unfollow" hidden>Follow none</button>
</div>
<ul class="legend counts" id="counts"></ul>
<div class="life" id="life" hidden><h3 tabindex="-1"></h3><ol></ol></div>
<p class="soft small keys">While the time line or the trace has the focus, space plays and pauses, arrows go by event in the trace and in time on the time line, t goes to the next trouble, Enter in the trace follows the job. Press a dot to follow its job. A long time in which nothing happens is cut short: a dotted line above the slider. ${events.toLocaleString("en")} events are in this page.</p>
</div>
<p class="soft" id="motion-absent">The replay needs the page's script.</p>`;
}
