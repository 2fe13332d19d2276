import { once } from "node:events";
import { AleError } from "../../contract/ale-error.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import {
  type SandboxWayIn,
  sandboxWayIn,
  type WayInOptions,
  type WayInOrigins,
} from "../../gateway/way-in/sandbox-way-in.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

/** Sockets of the host that a machine is to reach. */
export type HostSockets = Omit<WayInOptions, "node">;

/** The way of a machine that is shown the sockets. */
export function wayInOf(sockets: HostSockets): SandboxWayIn {
  return sandboxWayIn({ ...sockets, node: sandboxLayout.node });
}

/** Open until disposed of. */
export interface OpenWayIn extends AsyncDisposable {
  readonly origins: WayInOrigins;
}

/** Lets programs inside reach the host's sockets on ports of their own loopback. Rejects with `way-in` when it cannot. */
export async function openWayIn(sandbox: Sandbox, sockets: HostSockets): Promise<OpenWayIn> {
  const { forward } = sandbox;
  if (forward !== undefined) return await forwardPorts(forward.bind(sandbox), sockets);
  const way = wayInOf(sockets);
  const forwarder = await sandbox.spawn(way.argv, { user: "root" });
  const said: string[] = [];
  forwarder.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString("utf8")));
  const line = await Promise.race([
    once(forwarder.stdout, "data").then(([chunk]) => (chunk as Buffer).toString("utf8")),
    forwarder.ended.then(() => ""),
  ]);
  forwarder.stdout.resume();
  const origins = way.origins(line);
  if (origins === undefined) {
    await forwarder.stop();
    throw new AleError({
      code: "way-in",
      message: `the machine's way to the gateway could not be opened: ${said.join("").trim().slice(0, 500) || line}`,
      fields: { sandbox: sandbox.id },
    });
  }
  return { origins, [Symbol.asyncDispose]: () => forwarder.stop() };
}

/** Where the provider itself connects ports inside. */
async function forwardPorts(
  forward: NonNullable<Sandbox["forward"]>,
  sockets: HostSockets,
): Promise<OpenWayIn> {
  await using opening = new AsyncDisposableStack();
  const open = async (socket: string): Promise<string> =>
    `http://127.0.0.1:${opening.use(await forward(socket)).port}`;
  const gateway = await open(sockets.gatewaySocket);
  const proxy = sockets.proxySocket === undefined ? undefined : await open(sockets.proxySocket);
  const opened = opening.move();
  return { origins: { gateway, proxy }, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
