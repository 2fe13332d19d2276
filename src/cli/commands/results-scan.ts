import { Command } from "commander";
import { commonSecretPatterns, type SecretHit, scanForSecrets } from "../../record/scan-for-secrets.ts";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir, findRun } from "../find-run.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";

interface ScanOptions {
  readonly runsDir: string;
  readonly json?: boolean;
}

/** `ale results scan` */
export function resultsScanCommand(context: CliContext): Command {
  return new Command("scan")
    .description(
      "Look through every file of a run for keys: those of this environment, and whatever looks like one.",
    )
    .argument("[run]", "run directory or its name; the newest run by default")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale results scan")
    .action(async (run: string | undefined, options: ScanOptions) => {
      const dir = await findRun(run, options.runsDir, context.cwd);
      const scan = await scanForSecrets(dir, { values: context.secrets, patterns: commonSecretPatterns });
      if (scan.hits.length > 0) context.setExitStatus(1);
      if (options.json === true) return printJson({ dir, ...scan }, context.out);
      context.out.write(`${scan.files} files, ${scan.bytes} bytes: ${scan.hits.length} keys found\n`);
      if (scan.hits.length > 0) context.out.write(table(scan.hits));
    });
}

function table(hits: readonly SecretHit[]): string {
  return textTable<SecretHit>(
    [
      { title: "file", cell: (hit) => hit.path },
      { title: "at byte", align: "right", cell: (hit) => String(hit.offset) },
      { title: "looks like", cell: (hit) => hit.secret },
    ],
    hits,
  );
}
