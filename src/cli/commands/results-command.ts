import { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { resultsCompareCommand } from "./results-compare.ts";
import { resultsExportCommand } from "./results-export.ts";
import { resultsFailuresCommand } from "./results-failures.ts";
import { resultsLabelCommand } from "./results-label.ts";
import { resultsListCommand } from "./results-list.ts";
import { resultsRegradeCommand } from "./results-regrade.ts";
import { resultsScanCommand } from "./results-scan.ts";
import { resultsShowCommand } from "./results-show.ts";

/** `ale results`: everything about what a run left. */
export function resultsCommand(context: CliContext): Command {
  return new Command("results")
    .description("Look at, regrade and export the results of runs.")
    .addHelpText("after", "\nExample: npx ale results ls")
    .addCommand(resultsListCommand(context))
    .addCommand(resultsShowCommand(context))
    .addCommand(resultsRegradeCommand(context))
    .addCommand(resultsCompareCommand(context))
    .addCommand(resultsFailuresCommand(context))
    .addCommand(resultsLabelCommand(context))
    .addCommand(resultsExportCommand(context))
    .addCommand(resultsScanCommand(context));
}
