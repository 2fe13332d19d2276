import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../src/contract/clock.ts";
import type { SettingValue } from "../../src/contract/contestant.ts";
import type { Limits } from "../../src/contract/limits.ts";
import { type Trajectory, trajectorySchema } from "../../src/contract/trajectory.ts";
import { trajectoryProblems } from "../../src/contract/trajectory-problems.ts";
import type { TrialEventBody } from "../../src/contract/trial-event.ts";
import type { WireName } from "../../src/contract/wire.ts";
import { endpointsAt } from "../../src/gateway/endpoints.ts";
import { createAleAgent } from "../../src/harness/ale-agent/create-ale-agent.ts";
import type { HarnessOutcome, McpEndpoint } from "../../src/harness/harness.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { MemoryFault } from "../../src/testing/memory-sandbox/memory-faults.ts";
import type { MemoryProgram } from "../../src/testing/memory-sandbox/memory-program.ts";
import { MemorySandboxProvider } from "../../src/testing/memory-sandbox/memory-sandbox-provider.ts";
import type { Script } from "../../src/testing/scripted-model/script.ts";
import type { ScriptedCall } from "../../src/testing/scripted-model/scripted-call.ts";
import { createScriptedModel } from "../../src/testing/scripted-model/scripted-model.ts";
import { testMachine } from "../../src/testing/test-machine.ts";

export interface AgentScene {
  readonly script: Script;
  readonly wire?: WireName;
  readonly settings?: Readonly<Record<string, SettingValue>>;
  readonly limits?: Limits;
  /** Of the memory sandbox. */
  readonly programs?: Readonly<Record<string, MemoryProgram>>;
  readonly faults?: readonly MemoryFault[];
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** In place of a memory sandbox. */
  readonly sandbox?: Sandbox;
  readonly mcp?: readonly McpEndpoint[];
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export interface AgentRun {
  readonly outcome: HarnessOutcome;
  readonly calls: readonly ScriptedCall[];
  readonly trajectory: Trajectory;
  readonly events: readonly TrialEventBody[];
  /** A file of the sandbox, as text. */
  read(path: string): Promise<string>;
}

/** Real time, but waits are over at once. */
export const hastyClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (_ms, signal) => signal?.throwIfAborted(),
};

/** Sits one trial with a scripted model on one wire; its trajectory is checked against the format. */
export async function runAgent(scene: AgentScene): Promise<AgentRun> {
  const { wire = "anthropic-messages", clock = hastyClock } = scene;
  await using cleanup = new AsyncDisposableStack();
  const record = await mkdtemp(join(tmpdir(), "ale-agent-"));
  cleanup.defer(() => rm(record, { recursive: true, force: true }));
  const server = cleanup.use(await createScriptedModel({ script: scene.script, clock }));
  const sandbox = scene.sandbox ?? (await memorySandbox(scene));
  for (const [path, content] of Object.entries(scene.files ?? {})) await sandbox.writeFile(path, content);
  const events: TrialEventBody[] = [];
  const outcome = await createAleAgent("1.2.3").launch({
    trial: {
      contestant: { name: "agent", harness: "ale-agent", model: "scripted", settings: scene.settings ?? {} },
      instance: "legal/audit@base",
      instruction: "Write the word done into output/answer.txt.",
      limits: scene.limits ?? {},
      outputs: [{ path: "answer.txt", kind: "text", required: true }],
    },
    sandbox,
    signal: scene.signal ?? new AbortController().signal,
    model: {
      token: "trial-token",
      wires: [wire],
      endpoints: endpointsAt("http://inside"),
      hostEndpoints: endpointsAt(server.origin),
      mcp: scene.mcp ?? [],
    },
    record,
    logs: record,
    clock,
    redact: (value) => value,
    emit: (event) => events.push(event),
  });
  const trajectory = await readTrajectory(join(record, "trajectory.json"));
  return {
    outcome,
    calls: server.calls,
    trajectory,
    events,
    read: async (path) => Buffer.from(await sandbox.readFile(path)).toString("utf8"),
  };
}

/** Without steps where there is none, for a launch that came to nothing. */
async function readTrajectory(path: string): Promise<Trajectory> {
  if (!existsSync(path)) {
    return {
      schema_version: "ATIF-v1.7",
      session_id: "none",
      agent: { name: "none", version: "0" },
      steps: [],
    };
  }
  const value: unknown = JSON.parse(await readFile(path, "utf8"));
  const problems = trajectoryProblems(value);
  if (problems.length > 0) throw new TypeError(`the trajectory is not valid: ${problems.join("; ")}`);
  return trajectorySchema.parse(value);
}

async function memorySandbox({ programs = {}, faults = [] }: AgentScene): Promise<Sandbox> {
  const provider = new MemorySandboxProvider({ clock: hastyClock, programs, faults });
  return provider.create(testMachine({ role: "agent" }));
}
