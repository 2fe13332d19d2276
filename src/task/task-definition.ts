import type { Random } from "../contract/random.ts";
import type { ParameterValue } from "../contract/task-manifest.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { ProbeKind } from "./probe-kind.ts";

export type TaskParams = Readonly<Record<string, ParameterValue>>;

interface InstanceContext<P extends TaskParams> {
  /** `domain/name@variant`. */
  readonly instance: string;
  readonly params: P;
  readonly seed: number;
}

export interface GenerateContext<P extends TaskParams> extends InstanceContext<P> {
  /** Empty folders to fill; what is in the package's own `input/` and `reference/` is already there. */
  readonly input: string;
  readonly reference: string;
  /** Seeded by the instance: the same seed must give the same bytes. */
  readonly random: Random;
}

export interface SetupContext<P extends TaskParams> extends InstanceContext<P> {
  readonly input: string;
  readonly home: string;
}

export interface CollectContext<P extends TaskParams> extends InstanceContext<P> {
  /** The agent's output folder; a trusted collect step may add dumps of live state. */
  readonly output: string;
}

export interface GradeContext<P extends TaskParams> extends InstanceContext<P> {
  /** The frozen artifacts, read-only: paths are those of the manifest's outputs. */
  readonly artifacts: string;
  /** The input as staged, not the agent's copy. */
  readonly input: string;
  readonly reference: string;
  /** Scratch space, empty, writable. */
  readonly scratch: string;
}

export interface SolveContext<P extends TaskParams> extends InstanceContext<P> {
  readonly input: string;
  /** Where the outputs go. */
  readonly output: string;
  /** Scratch space, empty, writable. */
  readonly scratch: string;
}

export interface ProbeContext<P extends TaskParams> extends InstanceContext<P> {
  readonly input: string;
  /** Read it to make near misses and valid alternatives; a probe is the grader's test, not a contestant. */
  readonly reference: string;
  /** Holds a copy of the oracle's outputs; change it into what the probe hands in. */
  readonly output: string;
  readonly random: Random;
}

/** An output with the score it must get. */
export interface Probe<P extends TaskParams> {
  /** Kebab-case, unique in the task. */
  readonly name: string;
  readonly kind: ProbeKind;
  /** Exact score, or the closed range it must fall in. A valid alternative must expect 1. */
  readonly expected: number | readonly [low: number, high: number];
  /** Why the score is fair, in a sentence. */
  readonly because: string;
  make(context: ProbeContext<P>): Promise<void> | void;
}

/** A task's program. Only `grade` is required; a ranked task also has `solve` and `probes`. */
export interface TaskDefinition<P extends TaskParams = TaskParams> {
  generate?(context: GenerateContext<P>): Promise<void> | void;
  setup?(context: SetupContext<P>): Promise<void> | void;
  collect?(context: CollectContext<P>): Promise<void> | void;
  /** Pure in its inputs: no clock, no network, no unseeded random. Throws only for a broken reference or a bug. */
  grade(context: GradeContext<P>): Promise<Verdict> | Verdict;
  /** The oracle: honest work on the input only. */
  solve?(context: SolveContext<P>): Promise<void> | void;
  readonly probes?: readonly Probe<P>[];
}
