import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { haveLinuxImage, vmCache } from "../../../test/support/vm/vm-image.ts";
import { testMachine } from "../../testing/test-machine.ts";
import type { ConformanceTarget } from "../conformance/conformance-case.ts";
import { conformanceCases } from "../conformance/run-conformance.ts";
import { sandboxConformance } from "../conformance/sandbox-conformance.ts";
import { hostClock } from "../local/test-support/host-clock.ts";
import type { SandboxProvider, SandboxSpec } from "../provider.ts";
import type { Sandbox } from "../sandbox.ts";
import { vmSkips } from "./conformance-skips.ts";
import { createVmProvider } from "./vm-provider.ts";

let folder = "";
let provider: SandboxProvider;
let target: ConformanceTarget;
let made = 0;

/** What is the virtual machine's own doing. The rest is done by the program that also serves machines over SSH, where all is run. */
const tried: ReadonlySet<string> = new Set([
  "commands run as the unprivileged user agent, number 1000",
  "the machine's clock is the host's, in UTC",
  "a program that takes too much memory is killed, the machine is not",
  "whom the kernel killed for want of memory is told from whom others killed",
  "a full disk is an error to who writes, and to nobody else",
  "home, /tmp and /var/tmp share one disk",
  "without network there is a loopback and nothing else",
  "host folders are shown where the machine was to have them, read-only",
  "after quiescing trusted commands run and files are read",
  "disposing twice is disposing once, and the machine is gone",
  "a machine whose lease has run out is reaped",
  "a machine that cannot be made is an error with its cause, and leaves nothing behind",
]);
const untried = Object.fromEntries(
  conformanceCases
    .filter(({ name }) => !tried.has(name))
    .map(({ name }) => [
      name,
      vmSkips[name] ?? "it is the same code as over SSH, and minutes more when emulated",
    ]),
);

const spec: SandboxSpec = testMachine({ run: "vm", role: "agent" });

beforeAll(async () => {
  await haveLinuxImage();
  folder = await mkdtemp(join(tmpdir(), "ale-vm-"));
  const scratch = join(folder, "scratch");
  await mkdir(scratch);
  provider = createVmProvider({
    stateDir: join(folder, "state"),
    cacheDir: vmCache,
    clock: hostClock,
    ids: () => `test-${process.pid}-${made++}`,
    ownerPid: process.pid,
  });
  target = { provider, clock: hostClock, scratch };
  // The first machine of a shape boots, and leaves the snapshot for all others.
  await using _first = await provider.create(spec);
}, 1_200_000);

afterAll(async () => {
  await provider.reap({ force: true });
  await rm(folder, { recursive: true, force: true });
});

sandboxConformance("virtual machines", () => target, { skips: untried });

describe("a virtual machine", () => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    await writeFile(join(folder, "note"), "from the host\n");
    await writeFile(join(folder, "large"), Buffer.alloc(20_000_000, "x"));
    const mounts = [
      { source: join(folder, "note"), target: "/ale/note" },
      { source: join(folder, "large"), target: "/ale/deep/large" },
    ];
    sandbox = await provider.create({ ...spec, mounts });
  });

  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]();
  });

  const printed = async (script: string, user: "agent" | "root" = "agent"): Promise<string> =>
    Buffer.from((await sandbox.exec(["sh", "-c", script], { user })).stdout).toString();

  test("is shown files of the host as disks, which it cannot write to", async () => {
    expect(await printed("cat /ale/note; wc -c < /ale/deep/large")).toBe("from the host\n20000000\n");
    expect(await printed("echo x 2>/dev/null > /ale/note || echo refused", "root")).toBe("refused\n");
  });

  test("reaches a unix socket of the host, with no network card in it", async () => {
    const path = join(folder, "gateway.sock");
    const server = createServer((_, response) => response.end("through"));
    server.listen(path);
    await once(server, "listening");
    try {
      await using way = await sandbox.forward?.(path);
      const url = `http://127.0.0.1:${way?.port}/`;
      const ask = `python3 -c 'import urllib.request as u; print(u.urlopen("${url}").read().decode())'`;
      expect(await printed(`${ask}; ls /sys/class/net`)).toBe("through\nlo\n");
    } finally {
      server.close();
    }
  });

  test("has a network card for as long as a trusted command uses the network, and not after", async () => {
    const during = await sandbox.exec(["sh", "-c", "ls /sys/class/net; cat /etc/resolv.conf"], {
      user: "root",
      network: "host",
    });
    expect(Buffer.from(during.stdout).toString()).toBe("eth0\nlo\nnameserver 10.0.2.3\n");
    expect(await printed("ls /sys/class/net", "root")).toBe("lo\n");
  });

  test("types any script, reads its clipboard, and puts the pointer on the very pixel", async () => {
    await using screen = await sandbox.screen?.();
    expect([screen?.width, screen?.height]).toEqual([1280, 800]);
    // The screen is bare: whoever works at it brings the window manager.
    await sandbox.spawn(["openbox"], screen?.env === undefined ? {} : { env: screen.env });
    while (!(await screen?.windows().then(Boolean, () => false)));
    await sandbox.exec(["sh", "-c", "xterm -u8 -e 'cat > typed' > /dev/null 2>&1 &"], {
      env: { DISPLAY: ":0" },
    });
    while ((await screen?.windows())?.length === 0);
    await screen?.quiet({ quietMs: 1500, limitMs: 60_000 });
    await screen?.type('A "b" ~$\n');
    await screen?.type("é ß 中\n");
    await screen?.key("ctrl", "down");
    await screen?.key("d", "down");
    await screen?.key("d", "up");
    await screen?.key("ctrl", "up");
    await screen?.quiet({ quietMs: 1500, limitMs: 60_000 });
    expect(await printed("cat typed")).toBe('A "b" ~$\né ß 中\n');
    await screen?.writeClipboard("kept é");
    expect(await screen?.readClipboard()).toBe("kept é");
    for (const [x, y] of [
      [0, 0],
      [641, 333],
      [1279, 799],
    ] as const) {
      await screen?.move({ x, y });
      const seen = await sandbox.exec(["xdotool", "getmouselocation"], { env: { DISPLAY: ":0" } });
      expect(Buffer.from(seen.stdout).toString()).toContain(`x:${x} y:${y} `);
    }
  });
});
