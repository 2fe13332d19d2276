import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { createEgressProxy } from "../../gateway/egress/egress-proxy.ts";
import type { GatewayLinesOptions } from "./gateway-lines-options.ts";
import { openGrant } from "./open-grant.ts";
import { type HostSockets, openWayIn, wayInOf } from "./open-way-in.ts";
import { type LineOpener, type LineRequest, type LineWatch, noLine, type OpenLine } from "./trial-line.ts";

/** Lines through a gateway: to the contestant's model, to the house's servers, and to the hosts a task allows. */
export function createGatewayLines(options: GatewayLinesOptions): LineOpener {
  const { gateway, clock, tempDir, nodeBinary } = options;
  return async (request) => {
    const { contestant, network, harness, note } = request;
    const hasModel = harness.wires !== undefined && contestant.model !== undefined;
    const allow = typeof network === "string" ? undefined : network.allow;
    if (!hasModel && allow === undefined) return noLine(request);
    await using opening = new AsyncDisposableStack();
    const socketHere = (): string => join(tempDir, `${randomUUID().slice(0, 8)}.sock`);
    let sockets: HostSockets = { gatewaySocket: socketHere() };
    opening.use(await gateway.listenOn(sockets.gatewaySocket));
    if (allow !== undefined) {
      const proxySocket = socketHere();
      opening.use(
        await createEgressProxy({
          allow,
          clock,
          socketPath: proxySocket,
          onRefused: ({ host, port, reason }) =>
            note({ type: "note", code: "host-refused", message: `${host}:${port}: ${reason}` }),
        }),
      );
      sockets = { ...sockets, proxySocket };
    }
    const held = opening.move();
    return {
      // The program that forwards to the sockets runs on our Node.
      mounts: [...wayInOf(sockets).mounts, { source: nodeBinary, target: sandboxLayout.node }].map(
        (mount) => ({
          ...mount,
          wayIn: true,
        }),
      ),
      open: (watch) => openLine(options, request, sockets, hasModel, watch),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  };
}

async function openLine(
  options: GatewayLinesOptions,
  request: LineRequest,
  sockets: HostSockets,
  hasModel: boolean,
  watch: LineWatch,
): Promise<OpenLine> {
  await using opening = new AsyncDisposableStack();
  const { origins } = opening.use(await openWayIn(watch.sandbox, sockets));
  const grant = hasModel ? opening.use(openGrant(options, request, watch)) : undefined;
  const held = opening.move();
  return {
    env: proxyEnvironment(origins.proxy),
    ...(grant === undefined ? {} : { model: grant.access(origins.gateway) }),
    meter: () => grant?.meter(),
    close: async (judging) => grant?.close(judging),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Loopback is never asked of the proxy: the gateway is there. */
function proxyEnvironment(proxy: string | undefined): Readonly<Record<string, string>> {
  if (proxy === undefined) return {};
  const direct = "127.0.0.1,localhost";
  return { HTTPS_PROXY: proxy, https_proxy: proxy, NO_PROXY: direct, no_proxy: direct };
}
