/**
 * Deliveries are tried on the contract's schedule (6.4): at once, and after a failure 30 s, 5 min, 30 min and 2 h after the attempt before;
 * five times at most, never after a success, and a webhook has failed exactly when the fifth attempt has (3.2). An endpoint has ten seconds to answer:
 * one that answers later has failed, and an attempt is not waited for any longer (6.4, 8).
 */
import { DELIVERY_ATTEMPTS, DELIVERY_DELAYS_MICROS, micros } from "../../fixtures/protocol/limits.ts";
import type { MakeChecker } from "./checker.ts";

export const deliverySchedule: MakeChecker = (report) => {
  const attempts: number[] = [];
  const lastAt: number[] = [];
  const over: boolean[] = [];
  const byHand: boolean[] = [];
  const answered = (time: number, delivery: number, most: number): void => {
    const taken = time - lastAt[delivery]!;
    if (taken > most)
      report(time, `delivery ${delivery}: attempt ${attempts[delivery]} taken as answered after ${taken} us`);
  };
  return {
    on: {
      "delivery.created": (time, delivery) => {
        attempts[delivery] = 0;
        lastAt[delivery] = time;
        over[delivery] = false;
        byHand[delivery] = false;
      },
      "delivery.replayed": (_time, delivery) => {
        byHand[delivery] = true;
        over[delivery] = false;
      },
      "delivery.attempted": (time, delivery) => {
        const before = attempts[delivery]!;
        attempts[delivery] = before + 1;
        if (over[delivery]) report(time, `delivery ${delivery}: attempted after its end`);
        const waited = time - lastAt[delivery]!;
        lastAt[delivery] = time;
        if (byHand[delivery]) return;
        const due = DELIVERY_DELAYS_MICROS[before];
        if (due === undefined) report(time, `delivery ${delivery}: attempt ${before + 1} of ${DELIVERY_ATTEMPTS}`);
        else if (waited !== due)
          report(time, `delivery ${delivery}: attempt ${before + 1} after ${waited} us, not ${due}`);
      },
      "delivery.succeeded": (time, delivery) => {
        answered(time, delivery, micros.deliveryTimeout);
        over[delivery] = true;
      },
      "delivery.failed": (time, delivery) => answered(time, delivery, micros.deliveryTimeout + 1),
      "delivery.ended": (_time, delivery) => {
        over[delivery] = true;
      },
      "webhook.failed": (time, webhook, delivery) => {
        if (attempts[delivery]! < DELIVERY_ATTEMPTS) {
          report(time, `webhook ${webhook}: failed after ${attempts[delivery]} attempts of delivery ${delivery}`);
        }
      },
    },
    finish: (time) => {
      for (let delivery = 0; delivery < over.length; delivery++) {
        if (!over[delivery]) report(time, `delivery ${delivery}: neither delivered nor given up`);
      }
    },
  };
};
