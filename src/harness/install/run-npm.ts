import { spawn } from "node:child_process";

/** The npm of this host. */
export interface NpmProgram {
  /** Such as `["npm"]`; arguments follow. */
  readonly argv: readonly string[];
  /** The whole environment of npm and of the install scripts it runs: no key belongs in it. */
  readonly env: Readonly<Record<string, string>>;
}

export type NpmEnd = { readonly kind: "done" } | { readonly kind: "failed"; readonly words: string };

/** Kept of the end of what npm says, in characters. */
const keptWords = 4000;

/** Runs npm in a folder to its end; what it printed is its words when it fails. */
export function runNpm(npm: NpmProgram, args: readonly string[], cwd: string): Promise<NpmEnd> {
  const [command = "npm", ...before] = npm.argv;
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  return new Promise((resolve) => {
    const child = spawn(command, [...before, ...args, ...quiet], {
      cwd,
      env: npm.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let words = "";
    const keep = (chunk: Buffer): void => {
      words = (words + chunk.toString("utf8")).slice(-keptWords);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => {
      resolve({ kind: "failed", words: `${command} could not be started: ${error.message}` });
    });
    child.on("close", (code, signal) => {
      if (code === 0) resolve({ kind: "done" });
      else resolve({ kind: "failed", words: words.trim() || `npm ended with ${code ?? signal}` });
    });
  });
}
