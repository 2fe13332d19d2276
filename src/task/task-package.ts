import type { Finding } from "../contract/finding.ts";
import type { ParameterValue, TaskManifest } from "../contract/task-manifest.ts";
import type { UnfilledMark } from "./lint/find-marks.ts";

/** One runnable case of a workflow. */
export interface TaskInstance {
  /** `domain/name@variant`. */
  readonly id: string;
  readonly variant: string;
  readonly seed: number;
  readonly params: Readonly<Record<string, ParameterValue>>;
}

/** The parts of a task that run as programs, each in a sandbox of ours. */
export type TaskVerb = "generate" | "setup" | "collect" | "grade" | "solve" | "probe";

/**
 * How to run one part: the reader of each format fills it in.
 *
 * A program of result kind `ale` finds and leaves things at these places of `sandboxLayout`:
 * - `generate`: `result/input` and `result/reference` already hold the package's own files; it adds to them.
 * - `setup` (root, on the agent's machine): `input`, `home`. `collect` (root, after quiesce): `output`.
 * - `solve`: reads `input`, writes `output`.
 * - `grade`: reads `artifacts`, `verifierInput` and `reference`, writes `result/verdict.json`.
 * - `probe`: reads `artifacts` (the oracle's outputs), `verifierInput` and `reference`; writes one folder per
 *   probe, `result/probes/<name>/`, and `result/probes.json`, a list of `{name, kind, expected, because}`.
 *
 * Exit status 0 when done; else the end of standard error says why. Scratch space is the temporary folder.
 */
export interface TaskProgram {
  /** Inside the sandbox, with the package mounted at `sandboxLayout.task`. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What is read back: our own JSON under `sandboxLayout.result`, or a foreign reward file. */
  readonly result: "ale" | "reward-file" | "none";
}

/** A task package as read from disk: immutable, and without the reference's contents. */
export interface TaskPackage {
  /** `ale`, or the foreign format it was read from. */
  readonly format: string;
  readonly dir: string;
  readonly manifest: TaskManifest;
  /** `sha256:…` over everything that can move a score. */
  readonly contentHash: string;
  readonly instances: readonly TaskInstance[];
  /** The reference and grader are encrypted; grading needs the key. */
  readonly sealed: boolean;
  /** Warnings of the reader; a package with errors is not read at all. */
  readonly findings: readonly Finding[];
  /** What its author has still to write. A package with any is a draft: exams and the gallery leave it out. */
  readonly marks: readonly UnfilledMark[];
  /** The instruction as the agent gets it, parameters filled in. */
  instruction(instance: TaskInstance): Promise<string>;
  /** The program for a part, or `undefined` when the task has none. */
  program(verb: TaskVerb, instance: TaskInstance): TaskProgram | undefined;
}

/** Outcome of reading one folder: a package, or what is wrong with it. Never a throw for a malformed package. */
export type ReadOutcome =
  | { readonly kind: "package"; readonly task: TaskPackage }
  | { readonly kind: "malformed"; readonly dir: string; readonly findings: readonly Finding[] };

/** One way to lay out a task on disk; foreign formats stand beside the native one. */
export interface TaskFormat {
  readonly name: string;
  /** True when the folder looks like a task of this format. Cheap: no parsing. */
  detect(dir: string): Promise<boolean>;
  read(dir: string): Promise<ReadOutcome>;
}
