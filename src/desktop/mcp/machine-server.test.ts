import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { known, unknown } from "../../contract/absence.ts";
import { providerIn } from "../../sandbox/local/test-support/conformance-target.ts";
import type { SandboxProvider, SandboxSpec } from "../../sandbox/provider.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { MemorySandboxProvider } from "../../testing/memory-sandbox/memory-sandbox-provider.ts";
import { createMachine } from "../machine/create-machine.ts";
import { createBudgetServer } from "./create-budget-server.ts";
import { createMachineServer } from "./create-machine-server.ts";
import { serveMcpOverHttp } from "./serve-mcp-over-http.ts";
import { serveMcpOverStdio } from "./serve-mcp-over-stdio.ts";
import type { ToolCallEvent } from "./tool-server.ts";

const spec: SandboxSpec = {
  labels: { run: "machine-server", trial: "t", attempt: 1, role: "test" },
  leaseSeconds: 120,
  cpus: 1,
  memoryMb: 512,
  diskMb: 128,
  maxProcesses: 64,
  network: "off",
  mounts: [],
  env: {},
};

async function localProvider(): Promise<SandboxProvider> {
  const stateDir = await mkdtemp(join(tmpdir(), "ale-machine-"));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  return providerIn(stateDir);
}

interface Bench {
  readonly client: Client;
  readonly sandbox: Sandbox;
  readonly events: ToolCallEvent[];
  /** The text of a tool's answer, with `!` before it where it failed. */
  call(name: string, input: Readonly<Record<string, unknown>>): Promise<string>;
}

async function open(provider: SandboxProvider): Promise<Bench> {
  const sandbox = await provider.create(spec);
  const machine = createMachine(sandbox);
  const events: ToolCallEvent[] = [];
  const create = () =>
    createMachineServer(machine, { version: "1.0.0", onCall: (event) => events.push(event) });
  const handle = serveMcpOverHttp(create);
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = new Client({ name: "test", version: "1.0.0" });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await client.connect(new StreamableHTTPClientTransport(url) as Transport);
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await machine[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });
  return {
    client,
    sandbox,
    events,
    async call(name, input) {
      const { content, isError } = await client.callTool({ name, arguments: input });
      const parts = content as readonly { type: string; text?: string; mimeType?: string }[];
      const text = parts.map((part) => part.text ?? `<${part.mimeType}>`).join("\n");
      return isError === true ? `!${text}` : text;
    },
  };
}

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What holds of files whether a machine has programs or not. */
async function fileStory({ call, sandbox }: Bench): Promise<void> {
  expect(await call("write", { path: "notes/a.txt", content: "one\ntwo ü\nthree\n" })).toContain("17 bytes");
  expect(await call("read", { path: "~/notes/a.txt" })).toBe("one\ntwo ü\nthree\n");
  expect(await call("read", { path: "notes/a.txt", from_line: 2, lines: 1 })).toBe("two ü");
  expect(await call("read", { path: "notes/a.txt", from_line: 9 })).toBe("!the file has 4 lines");
  expect(await call("edit", { path: "notes/a.txt", old: "three", new: "3" })).toContain("replaced it once");
  expect(await call("edit", { path: "notes/a.txt", old: "four", new: "4" })).toMatch(/^!.*does not hold/);
  expect(await call("edit", { path: "notes/a.txt", old: "o", new: "0" })).toMatch(/^!.*2 times/);
  expect(await call("edit", { path: "notes/a.txt", old: "o", new: "0", all: true })).toContain("2 times");
  await call("write", { path: "notes/deep/b.csv", content: "k,v\nx,12\ny,345\n" });
  expect(await call("list", { path: "notes", depth: 2 })).toMatch(
    /^file +13 a\.txt\nfolder \d+ deep\nfile +15 deep\/b\.csv$/,
  );
  expect(await call("search", { pattern: "\\d{2,}", path: "notes" })).toBe(
    "/home/agent/notes/deep/b.csv:2: x,12\n/home/agent/notes/deep/b.csv:3: y,345",
  );
  expect(await call("search", { pattern: "tw0", path: "notes", glob: "*.csv" })).toBe("nothing matches");
  await sandbox.writeFile("/home/agent/dot.png", png);
  expect(await call("read", { path: "dot.png" })).toBe("<image/png>");
  await sandbox.writeFile("/home/agent/blob", Buffer.from([1, 0, 2]));
  expect(await call("read", { path: "blob" })).toMatch(/^!.*not text/);
  expect(await call("read", { path: "absent.txt" })).toMatch(/^!\/home\/agent\/absent\.txt/);
  expect(await call("read", {})).toMatch(/^!bad arguments/);
  expect(await call("fly", {})).toMatch(/^!there is no tool fly; there are: run, /);
}

