import { forwarderReady, forwardProgram } from "./forward-program.ts";

export interface WayInOptions {
  /** The gateway's unix socket on the host. */
  readonly gatewaySocket: string;
  /** The egress proxy's, where a task allows some hosts. */
  readonly proxySocket?: string;
  /** A Node program inside the sandbox, 22.3 or newer. */
  readonly node: string;
}

/** How a sandbox reaches sockets of the host, whatever its network. */
export interface SandboxWayIn {
  /** To be among the sandbox's mounts when it is made: sockets, read-only, which does not keep from connecting. */
  readonly mounts: readonly { readonly source: string; readonly target: string }[];
  /**
   * To be spawned inside as root before the harness is launched, so that the agent cannot end it; it has started when
   * a line has come on its standard output.
   */
  readonly argv: readonly string[];
  /** Reads that line; `undefined` for any other. */
  origins(line: string): WayInOrigins | undefined;
}

/** `http://127.0.0.1:<port>` inside. */
export interface WayInOrigins {
  readonly gateway: string;
  /** For `HTTPS_PROXY`, where there is a proxy. */
  readonly proxy: string | undefined;
}

/** The ports are the machine's own to give: its loopback may be shared with the host. */
export function sandboxWayIn({ gatewaySocket, proxySocket, node }: WayInOptions): SandboxWayIn {
  const mounts = [
    { source: gatewaySocket, target: "/run/ale/gateway.sock" },
    ...(proxySocket === undefined ? [] : [{ source: proxySocket, target: "/run/ale/proxy.sock" }]),
  ];
  return {
    mounts,
    argv: [node, "-e", forwardProgram, "--", ...mounts.flatMap(({ target }) => ["0", target])],
    origins(line) {
      const [word, gateway, proxy] = line.trim().split(" ");
      if (word !== forwarderReady || gateway === undefined) return undefined;
      const at = (port: string): string => `http://127.0.0.1:${port}`;
      return { gateway: at(gateway), proxy: proxy === undefined ? undefined : at(proxy) };
    },
  };
}
