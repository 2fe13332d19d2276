import { spawn } from "node:child_process";

export interface NodeRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a TypeScript or JavaScript file with this Node, and waits for its end. */
export async function runNode(file: string, args: readonly string[]): Promise<NodeRun> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", file, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const collected = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    collected.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    collected.stderr += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { code, ...collected };
}
