import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { killGroup, processesUnder, removeGroup } from "./cgroup-end.ts";
import { hostClock } from "./test-support/host-clock.ts";

/** Hierarchies of both versions, as far as this host lets us make groups in them. */
const hierarchies = ["pids", "memory", "unified", ""].map((name) => join("/sys/fs/cgroup", name));

function canMakeGroups(folder: string): boolean {
  try {
    accessSync(join(folder, "cgroup.procs"), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

describe("ending a control group", () => {
  for (const hierarchy of hierarchies) {
    test.skipIf(!canMakeGroups(hierarchy))(`ends the processes of a group in ${hierarchy}`, async () => {
      const group = mkdtempSync(join(hierarchy, "ale-test-"));
      const script = `echo 0 > ${group}/cgroup.procs; sleep 4100 & setsid sleep 4101 & echo ready; wait`;
      const child = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
      await once(child.stdout, "data");
      expect(processesUnder(group).length).toBeGreaterThan(0);
      await killGroup(group, hostClock);
      expect(processesUnder(group)).toEqual([]);
      await removeGroup(group, hostClock);
      expect(existsSync(group)).toBe(false);
    });
  }

  test("a group that is not there is as good as ended", async () => {
    await killGroup("/sys/fs/cgroup/no-such-group", hostClock);
    await removeGroup("/sys/fs/cgroup/no-such-group", hostClock);
  });
});
