import { spawnSync } from "node:child_process";

/** How a program ended; `output` is its standard output. */
export type ProgramEnd =
  | { readonly kind: "done"; readonly output: string }
  | { readonly kind: "failed"; readonly message: string };

/** Runs a program of the host to its end. Throws when there is no such program. */
export function runProgram(argv: readonly string[], input = ""): ProgramEnd {
  const [program, ...args] = argv as [string, ...string[]];
  const child = spawnSync(program, args, { input, encoding: "utf8", maxBuffer: 1 << 27, timeout: 60_000 });
  if (child.error !== undefined && child.status === null && child.signal === null) throw child.error;
  if (child.status === 0) return { kind: "done", output: child.stdout };
  return { kind: "failed", message: child.stderr.trim().slice(0, 200) };
}

/** The output of a program that has to succeed. */
export function mustRun(argv: readonly string[], input = ""): string {
  const end = runProgram(argv, input);
  if (end.kind === "failed") throw new Error(`${argv.join(" ")}: ${end.message}`);
  return end.output;
}
