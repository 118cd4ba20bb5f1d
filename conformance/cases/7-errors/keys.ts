/** Section 7.2: the codes of authentication, each with its status. Section 5 tries keys in depth. */
import { errorCode } from "../../exchange/exchange.ts";
import { defineCase } from "../case.ts";
import { answered, told } from "../support/refusals.ts";

const codes = defineCase({
  id: "7.2/keys",
  title: "missing, unknown, revoked and suspended keys have the codes and statuses of section 7.2",
  requirements: ["7.2/16"],
  async run(t) {
    const wallet = await t.otherWallet();
    t.accepted(await wallet.api.account(), "a request with an active key");
    const expect = async (what: string, key: string | null, status: number, code: string): Promise<void> => {
      for (const stream of [undefined, true]) {
        const answer = answered(t, await t.as(key).say({ stream }, { cost: 0 }));
        t.check("7.2/16", answer.status === status && errorCode(answer) === code, {
          title: `${what} is not refused with ${status} ${code}`,
          expected: `${status} ${code}`,
          seen: told(answer),
        });
      }
    };
    await expect("a missing key", null, 401, "missing_api_key");
    await expect("an unknown key", `svc_live_${t.random.text(32)}`, 401, "invalid_api_key");
    await t.controls.setKeyState(wallet.key, "suspended");
    await expect("a suspended key", wallet.key, 403, "key_suspended");
    await t.controls.setKeyState(wallet.key, "revoked");
    await expect("a revoked key", wallet.key, 401, "invalid_api_key");
    await t.controls.setKeyState(wallet.key, "active");
  },
});

export const keyCases = [codes];
