import { z } from "zod";
import { known, type Maybe, unknown } from "../../contract/absence.ts";
import type { AttemptTrace, TraceAction } from "./attempt-trace.ts";

const extra = z.record(z.string(), z.unknown()).nullish();
const content = z.union([z.string(), z.array(z.unknown())]).nullish();

/** The parts of ATIF v1.7 that are looked at; loose, for other programs write it too. */
const stepSchema = z.looseObject({
  step_id: z.union([z.number(), z.string()]).nullish(),
  source: z.string(),
  message: content,
  tool_calls: z
    .array(
      z.looseObject({
        tool_call_id: z.string().nullish(),
        function_name: z.string(),
        arguments: z.unknown(),
        extra,
      }),
    )
    .nullish(),
  observation: z
    .looseObject({
      results: z.array(z.looseObject({ source_call_id: z.string().nullish(), content, extra })).nullish(),
    })
    .nullish(),
  extra,
});
const trajectorySchema = z.looseObject({
  steps: z.array(stepSchema),
  continued_trajectory_ref: z.string().nullish(),
});

type Step = z.infer<typeof stepSchema>;

/** What an agent did, from an ATIF trajectory; none for a value that is not one. */
export function traceOfTrajectory(value: unknown): AttemptTrace {
  const parsed = trajectorySchema.safeParse(value);
  if (!parsed.success) {
    return { kind: "none", reason: `the trajectory is not ATIF: ${parsed.error.issues[0]?.message ?? ""}` };
  }
  const { steps, continued_trajectory_ref: continued } = parsed.data;
  const placed = steps.map((step, index) => ({ step, place: `step ${step.step_id ?? index + 1}` }));
  const agent = placed.filter(({ step }) => step.source === "agent");
  return {
    kind: "trace",
    actions: agent.flatMap(({ step, place }) => actionsOf(step, place)),
    messages: agent.flatMap(({ step, place }) => {
      const text = textOf(step.message);
      return text === "" ? [] : [{ place, text }];
    }),
    compactions: [
      ...placed.filter(({ step }) => mentionsCompaction(step)).map(({ place }) => place),
      ...(typeof continued === "string" ? ["the end: continued in another file"] : []),
    ],
  };
}

function actionsOf(step: Step, place: string): readonly TraceAction[] {
  const results = step.observation?.results ?? [];
  return (step.tool_calls ?? []).map((call): TraceAction => {
    const own = results.filter((result) => result.source_call_id === call.tool_call_id);
    // A step with one call and one result needs no id to tell whose it is.
    const matched = own.length === 0 && step.tool_calls?.length === 1 ? results : own;
    return {
      place,
      tool: call.function_name,
      input: JSON.stringify(call.arguments ?? {}),
      output: matched.map((result) => textOf(result.content)).join("\n"),
      failed: failureIn([call.extra, ...matched.map((result) => result.extra)]),
    };
  });
}

/** An explicit flag or exit status; words of the output are no evidence. */
function failureIn(extras: readonly unknown[]): Maybe<boolean> {
  for (const [key, value] of extras.flatMap(flatEntries)) {
    if (/^(is_?error|failed)$/i.test(key) && typeof value === "boolean") return known(value);
    if (/^exit_?(code|status)?$/i.test(key) && typeof value === "number") return known(value !== 0);
  }
  return unknown("the record does not say whether the call failed");
}

/** A harness's own event, kept in the step's extra: by a member of that name, or by what kind of event it says it is. */
function mentionsCompaction(step: Step): boolean {
  return flatEntries(step.extra).some(([key, value]) =>
    /compact/i.test(key)
      ? value !== false && value !== null
      : /^(sub)?type$|^kind$|^event$/i.test(key) &&
        typeof value === "string" &&
        /compact|compress/i.test(value),
  );
}

function flatEntries(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [[key, item] as const, ...flatEntries(item)]);
}

function textOf(value: z.infer<typeof content>): string {
  if (typeof value === "string") return value;
  return (value ?? [])
    .map((part) => (typeof part === "object" && part !== null && "text" in part ? String(part.text) : ""))
    .filter((text) => text !== "")
    .join("\n");
}
