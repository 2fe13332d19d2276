import { expect, test } from "vitest";
import { stepProblems, trajectoryProblems } from "./trajectory-problems.ts";

const agent = { name: "a", version: "1" };
const call = { tool_call_id: "c1", function_name: "bash", arguments: {} };
const good = {
  step_id: 1,
  source: "agent",
  message: "hi",
  tool_calls: [call],
  observation: { results: [{ source_call_id: "c1" }] },
};
const child = { schema_version: "ATIF-v1.7", session_id: "s", agent, steps: [good] };

test("a good trajectory has no problems", () => {
  expect(trajectoryProblems({ ...child, subagent_trajectories: [{ ...child, trajectory_id: "t" }] })).toEqual(
    [],
  );
});

test.each([
  ["a gap in the numbers", { ...good, step_id: 3 }, /step 1 has step_id 3/],
  [
    "a result without its call",
    { ...good, tool_calls: [] },
    /answers the call "c1", which is not in the step/,
  ],
  ["two calls of one id", { ...good, tool_calls: [call, call] }, /two tool calls with the id "c1"/],
  [
    "a field of the agent's at a user",
    { step_id: 1, source: "user", message: "", metrics: {} },
    /metrics, which only the agent's/,
  ],
  ["an unknown member", { ...good, colour: "red" }, /[Uu]nrecognized key.*colour/],
  ["a fourth source", { ...good, source: "environment" }, /source/],
  ["no date", { ...good, timestamp: "yesterday" }, /timestamp/],
])("%s is told with its place", (_, step, message) => {
  const problems = stepProblems(step, 1);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(message);
});

test.each([
  "/tmp/a.png",
  "../a.png",
  "a/../../b.png",
  "C:\\a.png",
  "https://x/a.png",
  "data:image/png;base64,aa",
])("the image path %s is refused", (path) => {
  const image = { type: "image", source: { media_type: "image/png", path } };
  expect(stepProblems({ step_id: 1, source: "user", message: [image] }, 1)).toHaveLength(1);
});

test("an embedded trajectory must have an id of its own", () => {
  const twins = [child, { ...child, trajectory_id: "t" }, { ...child, trajectory_id: "t" }];
  expect(trajectoryProblems({ ...child, subagent_trajectories: twins })).toEqual([
    expect.stringContaining("subagent_trajectories[0] has no trajectory_id"),
    expect.stringContaining('subagent_trajectories[2] repeats the trajectory_id "t"'),
  ]);
});

test("a trajectory needs a step", () => {
  expect(trajectoryProblems({ ...child, steps: [] })).toEqual([expect.stringMatching(/^steps: /)]);
});
