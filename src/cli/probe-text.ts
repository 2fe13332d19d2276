import type { ModelProbe, ProbeAnswer } from "./probe-models.ts";

/** In a few words, as the last column of a table. */
export function outcomeText({ outcome }: ModelProbe): string {
  switch (outcome.kind) {
    case "answers":
      return answerText(outcome);
    case "no-key":
      return `not asked: ${outcome.variable} is not set`;
    case "bad-key":
      return `its key is refused: ${firstLine(outcome.message)}`;
    case "unknown-model":
      return `the server has no such model: ${firstLine(outcome.message)}`;
    case "unreachable":
      return `cannot be reached: ${firstLine(outcome.message)}`;
    case "refused":
      return `refuses the question: ${firstLine(outcome.message)}`;
  }
}

/** What to do about it; `undefined` where nothing has to be done. */
export function remedyFor({ model, upstream, wire, outcome }: ModelProbe): string | undefined {
  switch (outcome.kind) {
    case "answers":
      return answerRemedy(model, outcome);
    case "no-key":
      return `export ${outcome.variable}=<your key>   (for ${upstream})`;
    case "bad-key":
      return `${upstream}: put a valid key into the variable that its key_env names`;
    case "unknown-model":
      return `${model}: correct models.${model}.id, or take ${wire} out of the wires of ${upstream}`;
    case "unreachable":
      return `${upstream}: see that its base_url is right and its server is up`;
    case "refused":
      return `${model}: see what ${upstream} says about it`;
  }
}

function answerText({ wallMs, servedAs, declined }: ProbeAnswer): string {
  const time = `${(wallMs / 1000).toFixed(1)} s`;
  const who = servedAs === undefined ? "" : ` as another model, ${servedAs},`;
  if (declined !== undefined) return `declines the question${who} in ${time}: ${firstLine(declined)}`;
  return `answers${who} in ${time}`;
}

function answerRemedy(model: string, { servedAs, declined }: ProbeAnswer): string | undefined {
  if (servedAs !== undefined) {
    return `${model}: correct models.${model}.id; or, if ${servedAs} is what you mean, add it to models.${model}.served_as`;
  }
  if (declined === undefined) return undefined;
  return `${model}: trials in which it declines last count as refused; ask its provider what this account may use`;
}

function firstLine(text: string): string {
  const line = text.split("\n")[0] ?? "";
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}
