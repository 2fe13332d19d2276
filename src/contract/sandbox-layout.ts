/**
 * Where things are inside every sandbox, whatever the provider. Windows guests map these in their own folder.
 */
export const sandboxLayout = {
  agentUser: "agent",
  agentUid: 1000,
  home: "/home/agent",
  /** Read-only for the agent. */
  input: "/home/agent/input",
  /** The only place outputs are collected from. */
  output: "/home/agent/output",
  /** Remaining time and budget, as JSON, refreshed while the agent works. */
  budgetFile: "/run/ale/budget.json",
  /** Trusted side only, never on an agent's machine unless said: our package, the Node program, the task. */
  runtime: "/ale/runtime",
  node: "/ale/node/bin/node",
  task: "/ale/runtime/tasks/task",
  reference: "/ale/reference",
  /** On the grader's machine: the frozen artifacts and the staged input, read-only. */
  artifacts: "/ale/artifacts",
  verifierInput: "/ale/input",
  /** On trusted machines: where a task program leaves what it made. */
  result: "/ale/result",
} as const;
