import { AleError } from "../../contract/ale-error.ts";
import type { Finding } from "../../contract/finding.ts";
import type { TaskManifest } from "../../contract/task-manifest.ts";
import type { UnfilledMark } from "../lint/find-marks.ts";
import type { TaskInstance, TaskPackage, TaskVerb } from "../task-package.ts";
import { fillInstruction } from "./instruction-template.ts";
import { machineProgram } from "./machine-program.ts";

export interface NativeParts {
  readonly dir: string;
  readonly manifest: TaskManifest;
  readonly contentHash: string;
  readonly sealed: boolean;
  /** `instruction.md` as it is written. */
  readonly instruction: string;
  readonly verbs: ReadonlySet<TaskVerb>;
  readonly findings: readonly Finding[];
  readonly marks: readonly UnfilledMark[];
}

/** A package of our own format, from its parts as read. */
export function nativePackage(parts: NativeParts): TaskPackage {
  const { dir, manifest, contentHash, sealed, findings, marks } = parts;
  return {
    format: "ale",
    dir,
    manifest,
    contentHash,
    sealed,
    findings,
    marks,
    instances: manifest.instances.map(({ variant, seed, params }) => ({
      id: `${manifest.id}@${variant}`,
      variant,
      seed,
      params,
    })),
    async instruction(instance: TaskInstance) {
      return fillInstruction(parts.instruction, instance.params);
    },
    program(verb, instance) {
      if (!parts.verbs.has(verb)) return undefined;
      if (sealed) throw sealedError(manifest.id, verb);
      return machineProgram(verb, instance);
    },
  };
}

function sealedError(id: string, verb: TaskVerb): AleError {
  return new AleError({
    code: "task-sealed",
    message: `${id} is sealed: its program cannot ${verb} without the key`,
    remedy: "open it with the age identity of one of its recipients",
    fields: { task: id, part: verb },
  });
}
