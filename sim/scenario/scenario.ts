/** A scenario as it stands in the file, once its form is known to be right. Words are explained in `schema.ts`. */
import type { EventName } from "../../fixtures/protocol/events.ts";
import type { Tier } from "../../fixtures/protocol/prices.ts";
import type { conducts } from "../actors/index.ts";
import type { DistributionSpec, Duration } from "../core/index.ts";
import type { LinkClass } from "../network/index.ts";
import type { WorkerKind } from "../rules.ts";
import type { CHAIN_FAULTS, PROCESSES } from "./schema.ts";

export interface Scenario {
  readonly name?: string;
  readonly seed?: number | string;
  readonly duration?: Duration;
  readonly calm_at?: Duration;
  readonly models?: readonly ScenarioModel[];
  readonly workers: readonly ScenarioWorkers[];
  readonly clients: readonly ScenarioClients[];
  readonly routing?: string;
  readonly faults?: readonly ScenarioFault[];
  readonly network?: Readonly<Partial<Record<LinkClass, ScenarioLink>>> & {
    readonly gateway_clock?: ScenarioClock;
  };
  readonly chain?: {
    readonly block_time?: Duration;
    readonly confirmations?: number;
    readonly mempool_delay?: Duration;
    readonly gas_price?: number;
    readonly resend_after?: Duration;
    readonly faults?: readonly ScenarioChainFault[];
  };
  readonly arbiter?: {
    readonly accuracy?: number;
    readonly slash?: number;
    readonly delay?: Duration;
    readonly compensates?: boolean;
  };
  readonly verification?: {
    readonly audit_rate: number;
    readonly false_positive?: number;
    readonly false_negative?: number;
    readonly delay?: DistributionSpec;
    readonly cost?: number;
    readonly expel?: boolean;
  };
  readonly token_price?: number;
}

export interface ScenarioModel {
  readonly id: string;
  readonly tier: Tier;
  readonly parameters?: string;
  readonly context_window?: number;
  readonly memory?: number;
}

export interface ScenarioChainFault {
  readonly fault: (typeof CHAIN_FAULTS)[number];
  readonly at: Duration;
  readonly for?: Duration;
  readonly share?: number;
  readonly block_time?: Duration;
  readonly depth?: number;
}

export interface ScenarioLink {
  readonly delay?: DistributionSpec;
  readonly jitter?: DistributionSpec;
  readonly loss?: number;
  readonly resend_after?: Duration;
  readonly duplication?: number;
  readonly ordered?: boolean;
  readonly bandwidth?: number;
}

export interface ScenarioFault {
  readonly fault: "crash" | "stall" | "slow" | "drop" | "partition" | "clog";
  readonly link?: LinkClass;
  readonly party?: string | number;
  readonly workers?: string;
  readonly region?: string;
  readonly share?: number;
  readonly at: Duration;
  readonly for?: Duration;
  readonly every?: Duration;
  readonly factor?: number;
}

export interface ScenarioClock {
  readonly drift_ppm?: number;
  readonly jumps?: readonly { readonly at: Duration; readonly ahead?: Duration; readonly back?: Duration }[];
}

export interface ScenarioWorkers {
  readonly name?: string;
  readonly operator?: string;
  readonly kind: WorkerKind;
  readonly count: number;
  readonly models?: readonly string[] | "all" | "fitting";
  readonly slots?: number;
  readonly stake?: number;
  readonly first_token?: DistributionSpec;
  readonly prompt_token_time?: Duration;
  readonly token_time?: DistributionSpec;
  readonly service?: DistributionSpec;
  readonly dishonest?: number;
  readonly silent?: number;
  readonly failing?: number;
  readonly works_late?: boolean;
  readonly region?: string;
  readonly memory?: number;
  readonly batching?: number;
  readonly session?: {
    readonly joins?: DistributionSpec;
    readonly stays?: DistributionSpec;
    readonly away?: DistributionSpec;
    readonly drains?: boolean;
  };
  readonly cost?: { readonly per_job?: number; readonly per_1k_tokens?: number };
  readonly cheats?: {
    readonly how: keyof typeof conducts;
    readonly share?: number;
    readonly pace?: number;
    readonly effort?: number;
    readonly resemblance?: number;
  };
  readonly clock?: ScenarioClock;
  readonly rejoins?: { readonly after: Duration; readonly cost?: number };
}

export interface ScenarioArrivals {
  readonly process: (typeof PROCESSES)[number];
  readonly rate?: number;
  readonly gap?: DistributionSpec;
  readonly every?: Duration;
  readonly states?: readonly { readonly rate: number; readonly stay: Duration }[];
  readonly curve?: readonly number[];
  readonly starts_at?: Duration;
  readonly think?: DistributionSpec;
  readonly file?: string;
}

export interface ScenarioClients {
  readonly name: string;
  readonly region?: string;
  readonly wallets?: number;
  readonly units?: number;
  readonly arrivals: ScenarioArrivals;
  readonly requests?: number;
  readonly from?: Duration;
  readonly until?: Duration;
  readonly models?: Readonly<Record<string, number>>;
  readonly prompt_tokens?: DistributionSpec;
  readonly output_tokens?: DistributionSpec;
  readonly lengths_from?: string;
  readonly streaming?: number;
  readonly patience?: DistributionSpec;
  readonly retries?: { readonly as: "contract" | "careless"; readonly limit?: number; readonly base?: Duration };
  readonly max_tokens?: number | "none" | "exact";
  readonly top_up?: { readonly below: number; readonly units: number; readonly budget?: number };
  readonly checks?: {
    readonly share: number;
    readonly after?: DistributionSpec;
    readonly cost?: number;
    readonly accuses?: boolean;
    readonly spares?: string;
  };
  readonly operator?: string;
  readonly burst?: number;
  readonly withdraws?: number;
  readonly redeem_at?: Duration;
  readonly webhook?: {
    readonly events: readonly EventName[];
    readonly success?: number;
    readonly latency?: DistributionSpec;
  };
}
