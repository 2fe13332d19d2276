import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";

/** `/etc/passwd` and `/etc/group` of a machine: the system's accounts and the agent, none of the host's people. */
export function accountsOf(root: string): { readonly passwd: string; readonly group: string } {
  const { agentUser, agentUid, home } = sandboxLayout;
  const shell = existsSync(join(root, "bin/bash")) ? "/bin/bash" : "/bin/sh";
  const users = systemLines(join(root, "etc/passwd"), 2).filter((line) => !line.startsWith("root:"));
  const groups = systemLines(join(root, "etc/group"), 2)
    .filter((line) => !line.startsWith("root:"))
    .map((line) => `${line.split(":").slice(0, 3).join(":")}:`);
  return {
    passwd: lines(
      "root:x:0:0:root:/root:/bin/sh",
      `${agentUser}:x:${agentUid}:${agentUid}:${agentUser}:${home}:${shell}`,
      ...users,
    ),
    group: lines("root:x:0:", `${agentUser}:x:${agentUid}:`, ...groups),
  };
}

/** Lines whose number, in the field given, is one of the system's: below 1000, or nobody. */
function systemLines(path: string, field: number): readonly string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => {
      const number = Number.parseInt(line.split(":")[field] ?? "", 10);
      return number < 1000 || number === 65534;
    });
}

function lines(...all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
