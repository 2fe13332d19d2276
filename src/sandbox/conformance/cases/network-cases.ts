import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expectEqual, expectFailure, outputOf } from "../expectations.ts";

export const networkCases: readonly ConformanceCase[] = [
  onMachine("without network there is a loopback and nothing else", async (sandbox) => {
    const devices = await outputOf(sandbox, "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '");
    expectEqual(
      devices.split("\n").filter((name) => !/^(sit|tunl|gre|ip6|ip_)/.test(name)),
      ["lo"],
      "devices",
    );
  }),
  onMachine("the machine's own loopback works", async (sandbox) => {
    const script = [
      "use IO::Socket::INET;",
      "$server = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1:0') or die;",
      "$client = IO::Socket::INET->new('127.0.0.1:' . $server->sockport) or die;",
      "print 'connected'",
    ].join(" ");
    expectEqual(
      await outputOf(sandbox, `perl -e "${script.replaceAll("$", "\\$")}"`),
      "connected",
      "loopback",
    );
  }),
  onMachine("the host's loopback cannot be reached", async (sandbox) => {
    await using server = await listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.address() as AddressInfo;
    await expectFailure(sandbox, connectTo(`127.0.0.1:${port}`));
  }),
  onMachine("the host's abstract sockets cannot be reached", async (sandbox, { clock }) => {
    const name = `ale-conformance-${process.pid}-${Math.round(clock.monotonic())}`;
    await using _server = await listen({ path: `\0${name}` });
    const script = `use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un(qq(\\0${name}))) or die`;
    await expectFailure(sandbox, `perl -e '${script}'`);
    expectEqual(
      await outputOf(sandbox, "grep -c ale-conformance /proc/net/unix || true"),
      "0",
      "sockets seen",
    );
  }),
  onMachine("no address outside can be reached", async (sandbox) => {
    for (const address of ["192.0.2.1:80", "8.8.8.8:53", "169.254.169.254:80"]) {
      await expectFailure(sandbox, connectTo(address));
    }
  }),
  onMachine("a trusted command may use the host's network", async (sandbox) => {
    await using server = await listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.address() as AddressInfo;
    await outputOf(sandbox, connectTo(`127.0.0.1:${port}`), { network: "host", user: "root" });
    await expectFailure(sandbox, connectTo(`127.0.0.1:${port}`), { user: "root" });
  }),
  onMachine("with an open network the host's network is there", async (_, context) => {
    await using server = await listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.address() as AddressInfo;
    const open = await context.machine({ network: "open" });
    await outputOf(open, connectTo(`127.0.0.1:${port}`));
  }),
];

function connectTo(address: string): string {
  return `perl -MIO::Socket::INET -e 'IO::Socket::INET->new(PeerAddr => "${address}", Timeout => 5) or die "$@"'`;
}

async function listen(
  where: { host: string; port: number } | { path: string },
): Promise<Server & AsyncDisposable> {
  const server = createServer((socket) => socket.destroy());
  server.listen(where);
  await once(server, "listening");
  return server;
}
