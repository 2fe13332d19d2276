import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testMachine } from "../../testing/test-machine.ts";
import { type ConformanceSkips, conformanceCases } from "../conformance/run-conformance.ts";
import type { CaseMessage } from "../local/test-support/unprivileged-suite.ts";
import type { SandboxSpec } from "../provider.ts";
import { bridgeSkips, containerSkips, podmanSkips, rootlessSkips } from "./conformance-skips.ts";
import { buildBase } from "./test-support/build-base.ts";
import { providerOn } from "./test-support/conformance-target.ts";
import { type RootlessDaemon, startRootless } from "./test-support/start-rootless.ts";

const suite = fileURLToPath(new URL("test-support/rootless-suite.ts", import.meta.url));

const spec: SandboxSpec = testMachine({ run: "rootless" });

/** Of version 1 nothing can be delegated to a user. */
const canDelegate = existsSync("/sys/fs/cgroup/cgroup.controllers");

describe.each([
  ["docker", { ...containerSkips, ...bridgeSkips, ...rootlessSkips }],
  ["podman", { ...containerSkips, ...podmanSkips, ...rootlessSkips }],
] as const)("the container provider, on rootless %s", (kind, skips: ConformanceSkips) => {
  let daemon: RootlessDaemon;
  let child: ChildProcess;
  let finished: Promise<unknown>;
  const outcomes = new Map<string, CaseMessage>();

  beforeAll(async () => {
    daemon = await startRootless(kind);
    await buildBase(daemon.socket);
    const { uid, socket, home } = daemon;
    const env = { ...process.env, HOME: home };
    child = fork(suite, [socket, home, JSON.stringify(skips)], { uid, gid: uid, cwd: "/", env });
    child.on("message", (message: CaseMessage) => outcomes.set(message.name, message));
    finished = once(child, "exit");
  });

  afterAll(async () => {
    child?.kill("SIGKILL");
    await finished;
    await daemon?.[Symbol.asyncDispose]();
  });

  test("skips name cases of the suite", () => {
    const names = new Set(conformanceCases.map((entry) => entry.name));
    expect(Object.keys(skips).filter((name) => !names.has(name))).toEqual([]);
  });

  /** Cases run one after the other in the child; a test waits for its own. */
  async function outcomeOf(name: string): Promise<CaseMessage | undefined> {
    while (!outcomes.has(name) && child.exitCode === null && child.signalCode === null) {
      await Promise.race([once(child, "message"), finished]);
    }
    return outcomes.get(name);
  }

  for (const { name } of conformanceCases) {
    test.skipIf(skips[name] !== undefined)(name, async () => {
      expect(await outcomeOf(name)).toEqual({ name, outcome: "passed" });
    });
  }

  test.skipIf(canDelegate)("limits are said not to be enforced, before and in the record", async () => {
    const provider = providerOn(daemon.socket, `${daemon.home}/limits`, "base");
    expect(await provider.preflight(spec)).toContainEqual({
      severity: "warning",
      code: "limits-not-enforced",
      message: `${kind} cannot enforce limits on memory, processor time, number of processes.`,
      remedy: expect.stringContaining("version 2"),
    });
    await using sandbox = await provider.create(spec);
    expect(await sandbox.fingerprint()).toMatchObject({
      engine: { name: kind, rootless: true },
      limits: {
        cpus: { enforced: false },
        memoryMb: { enforced: false },
        maxProcesses: { enforced: false },
        diskMb: { enforced: true },
      },
    });
  });
});
