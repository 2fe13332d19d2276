import type { z } from "zod";
import { type Trajectory, trajectorySchema } from "./trajectory.ts";
import { type ContentPart, type TrajectoryStep, trajectoryStepSchema } from "./trajectory-step.ts";

const agentOnly = [
  "model_name",
  "reasoning_effort",
  "reasoning_content",
  "tool_calls",
  "metrics",
] as const satisfies readonly (keyof TrajectoryStep)[];

/**
 * What is wrong with a step that must bear this number, each a sentence with its place; empty for a good one.
 * Never throws, whatever the value.
 */
export function stepProblems(value: unknown, expectedId: number): readonly string[] {
  const parsed = trajectoryStepSchema.safeParse(value);
  return parsed.success
    ? stepRules(parsed.data, expectedId, "")
    : shapeProblems(parsed.error, `step ${expectedId}: `);
}

/** What is wrong with a trajectory, each a sentence with its place; empty for strict ATIF v1.7. */
export function trajectoryProblems(value: unknown): readonly string[] {
  const parsed = trajectorySchema.safeParse(value);
  return parsed.success ? trajectoryRules(parsed.data, "") : shapeProblems(parsed.error, "");
}

function trajectoryRules(trajectory: Trajectory, place: string): readonly string[] {
  const children = trajectory.subagent_trajectories ?? [];
  const ids = children.map((child) => child.trajectory_id);
  return [
    ...trajectory.steps.flatMap((step, index) => stepRules(step, index + 1, place)),
    ...children.flatMap((child, index) => {
      const at = `${place}subagent_trajectories[${index}]`;
      const id = child.trajectory_id;
      return [
        ...(id === undefined ? [`${at} has no trajectory_id, which an embedded trajectory must have`] : []),
        ...(id !== undefined && ids.indexOf(id) !== index ? [`${at} repeats the trajectory_id "${id}"`] : []),
        ...trajectoryRules(child, `${at}: `),
      ];
    }),
  ];
}

function stepRules(step: TrajectoryStep, expectedId: number, place: string): readonly string[] {
  const at = `${place}step ${expectedId}`;
  const calls = (step.tool_calls ?? []).map((call) => call.tool_call_id);
  const results = step.observation?.results ?? [];
  const forbidden = step.source === "agent" ? [] : agentOnly.filter((field) => step[field] !== undefined);
  return [
    ...(step.step_id === expectedId
      ? []
      : [`${at} has step_id ${step.step_id}: ids count from 1 without gaps`]),
    ...forbidden.map(
      (field) => `${at} is of the ${step.source} and has ${field}, which only the agent's may have`,
    ),
    ...calls
      .filter((id, index) => calls.indexOf(id) !== index)
      .map((id) => `${at} has two tool calls with the id "${id}"`),
    ...results.flatMap(({ source_call_id: id }, index) =>
      id === undefined || calls.includes(id)
        ? []
        : [`${at}, result ${index + 1} answers the call "${id}", which is not in the step`],
    ),
    ...[step.message, ...results.map((result) => result.content ?? "")].flatMap((content) =>
      imagePaths(content)
        .filter((path) => !staysBelow(path))
        .map(
          (path) =>
            `${at} has the image path "${path}": it must be relative and stay below the trajectory's folder`,
        ),
    ),
  ];
}

function imagePaths(content: string | readonly ContentPart[]): readonly string[] {
  if (typeof content === "string") return [];
  return content.flatMap((part) => (part.type === "image" ? [part.source.path] : []));
}

function staysBelow(path: string): boolean {
  return !/^([/\\]|[a-z][a-z0-9+.-]*:)/i.test(path) && !path.split(/[/\\]/).includes("..");
}

function shapeProblems(error: z.ZodError, place: string): readonly string[] {
  return error.issues.map(
    (issue) => `${place}${issue.path.map(String).join(".") || "the value"}: ${issue.message}`,
  );
}
