import type { Mount } from "../../sandbox/provider.ts";

/** Of mounts on the same place the first; the rest in the order given. Harness, line and runtime may all bring Node. */
export function distinctTargets(mounts: readonly Mount[]): readonly Mount[] {
  const taken = new Set<string>();
  return mounts.filter(({ target }) => {
    if (taken.has(target)) return false;
    taken.add(target);
    return true;
  });
}
