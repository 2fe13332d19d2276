import type { Maybe } from "../contract/absence.ts";
import type { Claim } from "../contract/claim.ts";
import type { Clock } from "../contract/clock.ts";
import type { Contestant } from "../contract/contestant.ts";
import type { Finding } from "../contract/finding.ts";
import type { JsonValue } from "../contract/json-value.ts";
import type { Limits } from "../contract/limits.ts";
import type { TrialEventBody } from "../contract/trial-event.ts";
import type { Usage } from "../contract/usage.ts";
import type { WireName } from "../contract/wire.ts";
import type { ScreenBridge } from "../desktop/screen-actions/screen-bridge.ts";
import type { Mount } from "../sandbox/provider.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Screen } from "../sandbox/screen.ts";

/** What a harness needs on the machine before it is made. */
export interface HarnessNeeds {
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a contestant may know of its trial. */
export interface HarnessTrial {
  readonly contestant: Contestant;
  /** `domain/name@variant`. */
  readonly instance: string;
  readonly instruction: string;
  readonly limits: Limits;
  /** Relative to the output folder. */
  readonly outputs: readonly { readonly path: string; readonly kind: string; readonly required: boolean }[];
  /**
   * The task's own oracle program; only the `oracle` harness is given it, so that no other can run it.
   * Its package is mounted by {@link HarnessNeeds} of that harness alone, without the reference.
   */
  readonly oracle?: {
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly mounts: readonly Mount[];
  };
}

/** An MCP server of ours, spoken to over streamable HTTP with the trial's token as bearer. */
export interface McpEndpoint {
  /** `budget`, `screen`, `machine`. */
  readonly name: string;
  /** For programs inside the sandbox. */
  readonly url: string;
  /** For loops on the host. */
  readonly hostUrl: string;
}

/** A contestant's way to its model, and to our MCP servers. */
export interface ModelAccess {
  /** Takes the place of a key; of no worth outside this trial. */
  readonly token: string;
  /** What the model's upstream speaks, best first. */
  readonly wires: readonly WireName[];
  /** Base URLs for programs inside the sandbox, as each wire's official client takes them. */
  readonly endpoints: Readonly<Record<WireName, string>>;
  /** The same for loops on the host. */
  readonly hostEndpoints: Readonly<Record<WireName, string>>;
  readonly mcp: readonly McpEndpoint[];
}

/** The agent phase, from the harness's side. */
export interface HarnessSession {
  readonly trial: HarnessTrial;
  readonly sandbox: Sandbox;
  /** Aborted at the deadline, at a limit, or on cancel; the harness must then return soon. */
  readonly signal: AbortSignal;
  /** Absent for a contestant without a model. */
  readonly model?: ModelAccess;
  /** The trial's screen, where its task is done at one; programs inside find it in their environment. */
  readonly screen?: Screen;
  /** The same screen, with what is done at it taken into the record. */
  readonly screenBridge?: ScreenBridge;
  /** Host folder of the attempt: `trajectory.json` and `screenshots/` go there. */
  readonly record: string;
  /** Host folder for the harness's own logs, kept with the record. */
  readonly logs: string;
  readonly clock: Clock;
  /** Takes keys and tokens out of what is written. */
  readonly redact: (value: JsonValue) => JsonValue;
  emit(event: Extract<TrialEventBody, { type: "agent" | "note" | "command" }>): void;
}

/** How the harness ended by itself; deadlines and limits are the exam's to see. */
export type HarnessOutcome = {
  readonly usage: Maybe<Usage>;
  readonly costUsd: Maybe<number>;
  readonly claim: Maybe<Claim>;
} & (
  | { readonly kind: "completed" }
  /** The provider or model declined the work. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The harness itself failed: crash, error exit, API error that is not the house's. */
  | { readonly kind: "agent-error"; readonly reason: string }
  /** Not the contestant's fault: the machine or the upstream was lost. */
  | { readonly kind: "env-error"; readonly reason: string }
);

/** The program that drives a model, or a baseline. */
export interface Harness {
  readonly name: string;
  /** One line for `agents ls`. */
  readonly summary: string;
  /** The wires it can speak to a model, best first; absent = it drives no model of ours. */
  readonly wires?: readonly WireName[];
  /** False where its own account leaves some of its calls out, such as those of sub-agents. Default true. */
  readonly claimsAllCalls?: boolean;
  /** It runs on the host and acts on the machine from outside; absent = it runs inside. */
  readonly outside?: true;
  /** The systems of machines that its program runs on; absent: any, as for loops outside and programs of the machine's own. */
  readonly runsOn?: readonly "linux"[];
  /** Version of the program that will run; baselines give this package's. */
  version(): Promise<string>;
  /** What is missing for this contestant: program, key, settings; each with its remedy. */
  preflight(contestant: Contestant): Promise<readonly Finding[]>;
  needs(trial: HarnessTrial): Promise<HarnessNeeds>;
  /** Does the work. Returns, never throws, for what the harness did; a throw is our bug. */
  launch(session: HarnessSession): Promise<HarnessOutcome>;
}
