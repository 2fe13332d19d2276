import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import {
  type CaseContext,
  type ConformanceCase,
  onMachine,
} from "../../../../conformance/conformance-case.ts";
import { expectEqual, expectRejection, until, violated } from "../../../../conformance/expectations.ts";
import type { ForwardedPort } from "../../../../forward/forwarded-port.ts";
import type { Sandbox } from "../../../../sandbox.ts";
import { act, probe, told } from "../probe.ts";

type Forward = (path: string) => Promise<ForwardedPort>;

/** Ports of the machine's loopback that lead to the host. */
export const windowsPortCases: readonly ConformanceCase[] = [
  forwarding(
    "what passes a forwarded port comes whole both ways, and half of a connection may close",
    async (sandbox, forward, { scratch }) => {
      await using _server = await listenAt(join(scratch, "echo.sock"), (socket) => {
        const pieces: Buffer[] = [];
        socket.on("data", (piece) => pieces.push(piece));
        socket.on("end", () => socket.end(Buffer.concat(pieces)));
      });
      await using way = await forward(join(scratch, "echo.sock"));
      expectEqual(await told(sandbox, ["echo", String(way.port)]), "same", "echo");
    },
  ),
  forwarding(
    "forwarded ports have numbers of their own, and each leads to its socket",
    async (sandbox, forward, { scratch }) => {
      await using ways = new AsyncDisposableStack();
      const ports = new Map<string, ForwardedPort>();
      for (const name of ["one", "two"]) {
        ways.use(await listenAt(join(scratch, name), (socket) => socket.end(name)));
        ports.set(name, ways.use(await forward(join(scratch, name))));
      }
      for (const [name, { port }] of ports)
        expectEqual(await told(sandbox, ["ask", String(port)]), name, "answer");
    },
  ),
  forwarding(
    "more connections to a forwarded port than are let in wait their turn, and hold up nothing else",
    async (sandbox, forward, { scratch, clock }) => {
      const open = new Set<Socket>();
      let [most, served] = [0, false];
      const serve = (): void => {
        for (const socket of open) socket.end("served\n");
      };
      await using _server = await listenAt(join(scratch, "busy.sock"), (socket) => {
        open.add(socket);
        socket.on("close", () => open.delete(socket));
        most = Math.max(most, open.size);
        if (served) serve();
      });
      await using way = await forward(join(scratch, "busy.sock"));
      const asking = told(sandbox, ["crowd", String(way.port), "300"]);
      await until(clock, "as many are there as are let in", async () => open.size === 256);
      expectEqual(await told(sandbox, ["say", "alive"]), "alive", "another command");
      served = true;
      serve();
      expectEqual([await asking, most], ["300", 256], "connections served, and at once");
    },
  ),
  forwarding(
    "a forwarded port and its connections end when it is disposed of, or the machine quiesced",
    async (sandbox, forward, { scratch }) => {
      const seen: Promise<unknown>[] = [];
      await using _server = await listenAt(join(scratch, "open.sock"), (socket) => {
        seen.push(once(socket.resume(), "end").then(() => socket.end()));
        socket.write("here\n");
      });
      const first = await forward(join(scratch, "open.sock"));
      const second = await forward(join(scratch, "open.sock"));
      const endings: Promise<string>[] = [];
      for (const { port } of [first, second]) {
        const user = port === second.port ? "root" : "agent";
        const command = await sandbox.spawn([probe, "linger", String(port)], { user });
        await once(command.stdout, "data");
        endings.push(once(command.stdout, "data").then(([piece]) => String(piece)));
      }
      await first[Symbol.asyncDispose]();
      await seen[0];
      expectEqual(await endings[0], "broken\n", "the end of what was broken off");
      expectEqual(
        (await act(sandbox, ["ask", String(first.port)])).end,
        { kind: "exited", code: 1 },
        "the port",
      );
      await sandbox.quiesce();
      await Promise.all(seen);
      const after = await act(sandbox, ["ask", String(second.port)], { user: "root" });
      expectEqual(after.end, { kind: "exited", code: 1 }, "the other port");
      await expectRejection(forward(join(scratch, "open.sock")), "sandbox-quiesced", "forward");
    },
  ),
];

function forwarding(
  name: string,
  run: (sandbox: Sandbox, forward: Forward, context: CaseContext) => Promise<void>,
): ConformanceCase {
  return onMachine(name, async (sandbox, context) => {
    const { forward } = sandbox;
    if (forward === undefined) throw violated("the machine forwards no ports");
    await run(sandbox, forward.bind(sandbox), context);
  });
}

async function listenAt(path: string, serve: (socket: Socket) => void): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    serve(socket);
  });
  server.listen(path);
  await once(server, "listening");
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
