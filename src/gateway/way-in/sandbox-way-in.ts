import type { WireName } from "../../contract/wire.ts";
import { endpointsAt } from "../endpoints.ts";
import { forwarderReady, forwardProgram } from "./forward-program.ts";

export interface WayInOptions {
  /** The gateway's unix socket on the host. */
  readonly gatewaySocket: string;
  /** The egress proxy's, where a task allows some hosts. */
  readonly proxySocket?: string;
  /** A Node program inside the sandbox, 22.3 or newer. */
  readonly node: string;
}

/** How a sandbox whose network is off reaches the gateway. */
export interface SandboxWayIn {
  /** To be among the sandbox's mounts when it is made: sockets, read-only, which does not keep from connecting. */
  readonly mounts: readonly { readonly source: string; readonly target: string }[];
  /**
   * To be spawned inside as root before the harness is launched, so that the agent cannot end it; it has started when
   * {@link SandboxWayIn.ready} has come on its standard output.
   */
  readonly argv: readonly string[];
  readonly ready: string;
  /** `http://127.0.0.1:<port>` inside. */
  readonly origin: string;
  /** Base URLs inside, as each wire's official client takes them. */
  readonly endpoints: Readonly<Record<WireName, string>>;
  /** For `HTTPS_PROXY` inside, where there is a proxy. */
  readonly proxyUrl: string | undefined;
}

/** A sandbox's loopback is its own, so that these are free in each. */
const gatewayPort = 4141;
const proxyPort = 4142;

export function sandboxWayIn({ gatewaySocket, proxySocket, node }: WayInOptions): SandboxWayIn {
  const ways = [
    { port: gatewayPort, source: gatewaySocket, target: "/run/ale/gateway.sock" },
    ...(proxySocket === undefined
      ? []
      : [{ port: proxyPort, source: proxySocket, target: "/run/ale/proxy.sock" }]),
  ];
  const origin = `http://127.0.0.1:${gatewayPort}`;
  return {
    mounts: ways.map(({ source, target }) => ({ source, target })),
    argv: [node, "-e", forwardProgram, "--", ...ways.flatMap(({ port, target }) => [String(port), target])],
    ready: forwarderReady,
    origin,
    endpoints: endpointsAt(origin),
    proxyUrl: proxySocket === undefined ? undefined : `http://127.0.0.1:${proxyPort}`,
  };
}
