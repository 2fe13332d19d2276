import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NetworkPolicy } from "../../contract/network-policy.ts";
import { testMachine } from "../../testing/test-machine.ts";
import type { ConformanceTarget } from "../conformance/conformance-case.ts";
import { sandboxConformance } from "../conformance/sandbox-conformance.ts";
import type { SandboxSpec } from "../provider.ts";
import type { Sandbox } from "../sandbox.ts";
import { bridgeSkips, containerSkips } from "./conformance-skips.ts";
import { connectEngine } from "./engine.ts";
import { buildBase } from "./test-support/build-base.ts";
import { containerTarget } from "./test-support/conformance-target.ts";
import { type BridgedDaemon, startBridgedDaemon } from "./test-support/start-bridged-daemon.ts";

let folder = "";
let daemon: BridgedDaemon;
let target: ConformanceTarget;
let greeter: ChildProcess;
let port = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-bridge-suite-"));
  daemon = await startBridgedDaemon();
  await buildBase(daemon.socket);
  target = await containerTarget(daemon.socket, folder, "base");
  const script = fileURLToPath(new URL("test-support/greeter.ts", import.meta.url));
  const [program = "", ...args] = [...daemon.within, process.execPath, script];
  greeter = spawn(program, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  [port] = (await once(greeter, "message")) as [number];
});

afterAll(async () => {
  greeter?.kill();
  await target?.provider.reap({ force: true });
  await daemon?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

sandboxConformance("the container provider, on Docker with a bridge", () => target, {
  skips: { ...containerSkips, ...bridgeSkips },
});

const specWith = (network: NetworkPolicy): SandboxSpec => testMachine({ run: "bridge", network });

/** What whoever listens at the bridge's own address says, or why nobody was reached. */
async function greeting(
  sandbox: Sandbox,
  options: { readonly lent?: boolean; readonly to?: string } = {},
): Promise<string> {
  const { lent = false, to = daemon.gateway } = options;
  const script =
    'my $s = IO::Socket::INET->new(PeerAddr => shift, Timeout => 5) or do { print "$!\n"; exit }; print <$s>';
  const argv = ["perl", "-MIO::Socket::INET", "-e", script, `${to}:${port}`];
  const { stdout } = await sandbox.exec(argv, lent ? { user: "root", network: "host" } : {});
  return Buffer.from(stdout).toString().trim();
}

async function interfaces(sandbox: Sandbox): Promise<readonly string[]> {
  return (await sandbox.list("/sys/class/net")).toSorted();
}

const alone = "Network is unreachable";

test("the network is lent to a trusted command for as long as it runs, and to nobody before or after", async () => {
  await using sandbox = await target.provider.create(specWith("off"));
  expect([await interfaces(sandbox), await greeting(sandbox)]).toEqual([["lo"], alone]);
  const lent = await Promise.all([1, 2, 3].map(() => greeting(sandbox, { lent: true })));
  expect(lent).toEqual(["hello", "hello", "hello"]);
  expect([await interfaces(sandbox), await greeting(sandbox)]).toEqual([["lo"], alone]);
  expect(await greeting(sandbox, { lent: true })).toBe("hello");
  const spawned = await sandbox.spawn(["sleep", "3702"], { user: "root", network: "host" });
  expect(await interfaces(sandbox)).toEqual([expect.stringMatching(/^eth\d+$/), "lo"]);
  expect(Buffer.from(await sandbox.readFile("/etc/resolv.conf")).toString()).toMatch(/^nameserver /m);
  await spawned.stop();
  await expect.poll(() => interfaces(sandbox), { timeout: 30_000 }).toEqual(["lo"]);
});

test("an open network is the bridge: its gateway is reached, the host's loopback is not", async () => {
  await using sandbox = await target.provider.create(specWith("open"));
  expect(await sandbox.fingerprint()).toMatchObject({ networkMode: "bridge" });
  expect(await greeting(sandbox)).toBe("hello");
  expect(await greeting(sandbox, { to: "127.0.0.1" })).toBe("Connection refused");
});

test("machines with an allow-list are on no bridge, and no network is made for them", async () => {
  const { docker } = await connectEngine([daemon.socket]);
  const before = (await docker.listNetworks()).length;
  await using first = await target.provider.create(specWith({ allow: ["example.org:443"] }));
  await using second = await target.provider.create(specWith({ allow: ["example.org:443"] }));
  for (const sandbox of [first, second]) {
    expect([await interfaces(sandbox), await greeting(sandbox)]).toEqual([["lo"], alone]);
  }
  expect((await docker.listNetworks()).length).toBe(before);
});

test("preflight has nothing to say of the network", async () => {
  expect(await target.provider.preflight(specWith("open"))).toEqual([]);
});
