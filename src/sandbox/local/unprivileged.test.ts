import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conformanceCases } from "../conformance/run-conformance.ts";
import { unprivilegedSkips as skips } from "./test-support/unprivileged-skips.ts";
import type { CaseMessage } from "./test-support/unprivileged-suite.ts";

/** A user number nobody has. */
const user = 1_899_999_999;
const suite = fileURLToPath(new URL("test-support/unprivileged-suite.ts", import.meta.url));

/** Only root can start the suite as somebody else, and only where that user may read this checkout. */
function canBecomeUser(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    const asUser = { uid: user, gid: user, cwd: "/" };
    execFileSync(process.execPath, ["-e", `require("node:fs").accessSync(${JSON.stringify(suite)})`], asUser);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!canBecomeUser())("the local provider, as a user without privilege", () => {
  let folder = "";
  let child: ChildProcess;
  const outcomes = new Map<string, CaseMessage>();
  let finished: Promise<unknown>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "ale-unprivileged-"));
    chownSync(folder, user, user);
    child = fork(suite, [folder, JSON.stringify(skips)], { uid: user, gid: user, cwd: "/" });
    child.on("message", (message: CaseMessage) => outcomes.set(message.name, message));
    finished = once(child, "exit");
  });

  afterAll(async () => {
    child.kill("SIGKILL");
    await finished;
    rmSync(folder, { recursive: true, force: true });
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
});
