import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Docker from "dockerode";
import type { ResultRow } from "../src/record/result-row.ts";
import { connectEngine, type Engine } from "../src/sandbox/container/engine.ts";
import { findImage } from "../src/sandbox/container/find-image.ts";
import { machineConfig } from "../src/sandbox/container/machine-config.ts";
import { buildBase } from "../src/sandbox/container/test-support/build-base.ts";
import { providerOn } from "../src/sandbox/container/test-support/conformance-target.ts";
import { startDaemon } from "../src/sandbox/container/test-support/start-daemon.ts";
import type { SandboxProvider, SandboxSpec } from "../src/sandbox/provider.ts";
import type { Bench } from "./main.ts";

/** Exams of each sort, in turn: the first trial of each finds nothing made ahead. */
const exams = 3;
const root = join(import.meta.dirname, "..");
const spec: SandboxSpec = {
  labels: { run: "bench", trial: "bench", attempt: 1, role: "test" },
  leaseSeconds: 600,
  cpus: 1,
  memoryMb: 512,
  diskMb: 64,
  maxProcesses: 256,
  network: "off",
  mounts: [],
  env: {},
};

/**
 * A machine of ours beside a floor by the raw Engine API, which creates, starts, executes three times and removes; the same
 * machine made ahead; and whole `nop` trials, which have a second machine for grading, with no machines made ahead and as
 * usual. Arguments: how many of each (default 15), and the socket of a daemon that has `ale/base`; without one a daemon is
 * started and the image built.
 */
export const bench: Bench = async ([count = "15", given]) => {
  const rounds = Number(count);
  await using cleanup = new AsyncDisposableStack();
  const work = await mkdtemp(join(tmpdir(), "ale-bench-container-"));
  cleanup.defer(() => rm(work, { recursive: true, force: true }));
  let socket = given;
  if (socket === undefined) {
    socket = cleanup.use(await startDaemon()).socket;
    await buildBase(socket);
  }
  const engine = await connectEngine([socket]);
  const plain = cleanup.use(providerOn(socket, join(work, "state"), "base"));
  const pooled = cleanup.use(providerOn(socket, join(work, "pool"), "base", 1));

  const floor: number[] = [];
  const ours: number[] = [];
  // Alternating, so that what else the host does falls on both alike.
  for (let round = 0; round < rounds; round++) {
    floor.push(await timed(() => byHand(engine)));
    ours.push(await timed(() => byProvider(plain)));
  }
  const starts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await pooled.warm(spec);
    starts.push(await startTime(pooled));
  }
  const cold: NopTrials = { wallMs: [], seconds: [] };
  const usual: NopTrials = { wallMs: [], seconds: [] };
  for (let turn = 0; turn < exams; turn++) {
    const count = Math.ceil(rounds / exams);
    await nopTrials(join(work, `cold-${turn}`), socket, count, { ALE_CONTAINERS_READY: "0" }, cold);
    await nopTrials(join(work, `usual-${turn}`), socket, count, {}, usual);
  }
  const ratio = (median(ours) / median(floor)).toFixed(2);
  const inFloors = ({ wallMs }: NopTrials): string => (median(wallMs) / median(floor)).toFixed(2);
  return [
    `${rounds} rounds, one after the other; ${engine.facts.name} ${engine.facts.version}, ${engine.facts.storageDriver}`,
    show("floor: create, start, three execs, remove by the raw API", floor),
    `${show("ours: the same through the provider", ours)}; ratio of medians ${ratio}`,
    show("made ahead: from asking to the end of a first command", starts),
    `${show("whole nop trials, each with a machine for grading too, nothing made ahead", cold.wallMs)}; ${inFloors(cold)} floors`,
    `${show("the same with machines made ahead, as usual", usual.wallMs)}; ${inFloors(usual)} floors`,
    `their commands, ${exams} each: ${[cold, usual].map(({ seconds }) => `median ${median(seconds).toFixed(1)} s`).join(" and ")}`,
  ];
};

async function byHand({ docker, facts }: Engine): Promise<void> {
  const image = await findImage({ docker, facts, socket: "" }, "base");
  const { name: _name, ...config } = machineConfig(spec, image?.id ?? "", facts, {}, "");
  const container = await docker.createContainer({ ...config, Entrypoint: ["/bin/sleep", "infinity"] });
  await container.start();
  for (let turn = 0; turn < 3; turn++) await execByHand(container);
  await container.remove({ force: true, v: true });
}

async function execByHand(container: Docker.Container): Promise<void> {
  const exec = await container.exec({ Cmd: ["/bin/true"], AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({});
  stream.resume();
  await new Promise((resolve) => stream.on("end", resolve));
  await exec.inspect();
}

async function byProvider(provider: SandboxProvider): Promise<void> {
  await using sandbox = await provider.create(spec);
  for (let turn = 0; turn < 3; turn++) await sandbox.exec(["/bin/true"]);
}

async function startTime(provider: SandboxProvider): Promise<number> {
  const began = performance.now();
  await using sandbox = await provider.create(spec);
  await sandbox.exec(["/bin/true"]);
  return performance.now() - began;
}

interface NopTrials {
  /** Of each trial, as its record has it. */
  readonly wallMs: number[];
  /** Of each whole command. */
  readonly seconds: number[];
}

/** One in flight; adds what it measures to `into`. */
async function nopTrials(
  work: string,
  socket: string,
  count: number,
  more: Readonly<Record<string, string>>,
  into: NopTrials,
): Promise<void> {
  const environment = {
    ...more,
    ALE_STATE_DIR: join(work, "run-state"),
    ALE_CACHE_DIR: join(work, "cache"),
    DOCKER_HOST: `unix://${socket}`,
  };
  const what = ["--agent", "nop", "--task", "computing_math/sum_column@small", "--repeats", String(count)];
  const where = ["--tasks-root", join(root, "test", "tasks"), "--runs-dir", join(work, "runs")];
  const how = ["--provider", "container", "--concurrency", "1", "--json"];
  const began = performance.now();
  const { dir } = JSON.parse(await ale(["run", ...what, ...where, ...how], environment)) as {
    readonly dir: string;
  };
  into.seconds.push((performance.now() - began) / 1000);
  const rows = JSON.parse(await ale(["results", "ls", dir, "--json"], environment)) as readonly ResultRow[];
  into.wallMs.push(...rows.map((row) => row.wallMs));
}

async function ale(argv: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [join(root, "src/cli/main.ts"), ...argv], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const status = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (status !== 0) throw new RangeError(`ale ended with ${status}: ${stderr.slice(-2000)}`);
  return stdout;
}

async function timed(action: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await action();
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function show(name: string, values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const [min, middle, max] = [sorted[0] ?? 0, median(values), sorted.at(-1) ?? 0].map((ms) => ms.toFixed(0));
  return `${name}: median ${middle} ms (${min} to ${max})`;
}