describe("the machine server", () => {
  test("keeps files of a machine without programs, inside the agent's home", async () => {
    const bench = await open(new MemorySandboxProvider({ clock: createFixedClock() }));
    await fileStory(bench);
    expect(await bench.call("read", { path: "/etc/shadow" })).toMatch(/^!.*outside/);
    expect(await bench.call("write", { path: "../../run/ale/budget.json", content: "" })).toMatch(
      /^!.*outside/,
    );
    expect(await bench.call("run", { command: "true" })).toMatch(/^!.*not started/);
  });

  test("keeps files of a local machine, with the agent's own rights", async () => {
    const bench = await open(await localProvider());
    await fileStory(bench);
    await bench.sandbox.writeFile("/opt/secret", "hidden", { mode: 0o600, owner: "root" });
    expect(await bench.call("read", { path: "/opt/secret" })).toMatch(/^!.*Permission denied/);
    expect(await bench.call("write", { path: "/opt/mine", content: "x" })).toMatch(/^!.*Permission denied/);
  });

  test("runs commands on a local machine, with a limit on time and output", async () => {
    const { call, client, events } = await open(await localProvider());
    expect(await call("run", { command: "echo out; echo err >&2" })).toMatch(
      /^out\n\[stderr\]\nerr\n\[exit 0, .* s\]$/,
    );
    expect(await call("run", { command: "exit 3" })).toMatch(/^!\[exit 3/);
    expect(await call("run", { command: "pwd", cwd: "/tmp" })).toMatch(/^\/tmp\n/);
    expect(await call("run", { command: "sleep 60", timeout_seconds: 1 })).toMatch(/^!\[timed out after 1 s/);
    const long = await call("run", { command: "seq 1 100000" });
    expect(long.length).toBeLessThan(32_000);
    expect(long).toMatch(/^1\n2\n[\s\S]*100000\n\[exit 0/);
    const { structuredContent } = await client.callTool({ name: "run", arguments: { command: "exit 4" } });
    expect(structuredContent).toMatchObject({ exit: 4 });
    expect(events.map((event) => event.tool)).toEqual(Array(6).fill("run"));
  });

  test("keeps commands in the background from one request to the next", async () => {
    const { call } = await open(await localProvider());
    expect(await call("background", { action: "status" })).toBe("none were started");
    const start = "echo ready; read line < pipe; echo got $line";
    await call("run", { command: "mkfifo pipe" });
    expect(await call("background", { action: "start", command: start })).toBe("started as bg1");
    expect(await call("background", { action: "status", id: "bg1" })).toBe("running");
    await call("run", { command: "echo hello > pipe" });
    let output = "";
    await expect
      .poll(async () => (output += await call("background", { action: "output", id: "bg1" })))
      .toMatch(/ready[\s\S]*got hello[\s\S]*ended: exit 0/);
    await call("background", { action: "start", command: "sleep 100" });
    expect(await call("background", { action: "stop", id: "bg2" })).toMatch(/^ended: /);
    expect(await call("background", { action: "stop", id: "bg9" })).toMatch(/^!no such command; .*bg1 ended/);
  });

  test("serves over a pair of streams as well", async () => {
    const provider = new MemorySandboxProvider({ clock: createFixedClock() });
    const machine = createMachine(await provider.create(spec));
    const [input, output] = [new PassThrough(), new PassThrough()];
    const served = serveMcpOverStdio(createMachineServer(machine, { version: "1" }), input, output);
    input.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    await served;
    expect(String(output.read())).toContain('"name":"background"');
  });
});

describe("the budget server", () => {
  test("tells what is left in words and in data", async () => {
    const server = createBudgetServer({
      version: "1",
      read: () => ({
        wallSeconds: { used: known(754), limit: 3600 },
        workingSeconds: { used: known(700) },
        tokens: { used: known(12_345), limit: 10_000 },
        costUsd: { used: unknown("the model has no price"), limit: 2 },
        calls: { used: known(7) },
      }),
    });
    const [here, there] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "test", version: "1.0.0" });
    await Promise.all([server.connect(there), client.connect(here)]);
    const { content, structuredContent } = await client.callTool({ name: "budget" });
    expect((content as [{ text: string }])[0].text.split("\n")).toEqual([
      "Time: 47 min 26 s left of 1 h 0 min, 12 min 34 s used.",
      "Working time: 11 min 40 s used, no limit.",
      "Tokens: 0 left of 10,000, 12,345 used.",
      "Cost: use unknown (the model has no price), limit $2.0000.",
      "Model calls: 7 used, no limit.",
    ]);
    expect(structuredContent).toMatchObject({
      wall_seconds: { used: 754, limit: 3600, left: 2846 },
      tokens: { used: 12_345, limit: 10_000, left: 0 },
      cost_usd: { used: null, limit: 2, left: null },
    });
    await client.close();
  });
});
