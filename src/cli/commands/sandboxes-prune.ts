import { Command } from "commander";
import { connectEngine } from "../../sandbox/container/engine.ts";
import { pruneImages } from "../../sandbox/container/prune-images.ts";
import type { CliContext } from "../cli-context.ts";
import { containerSockets, createProviders } from "../create-providers.ts";
import { printJson } from "../output/print-json.ts";

/** `ale sandboxes prune` */
export function pruneCommand(context: CliContext): Command {
  return new Command("prune")
    .description("Reap, and remove images of ours that a later build has replaced.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale sandboxes prune")
    .action(async (options: { readonly json?: boolean }) => {
      const reaped = [];
      for (const provider of createProviders(context).values()) reaped.push(...(await provider.reap()));
      const engine = await connectEngine(containerSockets(context)).catch(() => undefined);
      const images = engine === undefined ? { removed: [], bytes: 0 } : await pruneImages(engine);
      if (options.json === true) return printJson({ reaped, images }, context.out);
      const megabytes = Math.round(images.bytes / 1e6);
      context.out.write(
        `${reaped.length} sandboxes and ${images.removed.length} images (${megabytes} MB) removed\n`,
      );
    });
}
