import type { TaskInstance } from "../../task/task-package.ts";

/**
 * The environment of every trusted run of a task's program: one time zone, one language, one date for tools
 * that stamp their output, one hash seed. Part of the comparability key.
 */
export const fixedEnvironment = {
  TZ: "UTC",
  LANG: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  /** 2025-01-01T00:00:00Z, in seconds. */
  SOURCE_DATE_EPOCH: "1735689600",
  PYTHONHASHSEED: "0",
} as const;

/** {@link fixedEnvironment} with the instance's seed as `ALE_SEED`. */
export function environmentFor(instance: TaskInstance): Readonly<Record<string, string>> {
  return { ...fixedEnvironment, ALE_SEED: String(instance.seed) };
}
