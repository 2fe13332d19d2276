import { Command } from "commander";
import type { SandboxListing, SandboxProvider } from "../../sandbox/provider.ts";
import type { CliContext } from "../cli-context.ts";
import { createProviders } from "../create-providers.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { buildCommand } from "./sandboxes-build.ts";
import { doctorCommand } from "./sandboxes-doctor.ts";
import { prepareCommand } from "./sandboxes-prepare.ts";
import { pruneCommand } from "./sandboxes-prune.ts";

interface JsonOption {
  readonly json?: boolean;
}

/** `ale sandboxes` */
export function sandboxesCommand(context: CliContext): Command {
  return new Command("sandboxes")
    .description("Look after the machines that trials run on.")
    .addHelpText("after", "\nExample: npx ale sandboxes doctor")
    .addCommand(doctorCommand(context))
    .addCommand(listCommand(context))
    .addCommand(reapCommand(context))
    .addCommand(buildCommand(context))
    .addCommand(prepareCommand(context))
    .addCommand(pruneCommand(context));
}

function listCommand(context: CliContext): Command {
  return new Command("ls")
    .description("List the sandboxes on this host, whoever made them.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale sandboxes ls")
    .action(async (options: JsonOption) => {
      const listings = await fromAll(context, (provider) => provider.list());
      if (options.json === true) printJson(listings, context.out);
      else context.out.write(table(listings, context.clock.now()));
    });
}

function reapCommand(context: CliContext): Command {
  return new Command("reap")
    .description("Remove sandboxes whose owner is dead or whose lease has run out.")
    .option("--run <name>", "only those of this run")
    .option("--force", "also those that are in use")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale sandboxes reap")
    .action(async (options: JsonOption & { readonly run?: string; readonly force?: boolean }) => {
      const { run, force } = options;
      const reaped = await fromAll(context, (provider) =>
        provider.reap({ ...(run === undefined ? {} : { run }), ...(force === undefined ? {} : { force }) }),
      );
      if (options.json === true) printJson(reaped, context.out);
      else context.out.write(`${reaped.length} removed\n`);
    });
}

async function fromAll(
  context: CliContext,
  ask: (provider: SandboxProvider) => Promise<readonly SandboxListing[]>,
): Promise<readonly SandboxListing[]> {
  const lists = [];
  for (const provider of createProviders(context).values()) lists.push(await ask(provider));
  return lists.flat();
}

function table(listings: readonly SandboxListing[], now: number): string {
  if (listings.length === 0) return "none\n";
  return textTable<SandboxListing>(
    [
      { title: "id", cell: (listing) => listing.id },
      { title: "provider", cell: (listing) => listing.provider },
      { title: "for", cell: (listing) => listing.labels.role },
      { title: "trial", cell: (listing) => listing.labels.trial },
      {
        title: "age",
        align: "right",
        cell: (listing) => `${Math.round((now - listing.createdAt) / 1000)} s`,
      },
      { title: "owner", cell: (listing) => (listing.ownerAlive ? "alive" : "dead") },
    ],
    listings,
  );
}
