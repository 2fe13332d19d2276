import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { ForwardedPort } from "../../forward/forwarded-port.ts";
import type { Sandbox } from "../../sandbox.ts";
import { type CaseContext, type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expectEqual, expectFailure, expectRejection, outputOf, until } from "../expectations.ts";

/** Machines that are shown sockets instead have nothing to forward. */
export const forwardCases: readonly ConformanceCase[] = [
  forwarding(
    "what passes a forwarded port comes whole both ways, and half of a connection may close",
    async (sandbox, forward, { scratch }) => {
      await using _server = await listenAt(join(scratch, "echo.sock"), (socket) => {
        const pieces: Buffer[] = [];
        socket.on("data", (piece) => pieces.push(piece));
        // Only once the other side has said that it has no more to say.
        socket.on("end", () => socket.end(Buffer.concat(pieces)));
      });
      await using way = await forward(join(scratch, "echo.sock"));
      const script = [
        connectTo(way),
        'my $sent = join "", map { "$_\\n" } 1 .. 300_000;',
        "print $s $sent; $s->flush; shutdown $s, 1;",
        "local $/; my $got = <$s>;",
        'print $got eq $sent ? "same" : "differs"',
      ];
      expectEqual(await outputOf(sandbox, perl(script)), "same", "echo");
    },
  ),
  forwarding(
    "forwarded ports have numbers of their own, and each leads to its socket",
    async (sandbox, forward, { scratch }) => {
      await using ways = new AsyncDisposableStack();
      const names = ["one", "two"];
      const ports: ForwardedPort[] = [];
      for (const name of names) {
        ways.use(await listenAt(join(scratch, name), (socket) => socket.end(name)));
        ports.push(ways.use(await forward(join(scratch, name))));
      }
      for (const [index, port] of ports.entries()) {
        expectEqual(await outputOf(sandbox, perl([connectTo(port), "print <$s>"])), names[index], "answer");
      }
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
      const script = [
        "use IO::Socket::INET;",
        `my @all = map { IO::Socket::INET->new("127.0.0.1:${way.port}") or die $! } 1 .. 300;`,
        'my $count = 0; for my $s (@all) { $count++ if <$s> eq "served\\n"; close $s }',
        "print $count",
      ];
      const asking = outputOf(sandbox, perl(script));
      await until(clock, "as many are there as are let in", async () => open.size === 256);
      expectEqual(await outputOf(sandbox, "echo alive"), "alive", "another command");
      served = true;
      serve();
      expectEqual(await asking, "300", "connections served");
      expectEqual(most, 256, "connections at once");
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
      for (const way of [first, second]) {
        const script = `${connectTo(way)} $| = 1; print scalar <$s>; print <$s>; sleep 3800`;
        const command = await sandbox.spawn(["perl", "-e", script]);
        await once(command.stdout, "data");
      }
      await first[Symbol.asyncDispose]();
      await seen[0];
      await expectFailure(sandbox, perl([connectTo(first)]));
      await sandbox.quiesce();
      await Promise.all(seen);
      await expectFailure(sandbox, perl([connectTo(second)]), { user: "root" });
      await expectRejection(forward(join(scratch, "open.sock")), "sandbox-quiesced", "forward");
    },
  ),
];

/** A case for machines that forward ports. */
function forwarding(
  name: string,
  run: (sandbox: Sandbox, forward: NonNullable<Sandbox["forward"]>, context: CaseContext) => Promise<void>,
): ConformanceCase {
  return onMachine(name, async (sandbox, context) => {
    const { forward } = sandbox;
    if (forward !== undefined) await run(sandbox, forward.bind(sandbox), context);
  });
}

function connectTo({ port }: ForwardedPort): string {
  return `use IO::Socket::INET; my $s = IO::Socket::INET->new("127.0.0.1:${port}") or die $!;`;
}

function perl(lines: readonly string[]): string {
  return `perl -e '${lines.join(" ")}'`;
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
