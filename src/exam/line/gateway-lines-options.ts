import type { Clock } from "../../contract/clock.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import type { LineRequest } from "./trial-line.ts";

export interface GatewayLinesOptions {
  readonly gateway: Gateway;
  readonly clock: Clock;
  /** For sockets; its path must be short. */
  readonly tempDir: string;
  /** A Node program on the host, for the forwarder inside. */
  readonly nodeBinary: string;
  /** Of this package. */
  readonly version: string;
  /** Folder of a recording to answer from, for contestants that are replayed. */
  readonly replayOf?: (request: LineRequest) => string | undefined;
}
