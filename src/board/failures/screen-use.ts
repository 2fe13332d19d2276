import type { AttemptJudgement } from "./judge-attempt.ts";

/** Whether a contestant works where a task asks it to: on the screen. Reported, never scored. */
export interface ScreenUse {
  readonly contestant: string;
  /** Attempts, passed ones included, whose task asks for a screen that no call used. */
  readonly avoided: number;
  /** Without a trajectory, or without the task's package. */
  readonly cannotTell: number;
  /** Attempts that used the screen, or whose task does not ask for it. */
  readonly others: number;
}

/** The rule `gui-avoided` over all attempts. */
export function screenUse(judgements: readonly AttemptJudgement[]): readonly ScreenUse[] {
  const groups = Map.groupBy(judgements, (judgement) => judgement.contestant);
  return [...groups].map(([contestant, own]): ScreenUse => {
    const avoided = own.filter(({ rules }) => rules.some(({ rule }) => rule === "gui-avoided")).length;
    const cannotTell = own.filter(({ untold }) => untold.some(({ rule }) => rule === "gui-avoided")).length;
    return { contestant, avoided, cannotTell, others: own.length - avoided - cannotTell };
  });
}
