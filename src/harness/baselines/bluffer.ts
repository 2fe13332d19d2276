import { posix } from "node:path";
import { known } from "../../contract/absence.ts";
import { createRandom, type Random } from "../../contract/random.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { Harness } from "../harness.ts";
import { unknownSettings } from "../unknown-settings.ts";
import { unpaid } from "./claims.ts";
import { magicBytes } from "./magic-bytes.ts";

/** Largest input file copied, in bytes. */
const maxCopied = 16 * 1024 * 1024;

/** Input files looked at. */
const maxListed = 500;

/** Hands in files of the right names and nothing in them, and says that all is done. Graders must give it 0. */
export function createBluffer(version: string): Harness {
  return {
    name: "bluffer",
    summary: "hands in files of the right names without the work, and says that all is done",
    version: async () => version,
    preflight: async (contestant) => unknownSettings(contestant, []),
    needs: async () => ({ mounts: [], env: {} }),
    async launch(session) {
      const { sandbox, trial, signal } = session;
      const random = createRandom(`bluffer/${trial.instance}`);
      const inputs = await inputFiles(sandbox);
      for (const output of trial.outputs) {
        if (signal.aborted) break;
        const name = output.path.endsWith("/") ? `${output.path}result.txt` : output.path;
        const content = await bluff(sandbox, output.kind, inputs, random.fork(output.path));
        await sandbox.writeFile(posix.join(sandboxLayout.output, name), content);
      }
      const files = trial.outputs.map((output) => output.path).join(", ");
      const message = `All done. I have carefully completed and double-checked ${files}.`;
      return { kind: "completed", ...unpaid, claim: known({ kind: "done", message }) };
    },
  };
}

/** Nothing, a copy of some input, or the first bytes of a file of the right kind. */
async function bluff(
  sandbox: Sandbox,
  kind: string,
  inputs: readonly string[],
  random: Random,
): Promise<Uint8Array | string> {
  const way = random.pick(inputs.length === 0 ? ["empty", "magic"] : ["empty", "copy", "magic"]);
  if (way === "copy") return sandbox.readFile(random.pick(inputs), { maxBytes: maxCopied });
  return way === "magic" ? magicBytes(kind) : "";
}

/** Regular files of the input of a size that can be copied, in order. */
async function inputFiles(sandbox: Sandbox): Promise<readonly string[]> {
  const found: string[] = [];
  const folders: string[] = [sandboxLayout.input];
  for (let folder = folders.pop(); folder !== undefined && found.length < maxListed; folder = folders.pop()) {
    for (const name of await sandbox.list(folder)) {
      const path = posix.join(folder, name);
      const facts = await sandbox.stat(path);
      if (facts?.type === "folder") folders.push(path);
      else if (facts?.type === "file" && facts.bytes <= maxCopied) found.push(path);
    }
  }
  return found.slice(0, maxListed).sort();
}
