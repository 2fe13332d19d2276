import { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { createHarnesses } from "../create-harnesses.ts";
import { printJson } from "../output/print-json.ts";

/** `ale agents prune` */
export function agentsPruneCommand(context: CliContext): Command {
  return new Command("prune")
    .description(
      "Remove programs of versions that are no longer pinned; not while an exam of that version runs.",
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale agents prune")
    .action(async (options: { readonly json?: boolean }) => {
      const { store } = await createHarnesses(context);
      const bytesOf = new Map((await store.list()).map(({ dir, bytes }) => [dir, bytes]));
      const removed = (await store.prune()).map((entry) => ({
        ...entry,
        bytes: bytesOf.get(entry.dir) ?? 0,
      }));
      if (options.json === true) return printJson(removed, context.out);
      for (const { name, version, bytes } of removed) {
        context.out.write(`${name} ${version} removed, ${sizeText(bytes)}\n`);
      }
      if (removed.length === 0) context.out.write("nothing to remove\n");
    });
}

/** Bytes for people. */
export function sizeText(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1e6))} MB`;
}
