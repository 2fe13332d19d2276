import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Contestant, Effort } from "../../src/contract/contestant.ts";
import type { Limits } from "../../src/contract/limits.ts";
import { createRandom } from "../../src/contract/random.ts";
import { sandboxLayout } from "../../src/contract/sandbox-layout.ts";
import { type Trajectory, trajectorySchema } from "../../src/contract/trajectory.ts";
import { trajectoryProblems } from "../../src/contract/trajectory-problems.ts";
import type { WireName } from "../../src/contract/wire.ts";
import { settleOutcome } from "../../src/exam/line/settle-outcome.ts";
import { createGateway } from "../../src/gateway/create-gateway.ts";
import { endpointsAt } from "../../src/gateway/endpoints.ts";
import type { McpHandler, TrialMeter } from "../../src/gateway/gateway.ts";
import { canaryKey, modelsAt } from "../../src/gateway/test-support/gateway-bench.ts";
import { sandboxWayIn } from "../../src/gateway/way-in/sandbox-way-in.ts";
import type { HarnessOutcome } from "../../src/harness/harness.ts";
import { createHarnessStore } from "../../src/harness/install/create-harness-store.ts";
import type { HarnessStore } from "../../src/harness/install/harness-store.ts";
import type { CliProgram } from "../../src/harness/program/cli-program.ts";
import { createCliHarness } from "../../src/harness/program/create-cli-harness.ts";
import { providerIn } from "../../src/sandbox/local/test-support/conformance-target.ts";
import { hostClock } from "../../src/sandbox/local/test-support/host-clock.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { Script } from "../../src/testing/scripted-model/script.ts";
import type { ScriptedCall } from "../../src/testing/scripted-model/scripted-call.ts";
import { createScriptedModel } from "../../src/testing/scripted-model/scripted-model.ts";
import { repositoryRoot } from "../source-imports.ts";

export interface CliRigOptions {
  readonly program: CliProgram;
  /** What the model does; {@link withFaults} puts failures in. */
  readonly script: Script;
  readonly effort?: Effort;
  readonly settings?: Contestant["settings"];
  /** As the gateway knows it; default `scripted`. Any other name is known to it too. */
  readonly model?: string;
  /** What the model's upstream speaks; default everything. */
  readonly wires?: readonly WireName[];
  /** How long that upstream may say nothing, as in `models.yaml`. */
  readonly silence?: { readonly first_byte_seconds: number };
  readonly instruction?: string;
  readonly limits?: Limits;
  /** Servers of ours, by name. */
  readonly mcp?: Readonly<Record<string, McpHandler>>;
  /** Stands for the deadline and the limits that the exam watches. */
  readonly signal?: AbortSignal;
}

/** All that is to be seen of one launch. */
export interface CliRun {
  /** As the harness tells it. */
  readonly told: HarnessOutcome;
  /** The same in the light of what the gateway saw, as the exam settles it. */
  readonly outcome: HarnessOutcome;
  readonly meter: TrialMeter;
  readonly trajectory: Trajectory;
  /** Names of the files in `screenshots/`. */
  readonly screenshots: readonly string[];
  /** What the model was sent, in order. */
  readonly calls: readonly ScriptedCall[];
  readonly stdout: string;
  readonly stderr: string;
  /** Text files the agent left in its output folder, by name. */
  readonly output: Readonly<Record<string, string>>;
  /** Names of processes that were still there after the harness had ended. */
  readonly left: readonly string[];
  /** Files inside the sandbox and of the record in which the real key was found. */
  readonly leaks: readonly string[];
}

const cacheDir =
  process.env["ALE_CACHE_DIR"] ?? join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "ale");

/** The store of the user, so that a program is downloaded once, not for each test. */
export const userStore: HarnessStore = createHarnessStore({
  pinsDir: join(repositoryRoot, "data", "harnesses"),
  storeDir: join(cacheDir, "harnesses"),
  npm: { argv: ["npm"], env: process.env as Record<string, string> },
  clock: hostClock,
  ownerPid: process.pid,
});

/**
 * Launches a real command line harness as a trial does: its pinned program from the store, in a sandbox of the `local`
 * provider without a network, its model the scripted one behind the gateway. Needs root, for the sandbox.
 */
