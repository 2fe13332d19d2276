import type { IncomingMessage, ServerResponse } from "node:http";
import type { Maybe } from "../contract/absence.ts";
import type { Clock } from "../contract/clock.ts";
import type { Contestant } from "../contract/contestant.ts";
import type { Finding } from "../contract/finding.ts";
import type { Limits } from "../contract/limits.ts";
import type { CallOutcome } from "../contract/model-call.ts";
import type { ModelsFile } from "../contract/models-file.ts";
import type { Random } from "../contract/random.ts";
import type { Usage } from "../contract/usage.ts";
import type { WireName } from "../contract/wire.ts";
import type { Upstream } from "./upstream/upstream.ts";

export interface GatewayOptions {
  readonly models: ModelsFile;
  /** The real keys, by the name of their environment variable. They are never written anywhere. */
  readonly keys: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** For the jitter of retries. */
  readonly random: Random;
  /** Makes trial tokens: unguessable, and never the same twice. */
  readonly token: () => string;
  /** Reaches the servers; default over HTTP. */
  readonly upstream?: Upstream;
  /** For answers still under way when a trial is closed, in milliseconds; default 30 s. */
  readonly drainMs?: number;
}

/**
 * Stands between harnesses and models. One for an exam: open a trial just before its harness is launched, give the
 * harness the grant's token in place of a key and the grant's endpoint in place of the provider's, close it when the
 * harness has returned.
 */
export interface Gateway extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, for harnesses on the host. */
  readonly origin: string;
  /**
   * Listens on a unix socket too, for one trial's sandbox without a network, until disposed of. A trial that opens more
   * connections than any program needs has some broken off, and takes none from others. Rejects with `gateway-listen`.
   * @param path at most about 100 characters.
   */
  listenOn(path: string): Promise<AsyncDisposable>;
  /** What stands in the way of this contestant: unknown model, no key, no price; each with its remedy. */
  check(contestant: Contestant, limits: Limits): readonly Finding[];
  /** The wires that the contestant's model can be spoken to in; none for a model that is not in the models file. */
  wiresOf(contestant: Contestant): readonly WireName[];
  openTrial(options: TrialGrantOptions): TrialGrant;
}

/** Answers one request of an MCP client. */
export type McpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface TrialGrantOptions {
  readonly trial: string;
  /** Its effort is put into requests that say none themselves. */
  readonly contestant: Contestant;
  /** Tokens, cost and calls are enforced here; times are the exam's. */
  readonly limits: Limits;
  /**
   * A call begins to wait on a rate limit or a retry, or has waited for so many milliseconds for an answer that did not come;
   * disposed of when it goes on. Waits may overlap.
   */
  readonly onWait: (forMs?: number) => Disposable;
  /** A call was turned away at this limit, by its name in {@link Limits}. Told once. */
  readonly onExceeded: (limit: string) => void;
  /** Host folder for `calls.jsonl` and `bodies/`; absent = nothing is written. */
  readonly record?: string;
  /** Answers from this recording, and reaches no server. */
  readonly replay?: string;
  /** Servers of the house that the trial's token opens too, by name: each answers below `/mcp/<name>`. */
  readonly mcp?: Readonly<Record<string, McpHandler>>;
}

/** A model call that no retry could save, or that was lost under way: not the contestant's fault. */
export interface UpstreamFailure {
  readonly model: string;
  /** HTTP status, 0 when there was none. */
  readonly status: number;
  readonly message: string;
}

/** Another model answered than was asked for. */
export interface Substitution {
  /** As the contestant names it. */
  readonly asked: string;
  /** As the answer names itself. */
  readonly served: string;
}

/** What a trial has used. */
export interface TrialMeter {
  /** Over all calls whose provider told its numbers. */
  readonly usage: Usage;
  /** Calls that were sent on and whose usage the provider never told. */
  readonly unmetered: number;
  /** Calls that have not ended yet. */
  readonly underWay: number;
  /** Unknown as soon as one call's cost is. */
  readonly costUsd: Maybe<number>;
  /** By the price table, over the calls whose cost is known. */
  readonly knownCostUsd: number;
  /** Waits on rate limits, retries and servers that gave no answer, summed over calls. */
  readonly waitedMs: number;
  /** What the provider itself says it charged; unknown unless it says so of every call. */
  readonly providerCostUsd: Maybe<number>;
  /**
   * How the last call for an answer ended; absent when there was none. One whose client had left tells nothing once a later
   * call has ended.
   */
  readonly lastEnd: CallOutcome | undefined;
  /** Calls that the provider or the model declined, with the reason. */
  readonly refusals: readonly string[];
  /** Calls that were not made, such as for a model that is not in the models file, with the reason. */
  readonly rejected: readonly string[];
  /** Models that answered in place of the one asked for, each pair once. */
  readonly substitutions: readonly Substitution[];
  readonly failures: readonly UpstreamFailure[];
  /** The limit at which calls were turned away. */
  readonly exceeded: string | undefined;
  /** Where a replay left its recording. */
  readonly divergence: string | undefined;
}

/** A trial's way to its models. */
export interface TrialGrant extends AsyncDisposable {
  /** In place of a key, in whichever header the wire's client uses. */
  readonly token: string;
  /** Base URLs on the host, as each wire's official client takes them. */
  readonly endpoints: Readonly<Record<WireName, string>>;
  meter(): TrialMeter;
  /**
   * Revokes the token, waits for answers under way and for the record to be written. Idempotent.
   * @param judging a client may have left after a long silence: until this is aborted the answer is waited for, as long as its
   * upstream may be silent, to tell whether the upstream has failed. Absent = that stays unknown, and nobody's failure.
   */
  close(judging?: AbortSignal): Promise<TrialMeter>;
}
