import type { Sandbox } from "../sandbox/sandbox.ts";
import { notStarted } from "./not-started.ts";

/** Without these no window ever comes, and nothing says why. Rejects with `desktop-start` when one is missing. */
export async function requirePrograms(sandbox: Sandbox, programs: readonly string[]): Promise<void> {
  const { stdout } = await sandbox.exec(["which", ...programs]);
  const found = Buffer.from(stdout).toString("utf8").trim().split("\n");
  const missing = programs.filter((program) => !found.some((path) => path.endsWith(`/${program}`)));
  if (missing.length === 0) return;
  throw notStarted(
    `there is no program ${missing.join(", ")} on the machine`,
    `Install the packages ${[...programs, "xterm"].join(", ").toLowerCase()} on it.`,
  );
}
