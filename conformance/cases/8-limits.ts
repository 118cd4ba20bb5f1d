/** Section 8: limits that stand in no other section. */
import { succeeded } from "../exchange/exchange.ts";
import { defineCase } from "./case.ts";

/** "No quota: capacity is priced, and the only hard limit is the unit balance." Many requests, at once and in a row, are all answered. */
const quota = defineCase({
  id: "8/no-quota",
  title: "many requests within the balance, at once and in a row, are all answered",
  requirements: ["8/4", "7.1/6"],
  needs: ["credits"],
  alone: true,
  cost: (prices) => 6 * prices.flat,
  async run(t) {
    const [rows, wide] = t.home.fresh ? [12, 30] : [2, 4];
    const chats = await Promise.all(Array.from({ length: wide }, () => t.api.say({ max_tokens: 1 })));
    for (let row = 0; row < rows; row++) chats.push(await t.api.say({ max_tokens: 1, stream: row % 2 === 1 }));
    const reads = await Promise.all(Array.from({ length: 40 }, () => t.api.account()));
    for (const answer of [...chats, ...reads]) {
      // A burst limit per address is waited out by the client; what is left after that is judged.
      if (!t.home.fresh && answer.status === 402) return t.giveUp("the wallet has too few units left");
      if (answer.status === 429) return t.giveUp("the burst limit of the API layer was reached");
      const told = { expected: "200", seen: `${answer.status} ${answer.text}`, exchanges: answer };
      if (!t.check("8/4", succeeded(answer), told)) return;
    }
    t.pass("7.1/6");
  },
});

/** Neither the largest body nor the number of messages is shown: what is taken is observed. */
const sizes = defineCase({
  id: "8/sizes",
  title: "how many messages a request may have is observed",
  requirements: ["8/10"],
  needs: ["wallets"],
  async run(t) {
    for (const count of [50, 500]) {
      const messages = Array.from({ length: count }, (_, index) => ({
        role: index % 2 === 0 ? "user" : "assistant",
        content: "a",
      }));
      const answer = await t.api.say({ messages, max_tokens: 1 });
      t.observe("8/10", `${count} messages: ${succeeded(answer) ? "answered" : `refused with ${answer.status}`}`);
    }
  },
});

export const section8 = [quota, sizes];
