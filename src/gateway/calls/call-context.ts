import type { Clock } from "../../contract/clock.ts";
import type { ModelSpec, ModelsFile, UpstreamSpec } from "../../contract/models-file.ts";
import type { Random } from "../../contract/random.ts";
import type { PriceBook } from "../money/price-book.ts";
import type { Spacer } from "../upstream/spacer.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { AskedCall, Wire, WireRoute } from "../wires/wire.ts";
import type { TrialSession } from "./trial-session.ts";

/** What all calls through a gateway share. */
export interface CallContext {
  readonly models: ModelsFile;
  readonly keys: Readonly<Record<string, string>>;
  /** What no answer may tell a client, by `keyForms`. */
  readonly keyForms: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly upstream: Upstream;
  readonly prices: PriceBook;
  /** The spacer of an upstream, by its name. */
  readonly spacer: (upstream: string) => Spacer;
}

/** A call that has been read and found to be one that can be made. */
export interface ReadCall {
  readonly trial: TrialSession;
  readonly wire: Wire;
  readonly route: WireRoute;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly asked: AskedCall;
  readonly model: ModelSpec;
  readonly upstreamName: string;
  readonly upstream: UpstreamSpec;
  /** The body that goes on, the asked one byte for byte unless something had to be changed in it. */
  readonly body: Uint8Array;
  /** The model as it is sent on. */
  readonly sent: string;
  /** What was sent of effort, in the provider's words. */
  readonly effortSent: AskedCall["effortWords"];
  /** Usage was asked for by us; the client must not see it. */
  readonly hideUsage: boolean;
  /** The client has gone. */
  readonly left: AbortSignal;
}
