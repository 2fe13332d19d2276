import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { identifyProcess, isAlive } from "./process-identity.ts";

describe("the identity of a process", () => {
  test("a living process is alive, and one that has ended is not", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    const identity = identifyProcess(child.pid ?? 0);
    expect(identity).toBeDefined();
    if (identity === undefined) return;
    expect(isAlive(identity)).toBe(true);
    child.stdin.end();
    await once(child, "exit");
    expect(isAlive(identity)).toBe(false);
  });

  test("a later process with the same number is another one", () => {
    expect(isAlive({ pid: process.pid, startTime: "1" })).toBe(false);
  });

  test("without a start time only the number is compared", () => {
    const { pid: gone } = spawnSync(process.execPath, ["--version"]);
    expect(isAlive({ pid: process.pid })).toBe(true);
    expect(isAlive({ pid: gone })).toBe(false);
  });
});
