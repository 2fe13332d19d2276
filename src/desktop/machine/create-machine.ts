import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { AgentTool } from "../tools/agent-tool.ts";
import { fileTools } from "./file-tools.ts";
import type { MachineFiles } from "./machine-files.ts";
import { plainFiles } from "./plain-files.ts";
import { posixFiles } from "./posix-files.ts";
import { shellTools } from "./shell-tools.ts";

/** A sandbox as tools for a model: run, background, read, write, edit, list, search. Disposing ends what runs. */
export interface Machine extends AsyncDisposable {
  readonly tools: readonly AgentTool[];
}

export interface MachineOptions {
  /** Characters of one tool's answer, default 30,000. */
  readonly maxText?: number;
}

/** Nothing is asked of the sandbox before the first call. */
export function createMachine(sandbox: Sandbox, options: MachineOptions = {}): Machine {
  const { maxText = 30_000 } = options;
  let chosen: Promise<MachineFiles> | undefined;
  const files = (): Promise<MachineFiles> => {
    chosen ??= chooseFiles(sandbox);
    // A machine that did not answer once is asked again.
    chosen.catch(() => {
      chosen = undefined;
    });
    return chosen;
  };
  const shell = shellTools(sandbox, maxText);
  return {
    tools: [...shell.tools, ...fileTools(files, maxText, sandbox.os)],
    [Symbol.asyncDispose]: () => shell[Symbol.asyncDispose](),
  };
}

async function chooseFiles(sandbox: Sandbox): Promise<MachineFiles> {
  if (sandbox.os === "windows") return plainFiles(sandbox);
  const { end } = await sandbox.exec(["head", "-c", "0", "/dev/null"], { timeoutMs: 30_000 });
  return end.kind === "not-started" ? plainFiles(sandbox) : posixFiles(sandbox);
}