export async function cliRig(options: CliRigOptions): Promise<CliRun> {
  const { program, effort, model: modelName = "scripted", limits = {} } = options;
  await userStore.install(program.name);
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "ale-cli-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const [record, logs] = [join(folder, "record"), join(folder, "logs")];
  for (const dir of [record, logs]) await mkdir(dir);

  const model = cleanup.use(await createScriptedModel({ script: options.script, clock: hostClock }));
  const retry = { attempts: 3, base_seconds: 0.02, max_seconds: 0.05 };
  const upstreamName = program.wires[0]?.startsWith("openai") === true ? "openai" : "plain";
  const priced = { upstream: upstreamName, prices: [{ input: 1, cached: 0.1, cache_write: 2, output: 10 }] };
  const { wires, silence } = options;
  const upstream = {
    retry,
    ...(wires === undefined ? {} : { wires }),
    ...(silence === undefined ? {} : { silence }),
  };
  const gateway = cleanup.use(
    await createGateway({
      models: modelsAt(model.origin, upstream, { [modelName]: priced }),
      keys: { UPSTREAM_KEY: canaryKey },
      clock: hostClock,
      random: createRandom(7),
      token: () => "ale-trial-0123456789abcdef",
      // A scripted model that hangs does so for ever.
      drainMs: 200,
    }),
  );
  const gatewaySocket = join(folder, "gateway.sock");
  cleanup.use(await gateway.listenOn(gatewaySocket));
  const contestant: Contestant = {
    name: program.name,
    harness: program.name,
    model: modelName,
    settings: options.settings ?? {},
    ...(effort === undefined ? {} : { effort }),
  };
  const signal = options.signal ?? new AbortController().signal;
  const exceeded = new AbortController();
  const grant = gateway.openTrial({
    trial: "trial-1",
    contestant,
    limits,
    onWait: () => ({ [Symbol.dispose]: () => undefined }),
    onExceeded: (limit) => exceeded.abort(new DOMException(`reached its limit on ${limit}`, "AbortError")),
    record,
    mcp: options.mcp ?? {},
  });

  const harness = createCliHarness({ program, store: userStore, nodeBinary: process.execPath });
  const trial = {
    contestant,
    instance: "test/cli@one",
    instruction: options.instruction ?? "Write the word done into output/answer.txt.",
    limits,
    outputs: [{ path: "answer.txt", kind: "text", required: true }],
  };
  const needs = await harness.needs(trial);
  const way = sandboxWayIn({ gatewaySocket, node: sandboxLayout.node });
  const sandbox = cleanup.use(
    await providerIn(join(folder, "state")).create({
      labels: { run: "run", trial: "trial", attempt: 1, role: "test" },
      leaseSeconds: 600,
      cpus: 2,
      memoryMb: 3072,
      diskMb: 1024,
      maxProcesses: 512,
      network: "off",
      mounts: [...way.mounts, ...needs.mounts],
      env: needs.env,
    }),
  );
  const forwarder = await sandbox.spawn(way.argv, { user: "root" });
  const [line] = (await once(forwarder.stdout, "data")) as [Buffer];
  const inside = way.origins(line.toString("utf8"))?.gateway ?? "";

  const told = await harness.launch({
    trial,
    sandbox,
    signal: AbortSignal.any([signal, exceeded.signal]),
    model: {
      token: grant.token,
      wires: gateway.wiresOf(contestant),
      endpoints: endpointsAt(inside),
      hostEndpoints: grant.endpoints,
      mcp: Object.keys(options.mcp ?? {}).map((name) => ({
        name,
        url: `${inside}/mcp/${name}`,
        hostUrl: `${gateway.origin}/mcp/${name}`,
      })),
    },
    record,
    logs,
    clock: hostClock,
    redact: (value) => value,
    emit: () => undefined,
  });
  await forwarder.stop();
  const meter = await grant.close();
  const left = (await sandbox.quiesce()).ended;
  const trajectory = trajectorySchema.parse(
    JSON.parse(await readFile(join(record, "trajectory.json"), "utf8")),
  );
  const problems = trajectoryProblems(trajectory);
  if (problems.length > 0) throw new TypeError(`the trajectory is not valid: ${JSON.stringify(problems)}`);
  return {
    told,
    outcome: settleOutcome(told, meter),
    meter,
    trajectory,
    screenshots: await readdir(join(record, "screenshots")).catch(() => []),
    calls: [...model.calls],
    stdout: await readFile(join(logs, "agent.stdout.log"), "utf8"),
    stderr: await readFile(join(logs, "agent.stderr.log"), "utf8"),
    output: await outputOf(sandbox),
    left,
    leaks: [...(await leaksInside(sandbox)), ...(await leaksBelow(folder))],
  };
}

async function outputOf(sandbox: Sandbox): Promise<Readonly<Record<string, string>>> {
  if ((await sandbox.stat(sandboxLayout.output)) === undefined) return {};
  const names = await sandbox.list(sandboxLayout.output);
  const texts = await Promise.all(
    names.map(async (name) => {
      const bytes = await sandbox.readFile(`${sandboxLayout.output}/${name}`);
      return [name, Buffer.from(bytes).toString("utf8")] as const;
    }),
  );
  return Object.fromEntries(texts);
}

async function leaksInside(sandbox: Sandbox): Promise<readonly string[]> {
  const argv = ["grep", "-rlsF", canaryKey, sandboxLayout.home, "/tmp", "/var/tmp", "/run"];
  const found = await sandbox.exec(argv, { user: "root" });
  return Buffer.from(found.stdout).toString("utf8").split("\n").filter(Boolean);
}

async function leaksBelow(folder: string): Promise<readonly string[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /^(record|logs)\//.test(path.slice(folder.length + 1)));
  const texts = await Promise.all(files.map(async (path) => [path, await readFile(path, "utf8")] as const));
  return texts.filter(([, text]) => text.includes(canaryKey)).map(([path]) => path);
}
