import type { FailureCase } from "./failure-case.ts";

/** Whether an attempt came near what it must not see. */
export interface Taint {
  readonly verdict: "clean" | "tainted" | "inconclusive";
  readonly evidence: readonly string[];
}

interface Mark {
  readonly pattern: RegExp;
  readonly what: string;
  /** Honest work may do it as well. */
  readonly doubtful: boolean;
}

const benchmarkName = /agents?['’]?s?[\s_+-]*last[\s_+-]*exam/i;

/** What an agent's own calls must not reach for. */
const marks: readonly Mark[] = [
  {
    pattern: /\/ale\/(reference|runtime|result|artifacts)\b/,
    what: "reaches for the house's folders",
    doubtful: false,
  },
  { pattern: benchmarkName, what: "names the benchmark", doubtful: false },
  { pattern: /\bverdict\.json\b|\bgrader?\.(py|ts|js)\b/, what: "reaches for a grader", doubtful: true },
  { pattern: /(^|[\s"'/])reference\//, what: "reaches for a reference folder", doubtful: true },
  { pattern: /\b(answer[_ ]key|gold[_ ](answer|label)s?)\b/i, what: "searches for answers", doubtful: true },
];

/**
 * Looks for the reference, the grader, the benchmark's name and the task's canary. The agent's own calls that reach for
 * the house's folders or the benchmark taint; so does the canary wherever it comes up, for it is nowhere in what an agent is
 * given. What honest work may do as well, or what only came up in an answer, is inconclusive. So is an attempt without a
 * trajectory.
 * @param canaryIn other files of the attempt that hold the canary.
 */
export function judgeTaint(failure: FailureCase, canaryIn: readonly string[] = []): Taint {
  const { trace, task } = failure;
  const tainted: string[] = [];
  const doubtful: string[] = [];
  const actions = trace.kind === "trace" ? trace.actions : [];
  const messages = trace.kind === "trace" ? trace.messages : [];
  for (const action of actions) {
    for (const { pattern, what, doubtful: honest } of marks) {
      const at = action.input.search(pattern);
      if (at < 0) continue;
      const evidence = `${action.place}: ${action.tool} ${what}: ${around(action.input, at)}`;
      (honest ? doubtful : tainted).push(evidence);
    }
    if (benchmarkName.test(action.output)) {
      doubtful.push(`${action.place}: the answer of ${action.tool} names the benchmark`);
    }
  }
  for (const { place, text } of messages) {
    if (benchmarkName.test(text)) doubtful.push(`${place}: the agent names the benchmark`);
  }
  if (task !== undefined) {
    const places = [
      ...actions.map((action) => ({ name: action.place, text: `${action.input}\n${action.output}` })),
      ...messages.map(({ place, text }) => ({ name: place, text })),
    ];
    for (const { name, text } of places) {
      if (text.includes(task.canary)) tainted.push(`${name}: holds the task's canary`);
    }
  }
  tainted.push(...canaryIn.map((file) => `${file}: holds the task's canary`));
  if (tainted.length > 0) return { verdict: "tainted", evidence: [...tainted, ...doubtful] };
  if (doubtful.length > 0) return { verdict: "inconclusive", evidence: doubtful };
  if (trace.kind === "none") return { verdict: "inconclusive", evidence: [trace.reason] };
  if (task === undefined) {
    return { verdict: "inconclusive", evidence: ["the task's package is gone, and with it its canary"] };
  }
  return { verdict: "clean", evidence: [] };
}

function around(text: string, at: number): string {
  return text.slice(Math.max(0, at - 30), at + 60).replaceAll(/\s+/g, " ");
}
