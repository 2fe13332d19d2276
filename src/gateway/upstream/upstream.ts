import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";

export interface UpstreamRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Must be read to its end or destroyed. */
  readonly body: Readable;
}

/** Sends requests to servers. */
export interface Upstream extends Disposable {
  /** Resolves with the head of the answer; rejects when there is none, or with the signal's reason. */
  send(request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamAnswer>;
}
