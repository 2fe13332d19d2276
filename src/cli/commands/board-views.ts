import { Command, Option } from "commander";
import type { Measure } from "../../board/lane-estimate.ts";
import { type BoardInput, type BoardInputOptions, readBoardInput, withBoardInput } from "../board-input.ts";
import type { CliContext } from "../cli-context.ts";
import { printJson } from "../output/print-json.ts";

/** A way to look at a board's runs: data from records, and its text. */
export interface BoardView<T> {
  readonly name: string;
  readonly description: string;
  build(input: BoardInput, measure: Measure): T;
  text(data: T): string;
}

interface ViewOptions extends BoardInputOptions {
  readonly lane: "full-pass-verified" | "mean-verified";
  readonly json?: boolean;
}

/** The lane of verified results, as an option. */
function verifiedLaneOption(): Option {
  return new Option("--lane <lane>", "which score; lanes never mix")
    .choices(["full-pass-verified", "mean-verified"])
    .default("full-pass-verified");
}

/** The subcommand of a view. */
export function boardViewCommand<T>(context: CliContext, view: BoardView<T>): Command {
  return withBoardInput(new Command(view.name).description(view.description))
    .addOption(verifiedLaneOption())
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample: npx ale board ${view.name} --lane mean-verified`)
    .action(async (names: readonly string[], options: ViewOptions) => {
      const input = await readBoardInput(names, options, context);
      const data = view.build(input, options.lane === "mean-verified" ? "mean" : "full-pass");
      if (options.json === true) {
        printJson({ lane: options.lane, policy: input.policy.name, [view.name]: data }, context.out);
      } else {
        context.out.write(`${options.lane}, scoring policy ${input.policy.name}\n\n${view.text(data)}`);
      }
    });
}
