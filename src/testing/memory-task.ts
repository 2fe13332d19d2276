import { type TaskManifest, taskManifestSchema } from "../contract/task-manifest.ts";
import type { TaskInstance, TaskPackage, TaskProgram, TaskVerb } from "../task/task-package.ts";

export interface MemoryTaskOptions {
  /** Default `computing_math/sum`. */
  readonly id?: string;
  /** Host folder of the package; need not hold anything but `input/` and `reference/`, if that. */
  readonly dir: string;
  readonly variants?: readonly string[];
  /** The parts the task has; each runs the program of the same name of a memory sandbox. */
  readonly verbs?: readonly TaskVerb[];
  readonly contentHash?: string;
  readonly sealed?: boolean;
  readonly marks?: TaskPackage["marks"];
  /** Fields of `task.yaml` that differ from a small default. */
  readonly manifest?: Readonly<Record<string, unknown>>;
}

/** A task package that exists only in memory, its parts programs of a memory sandbox: `task-grade`, `task-solve`… */
export function createMemoryTask(options: MemoryTaskOptions): TaskPackage {
  const { id = "computing_math/sum", variants = ["small"], verbs = ["grade", "solve"] } = options;
  const manifest: TaskManifest = taskManifestSchema.parse({
    schema: "ale/task@1",
    id,
    title: "Sum",
    summary: "Adds numbers up.",
    taxonomy: { subfield: "9.2", soc: ["15-2041"] },
    tier: "near-term",
    interface: ["shell"],
    outputs: [{ path: "total.txt", kind: "txt" }],
    instances: variants.map((variant) => ({ variant })),
    provenance: { authors: ["A. Tester"], human_minutes: 5 },
    canary: "memory-task-canary-0000",
    ...options.manifest,
  });
  return {
    format: "memory",
    dir: options.dir,
    manifest,
    contentHash: options.contentHash ?? `sha256:${"0".repeat(64)}`,
    instances: manifest.instances.map((spec) => ({ ...spec, id: `${id}@${spec.variant}` })),
    sealed: options.sealed ?? false,
    findings: [],
    marks: options.marks ?? [],
    instruction: async (instance: TaskInstance) => `Add the numbers of ${instance.id} up.`,
    program: (verb: TaskVerb): TaskProgram | undefined =>
      verbs.includes(verb) ? { argv: [`task-${verb}`], env: {}, result: "ale" } : undefined,
  };
}
