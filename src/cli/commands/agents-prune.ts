import { hostname } from "node:os";
import { Command } from "commander";
import type { HarnessUser } from "../../harness/install/harness-store.ts";
import type { CliContext } from "../cli-context.ts";
import { createHarnesses } from "../create-harnesses.ts";
import { printJson } from "../output/print-json.ts";

/** `ale agents prune` */
export function agentsPruneCommand(context: CliContext): Command {
  return new Command("prune")
    .description(
      "Remove programs of versions that are no longer pinned. Those that a running exam uses stay, and are told.",
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale agents prune")
    .action(async (options: { readonly json?: boolean }) => {
      const { store } = await createHarnesses(context);
      const bytesOf = new Map((await store.list()).map(({ dir, bytes }) => [dir, bytes]));
      const pruned = await store.prune();
      const removed = pruned.removed.map((entry) => ({ ...entry, bytes: bytesOf.get(entry.dir) ?? 0 }));
      if (options.json === true) return printJson({ removed, kept: pruned.kept }, context.out);
      for (const { name, version, bytes } of removed) {
        context.out.write(`${name} ${version} removed, ${sizeText(bytes)}\n`);
      }
      for (const { name, version, users } of pruned.kept) {
        context.out.write(`${name} ${version} kept: in use by ${users.map(userText).join(", ")}\n`);
      }
      if (removed.length + pruned.kept.length === 0) context.out.write("nothing to remove\n");
    });
}

/** Whether a process of another host still runs cannot be seen from here. */
function userText({ host, pid, note }: HarnessUser): string {
  return host === hostname() ? `process ${pid}` : `process ${pid} of ${host} (if it is gone, remove ${note})`;
}

/** Bytes for people. */
export function sizeText(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1e6))} MB`;
}
