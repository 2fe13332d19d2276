import type { Harness } from "../harness.ts";

/** Name of the harness whose contestants are people. */
export const humanHarness = "human";

/** The one line that listings have for it. */
export const humanSummary = "a person at a page in the browser: npx ale sit, not --agent";

/** What a person is among the harnesses of an exam of agents: known, and refused before it with what to do instead. */
export function uncalledHuman(version: string): Harness {
  const remedy = "sit an instance yourself: npx ale sit <instance> --name <you>";
  return {
    name: humanHarness,
    summary: humanSummary,
    outside: true,
    version: async () => version,
    preflight: async ({ name }) => [
      {
        severity: "error",
        code: "human-not-run",
        message: `${name}: a person sits one instance at a page of their own, and cannot be run like an agent`,
        remedy,
      },
    ],
    needs: async () => ({ mounts: [], env: {} }),
    launch: async () => {
      const untold = { known: false, reason: "nobody sat" } as const;
      return {
        kind: "env-error",
        reason: `nobody was called to sit; ${remedy}`,
        usage: untold,
        costUsd: untold,
        claim: untold,
      };
    },
  };
}
