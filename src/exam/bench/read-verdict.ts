import { AleError } from "../../contract/ale-error.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { type Verdict, verdictSchema } from "../../contract/verdict.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { GradeOutcome } from "../../task/qc/workbench.ts";
import type { TaskProgram } from "../../task/task-package.ts";

/** Largest result read back from a grader, in bytes. */
const maxResultBytes = 16 * 1024 * 1024;

/** Reads back what a grader left. Whatever is not a whole, valid verdict is the verifier's error. */
export async function readVerdict(sandbox: Sandbox, result: TaskProgram["result"]): Promise<GradeOutcome> {
  switch (result) {
    case "ale":
      return readOurs(sandbox);
    case "reward-file":
      return readReward(sandbox);
    case "none":
      return { kind: "verifier-error", message: "the grader leaves no result to read" };
  }
}

async function readText(sandbox: Sandbox, name: string): Promise<string | undefined> {
  try {
    const bytes = await sandbox.readFile(`${sandboxLayout.result}/${name}`, { maxBytes: maxResultBytes });
    return Buffer.from(bytes).toString("utf8");
  } catch (error) {
    if (AleError.isInstance(error) && error.code === "sandbox-path") return undefined;
    throw error;
  }
}

async function readOurs(sandbox: Sandbox): Promise<GradeOutcome> {
  const text = await readText(sandbox, "verdict.json");
  if (text === undefined) return failure("the grader left no verdict.json of a readable size");
  const parsed = verdictSchema.safeParse(parseJson(text));
  if (parsed.success) return { kind: "verdict", verdict: parsed.data };
  const issue = parsed.error.issues[0];
  return failure(`verdict.json is not a verdict: ${issue?.path.join(".")}: ${issue?.message}`);
}

/** A foreign format's single number: `reward.txt`, or `{"reward": number}` in `reward.json`. */
async function readReward(sandbox: Sandbox): Promise<GradeOutcome> {
  const text = await readText(sandbox, "reward.txt");
  const json = text === undefined ? await readText(sandbox, "reward.json") : undefined;
  const found = text === undefined ? parseJson(json ?? "") : plainNumber(text);
  const reward = typeof found === "object" && found !== null && "reward" in found ? found.reward : found;
  if (typeof reward !== "number" || !(reward >= 0 && reward <= 1)) {
    return failure("the grader left no reward between 0 and 1");
  }
  const message = `reward ${reward}`;
  const verdict: Verdict = {
    schema: "ale/verdict@1",
    score: reward,
    fullPass: reward === 1,
    method: "reward",
    checks: [{ id: "reward", stage: "reward", weight: 1, gate: false, score: reward, message }],
    stages: [{ name: "reward", weight: 1, score: reward }],
    gates: [],
  };
  return { kind: "verdict", verdict };
}

/** The number that is all of the text but its surrounding white space: no unit, no hexadecimal, no `Infinity`. */
function plainNumber(text: string): number | undefined {
  const trimmed = text.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : undefined;
}

/** The value, or `undefined` for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function failure(message: string): GradeOutcome {
  return { kind: "verifier-error", message };
}
