import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createSystemClock } from "../src/cli/system-clock.ts";
import { sandboxLayout } from "../src/contract/sandbox-layout.ts";
import { createScreenServer } from "../src/desktop/mcp/create-screen-server.ts";
import { serveMcpOverHttp } from "../src/desktop/mcp/serve-mcp-over-http.ts";
import { createScreenBridge } from "../src/desktop/screen-actions/create-screen-bridge.ts";
import { startDesktop } from "../src/desktop/start-desktop.ts";
import { openDisplay } from "../src/desktop/x11/inside/display.ts";
import { readWholeScreen } from "../src/desktop/x11/inside/frames.ts";
import { encodeFrame } from "../src/sandbox/frame/encode-frame.ts";
import { createLocalProvider } from "../src/sandbox/local/local-provider.ts";
import type { Bench } from "./main.ts";

const size = { width: 1280, height: 800 };
/** Of its own, so that its process can be found. */
const displayNumber = 4000 + (process.pid % 1000);
/** A screenful of other text, twenty times a second. */
const busyScript = "while :; do clear; ls -la /usr/bin | shuf -n 58 | cut -c1-205; sleep 0.05; done";
const busyTerminal = ["xterm", "-geometry", "206x59+0+0", "-e", "sh", "-c", busyScript];

/**
 * Screenshots over MCP from a desktop inside a sandbox against capture and encoding alone, by this process from the same
 * display; the first option is how many of each (120), in rounds that take turns. Needs root, as the sandbox's socket is
 * not for others.
 */
export const bench: Bench = async ([count = "120"]) => {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "ale-bench-screen-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const clock = createSystemClock();
  const provider = createLocalProvider({
    stateDir: folder,
    clock,
    ids: () => `bench-screen-${process.pid}`,
    ownerPid: process.pid,
  });
  const sandbox = cleanup.use(
    await provider.create({
      labels: { run: "bench", trial: "screen", attempt: 1, role: "test" },
      leaseSeconds: 3600,
      cpus: 2,
      memoryMb: 2048,
      diskMb: 256,
      maxProcesses: 256,
      network: "off",
      mounts: [{ source: process.execPath, target: sandboxLayout.node }],
      env: {},
    }),
  );
  const began = performance.now();
  const desktop = cleanup.use(await startDesktop(sandbox, { ...size, display: displayNumber }));
  const startMs = performance.now() - began;
  const { screen } = desktop;
  const bridge = cleanup.use(createScreenBridge(screen, { clock, onAction: () => undefined }));
  const handle = serveMcpOverHttp(() => createScreenServer(bridge, { version: "1.0.0" }));
  const server = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanup.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = new Client({ name: "bench", version: "1.0.0" });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await client.connect(new StreamableHTTPClientTransport(url) as Transport);
  cleanup.defer(() => client.close());
  const call = (name: string, input: Record<string, unknown> = {}): Promise<unknown> =>
    client.callTool({ name, arguments: input });

  for (let index = 0; index < 10; index++) await call("screenshot");
  const still = await timed(Number(count), () => call("screenshot"));
  let side = 0;
  const click = await timed(Number(count), async () => {
    await screen.move({ x: 900 + (side++ % 50), y: 700 });
    await screen.button("middle", "down");
    await screen.button("middle", "up");
  });
  const clickOverMcp = await timed(Number(count), () => call("click", { x: 900, y: 700, button: "middle" }));

  const display = await openDisplay(await socketOf(displayNumber));
  cleanup.defer(() => display.x.close());
  const busy = await sandbox.spawn(busyTerminal, { env: desktop.env });
  cleanup.defer(() => busy.stop(0));
  await screen.quiet({ quietMs: 2000, limitMs: 3000 });
  const through: number[] = [];
  const alone: number[] = [];
  for (let round = 0; round < 6; round++) {
    through.push(...(await timed(Number(count) / 6, () => call("screenshot"))));
    alone.push(
      ...(await timed(Number(count) / 6, async () =>
        encodeFrame({ ...size, pixels: await readWholeScreen(display) }, {}),
      )),
    );
  }
  await busy.stop(0);
  const text = "Quick Zürich; быстрый Киев; 快速的东京。".repeat(40).slice(0, 1000);
  const typing = await timed(1, () => screen.type(text));
  const ratio = quantile(through, 0.5) / quantile(alone, 0.5);
  return [
    `desktop started in ${startMs.toFixed(0)} ms`,
    told("screenshot over MCP, busy", through),
    told("capture and encoding alone, busy", alone),
    `ratio at the median: ${ratio.toFixed(2)} (aim 1.3)`,
    told("screenshot over MCP, unchanged", still),
    told("click acknowledged by the screen", click),
    told("click over MCP", clickOverMcp),
    `1,000 characters in three scripts typed in ${typing[0]?.toFixed(0)} ms`,
  ];
};

/** The socket of the sandbox's display as this host sees it: in the file system of the process that has it open. */
async function socketOf(number: number): Promise<string> {
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.startsWith(`Xvfb\0:${number}\0`)) return `/proc/${pid}/root/tmp/.X11-unix/X${number}`;
  }
  throw new RangeError(`no display :${number} runs`);
}

async function timed(count: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  return times;
}

function told(name: string, times: readonly number[]): string {
  return `${name}: p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`;
}

function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((first, second) => first - second);
  return sorted[Math.floor(at * (sorted.length - 1))] ?? Number.NaN;
}
