import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withBuiltInModels } from "../../src/cli/built-in-models.ts";
import { createSystemClock } from "../../src/cli/system-clock.ts";
import { known } from "../../src/contract/absence.ts";
import { createRandom } from "../../src/contract/random.ts";
import { createGatewayLines } from "../../src/exam/line/create-gateway-lines.ts";
import type { LineOpener } from "../../src/exam/line/trial-line.ts";
import { createGateway } from "../../src/gateway/create-gateway.ts";
import { createAleAgent } from "../../src/harness/ale-agent/create-ale-agent.ts";
import { createLocalProvider } from "../../src/sandbox/local/local-provider.ts";
import type { SandboxProvider } from "../../src/sandbox/provider.ts";
import { createVmProvider } from "../../src/sandbox/vm/vm-provider.ts";
import { pickShellTool } from "../../src/testing/scripted-model/pick-shell-tool.ts";
import type { Script } from "../../src/testing/scripted-model/script.ts";
import { createScriptedModel } from "../../src/testing/scripted-model/scripted-model.ts";
import { sitFixture, sitFixtureOnRecord } from "../support/provider-exam.ts";
import { windowsInWine } from "../support/vm/windows-in-wine.ts";

const clock = createSystemClock();
let dir: string;
let provider: SandboxProvider;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-windows-exam-"));
  const common = { clock, ids: randomUUID, ownerPid: process.pid };
  const trusted = createLocalProvider({ ...common, stateDir: join(dir, "local") });
  const double = await windowsInWine(dir);
  provider = createVmProvider({ ...common, ...double, stateDir: join(dir, "state"), trusted });
}, 600_000);

afterAll(async () => {
  await provider?.reap({ force: true });
  await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
});

/** Looks at the input, and writes down the sum of what it was shown. */
const sumsUp: Script = ({ tools, results }) => {
  const total = [...(results[0]?.text ?? "").matchAll(/^(\d+\.\d\d)\r?$/gm)].reduce(
    (cents, [, amount]) => cents + Math.round(Number(amount) * 100),
    0,
  );
  const lines = ["type input\\amounts.csv", `echo {"total": ${total / 100}}> output\\total.json`];
  const line = lines[results.length];
  const call = line === undefined ? undefined : pickShellTool(tools, line);
  return call === undefined
    ? { kind: "answer", text: "Done.\n\nSTATUS: done" }
    : { kind: "answer", text: "I will run a command.", toolCalls: [call] };
};

/** Lines to a scripted model by way of a gateway, open until disposed of. */
async function linesTo(script: Script): Promise<AsyncDisposable & { readonly lines: LineOpener }> {
  await using opening = new AsyncDisposableStack();
  const model = opening.use(await createScriptedModel({ script, clock }));
  const tempDir = await mkdtemp(join(tmpdir(), "ale-"));
  opening.defer(() => rm(tempDir, { recursive: true, force: true }));
  const gateway = opening.use(
    await createGateway({
      models: withBuiltInModels(
        { schema: "ale/models@1", upstreams: {}, models: {} },
        ["scripted"],
        model.origin,
      ),
      ...{ keys: {}, clock, random: createRandom(1), token: () => `ale-${randomUUID()}` },
    }),
  );
  const lines = createGatewayLines({
    gateway,
    clock,
    tempDir,
    nodeBinary: process.execPath,
    version: "0.0.0",
  });
  const held = opening.move();
  return { lines, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

const passed = { status: "completed", reason: "", score: known(1), fullPass: known(true) };

describe("a task that asks for Windows", () => {
  test("is passed by an agent with a model, by way of the machine's shell, and its own parts run there", async () => {
    await using line = await linesTo(sumsUp);
    const sat = await sitFixtureOnRecord({
      ...{ dir: join(dir, "agent"), provider, inWindows: true, lines: line.lines },
      contestant: { harness: "ale-agent", model: "scripted" },
      harnesses: [createAleAgent("0.0.0")],
    });
    expect(sat.map(({ result }) => result)).toMatchObject([passed]);
    const [attempt] = sat;
    const collected = join(attempt?.dir ?? "", "artifacts", "evidence", "collected.txt");
    expect(await readFile(collected, "utf8")).toBe("set up");
    expect(attempt?.result.fingerprint).toMatchObject({ provider: "vm", image: "windows", os: "windows" });
    expect(await provider.list()).toEqual([]);
  }, 600_000);

  test("is passed by its own solution, twice from one snapshot", async () => {
    const options = { dir: join(dir, "oracle"), provider, inWindows: true, exam: { repeats: 2 } };
    const results = await sitFixture({ ...options, contestant: { harness: "oracle" } });
    expect(results).toMatchObject([passed, passed]);
  }, 600_000);

  test("is not passed by who does nothing", async () => {
    const options = { dir: join(dir, "nop"), provider, inWindows: true, contestant: { harness: "nop" } };
    expect(await sitFixture(options)).toMatchObject([{ status: "completed", score: known(0) }]);
  }, 600_000);
});
