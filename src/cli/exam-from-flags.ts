import { AleError } from "../contract/ale-error.ts";
import { effortSchema, type SettingValue } from "../contract/contestant.ts";
import { type ExamFile, examFileSchema } from "../contract/exam-file.ts";
import { parseYamlFile } from "../yaml/parse-yaml-file.ts";

/** What `ale run` takes on the command line, as typed. Absent = not given. */
export interface RunFlags {
  readonly agent?: readonly string[];
  readonly model?: readonly string[];
  readonly effort?: readonly string[];
  readonly set?: readonly string[];
  readonly task?: readonly string[];
  readonly exclude?: readonly string[];
  readonly tasksRoot?: readonly string[];
  readonly repeats?: string;
  readonly seed?: string;
  readonly name?: string;
  readonly minutes?: string;
  readonly budget?: string;
  readonly concurrency?: string;
  readonly provider?: string;
  readonly scoring?: string;
}

/**
 * The exam that the flags describe, or `base` (an exam file) changed by them.
 * Throws `usage` naming the flag, when a value cannot be used.
 */
export function examFromFlags(flags: RunFlags, base: ExamFile | undefined, defaultRoot: string): ExamFile {
  for (const effort of flags.effort ?? []) checkEffort(effort);
  const contestants = flags.agent?.map((harness) => ({
    harness,
    ...(flags.model === undefined ? {} : { model: flags.model }),
    ...(flags.effort === undefined ? {} : { effort: flags.effort }),
    settings: parseSettings(flags.set ?? []),
  }));
  const ofAgents = (["model", "effort", "set"] as const).find((name) => flags[name] !== undefined);
  if (contestants === undefined && ofAgents !== undefined) {
    throw new AleError({
      code: "usage",
      message: `--${ofAgents} says more of an agent, and no --agent is given`,
      remedy: "add --agent, or change the contestants in the exam file",
    });
  }
  if (contestants === undefined && base === undefined) {
    throw new AleError({
      code: "usage",
      message: "no contestant: give an exam file or --agent",
      remedy: "for example: npx ale run --agent oracle, or: npx ale run exams/demonstration.yaml",
    });
  }
  const tasks = {
    roots: flags.tasksRoot ?? base?.tasks.roots ?? [defaultRoot],
    include: flags.task ?? base?.tasks.include ?? ["**"],
    exclude: flags.exclude ?? base?.tasks.exclude ?? [],
  };
  const candidate = {
    ...(base ?? { schema: "ale/exam@1", name: "run" }),
    tasks,
    ...(contestants === undefined ? {} : { contestants }),
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(flags.repeats === undefined ? {} : { repeats: number("--repeats", flags.repeats) }),
    ...(flags.seed === undefined ? {} : { seed: number("--seed", flags.seed) }),
    ...(flags.provider === undefined ? {} : { provider: flags.provider }),
    ...(flags.scoring === undefined ? {} : { scoring: flags.scoring }),
    ...(flags.minutes === undefined
      ? {}
      : { limits: { ...base?.limits, wall_minutes: number("--minutes", flags.minutes) } }),
    ...(flags.budget === undefined ? {} : { budget: { cost_usd: number("--budget", flags.budget) } }),
    ...(flags.concurrency === undefined
      ? {}
      : { concurrency: { ...base?.concurrency, trials: number("--concurrency", flags.concurrency) } }),
  };
  const parsed = examFileSchema.safeParse(candidate);
  if (parsed.success) return parsed.data;
  throw refusal(candidate);
}

/** Options by the place of their values in the exam; the first that fits is meant. */
const flagOf: readonly (readonly [RegExp, string])[] = [
  [/^limits\.wall_minutes/, "--minutes"],
  [/^budget\.cost_usd/, "--budget"],
  [/^concurrency\.trials/, "--concurrency"],
  [/^tasks\.roots(\[\d+\])?/, "--tasks-root"],
  [/^tasks\.include(\[\d+\])?/, "--task"],
  [/^tasks\.exclude(\[\d+\])?/, "--exclude"],
  [/^contestants\[\d+\]\.harness/, "--agent"],
  [/^contestants\[\d+\]\.model(\[\d+\])?/, "--model"],
  [/^contestants\[\d+\]\.settings\./, "--set "],
  [/^(?=(repeats|seed|name|provider|scoring) )/, "--"],
];

/** What is wrong with the exam, with the options' names for the exam's. */
function refusal(candidate: unknown): AleError {
  // JSON is YAML: what is wrong with either is told in the same words.
  const text = JSON.stringify(candidate);
  const explained = parseYamlFile<ExamFile>({ path: "options", text, schema: examFileSchema });
  const [finding] = explained.kind === "malformed" ? explained.findings : [];
  const message = finding?.message ?? "the exam cannot be used";
  const [place, flag] = flagOf.find(([pattern]) => pattern.test(message)) ?? [];
  return new AleError({
    code: "usage",
    message: place === undefined || flag === undefined ? message : message.replace(place, flag),
    remedy: finding?.remedy ?? "see: npx ale run --help",
  });
}

function checkEffort(text: string): void {
  const [issue] = effortSchema.safeParse(text).error?.issues ?? [];
  if (issue === undefined) return;
  const words = issue.code === "invalid_value" ? issue.values.join(", ") : "a word for an effort";
  throw new AleError({
    code: "usage",
    message: `--effort takes one of ${words}; not ${JSON.stringify(text)}`,
    remedy: "for example: --effort high",
  });
}

function number(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new AleError({
    code: "usage",
    message: `${flag} takes a number, not ${JSON.stringify(text)}`,
    remedy: `for example: ${flag} 3`,
  });
}

/** `key=value`; a value that is JSON is taken as such, so that lists and numbers can be given. */
function parseSettings(pairs: readonly string[]): Readonly<Record<string, SettingValue>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at > 0) return [pair.slice(0, at), settingValue(pair.slice(at + 1))];
      throw new AleError({
        code: "usage",
        message: `--set takes key=value, not ${JSON.stringify(pair)}`,
        remedy: "for example: --set 'argv=[\"my-agent\"]'",
      });
    }),
  );
}

function settingValue(text: string): SettingValue {
  try {
    return JSON.parse(text) as SettingValue;
  } catch {
    return text;
  }
}
