import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import type { Verdict } from "../../contract/verdict.ts";
import { countedGrade } from "../../record/counted-grade.ts";
import { openRun } from "../../record/open-run.ts";
import type { AttemptRecord } from "../../record/run-record.ts";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir, findRun } from "../find-run.ts";
import { friendlyPath } from "../friendly-path.ts";
import { channelLines } from "../output/channel-lines.ts";
import { formatDuration } from "../output/format-number.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { chooseAttempt } from "./choose-attempt.ts";

interface ShowOptions {
  readonly run?: string;
  readonly attempt?: string;
  readonly runsDir: string;
  readonly json?: boolean;
}

/** `ale results show` */
export function resultsShowCommand(context: CliContext): Command {
  return new Command("show")
    .description("Show one trial: how it ended, its checks and stages, its artifacts.")
    .argument("<trial>", "trial id, or a part of it that no other trial has")
    .option("--run <run>", "run directory or its name; the newest by default")
    .option("--attempt <n>", "this attempt; the last finished by default")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale results show oracle.legal")
    .action(async (trial: string, options: ShowOptions) => {
      const run = await openRun(await findRun(options.run, options.runsDir, context.cwd));
      const attempt = chooseAttempt(await run.attempts(), trial, options.attempt);
      if (options.json === true) {
        const { result, verdict, regrades, dir } = attempt;
        printJson({ dir, result, verdict: verdict ?? null, regrades }, context.out);
      } else {
        context.out.write(`${description(attempt, context.cwd)}${await logList(attempt.dir)}`);
      }
    });
}

function description(attempt: AttemptRecord, cwd: string): string {
  const { result } = attempt;
  const head = `${attempt.trial}, attempt ${attempt.attempt}\n${friendlyPath(attempt.dir, cwd)}\n\n`;
  if (result === undefined) return `${head}cut off before its end: it does not count\n`;
  const grade = countedGrade({ ...attempt, result });
  const lines = [
    `contestant  ${result.contestant.name}`,
    `instance    ${result.instance}`,
    `status      ${grade.status}${result.reason === "" ? "" : `: ${result.reason}`}`,
    `score       ${grade.score.known ? grade.score.value.toFixed(4) : `unknown: ${grade.score.reason}`}`,
    `time        ${formatDuration(result.wallMs)}`,
    ...(result.claim.known
      ? [`claim       ${result.claim.value.kind}: ${lastLine(result.claim.value.message)}`]
      : []),
    ...(result.channels === undefined ? [] : channelLines(result.channels)).map(
      ([name, text]) => `${name.padEnd(12)}${text}`,
    ),
    ...(result.lastScreen === undefined ? [] : [`screen      last seen: ${result.lastScreen.path}`]),
  ];
  const artifacts = result.artifacts.map((artifact) =>
    artifact.state === "taken"
      ? `  ${artifact.path}  ${artifact.bytes} bytes`
      : `  ${artifact.path}  ${artifact.state === "missing" ? "missing" : `refused: ${artifact.message}`}`,
  );
  const files = artifacts.length === 0 ? "" : `\nartifacts\n${artifacts.join("\n")}\n`;
  return `${head}${lines.join("\n")}\n${grade.verdict === undefined ? "" : verdictTables(grade.verdict)}${files}`;
}

/** The logs by name only: what an agent printed may hold control sequences. */
async function logList(dir: string): Promise<string> {
  const entries = await readdir(dir, { withFileTypes: true });
  if (!entries.some((entry) => entry.name === "logs" && entry.isDirectory())) return "";
  const names = (await readdir(join(dir, "logs"))).sort();
  return names.length === 0 ? "" : `\nlogs\n${names.map((name) => `  logs/${name}`).join("\n")}\n`;
}

function verdictTables(verdict: Verdict): string {
  const stages = textTable(
    [
      { title: "stage", cell: (stage) => stage.name },
      { title: "weight", align: "right", cell: (stage) => String(Number(stage.weight.toFixed(6))) },
      { title: "score", align: "right", cell: (stage) => stage.score.toFixed(3) },
    ],
    verdict.stages,
  );
  const checks = textTable(
    [
      { title: "check", cell: (check) => `${check.id}${check.gate ? " (gate)" : ""}` },
      { title: "score", align: "right", cell: (check) => check.score.toFixed(3) },
      { title: "message", cell: (check) => check.message },
    ],
    verdict.checks,
  );
  return verdict.stages.length === 0 ? `\n${checks}` : `\n${stages}\n${checks}`;
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
