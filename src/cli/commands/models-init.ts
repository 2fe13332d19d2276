import { constants } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { AleError } from "../../contract/ale-error.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { CliContext } from "../cli-context.ts";
import { friendlyPath } from "../friendly-path.ts";
import { printJson } from "../output/print-json.ts";
import { packageRoot } from "../package-info.ts";
import { modelsPlaces } from "../read-models.ts";

/** The models file that ships as a start. */
export const exampleModels: string = join(packageRoot, "data", "models.example.yaml");

interface InitOptions {
  readonly user?: boolean;
  readonly json?: boolean;
}

/** `ale models init` */
export function modelsInitCommand(context: CliContext): Command {
  return new Command("init")
    .description("Write a models.yaml to start from, with its keys to be set. Never overwrites one.")
    .option("--user", "into your config folder, for every folder you work in")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale models init")
    .action(async (options: InitOptions) => {
      const [here, user] = modelsPlaces(context);
      const path = options.user === true ? user : here;
      await makeFolder(dirname(path));
      try {
        await copyFile(exampleModels, path, constants.COPYFILE_EXCL);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        throw new AleError({
          code: "file-exists",
          message: `${friendlyPath(path, context.cwd)} is there already`,
          remedy: "change that one, or move it away first; see what it says with: npx ale models ls",
          cause: error,
        });
      }
      if (options.json === true) return printJson({ path }, context.out);
      context.out.write(
        `${friendlyPath(path, context.cwd)} is written; set the keys of the servers you use, then: npx ale models check\n`,
      );
    });
}
