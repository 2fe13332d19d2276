import { existsSync } from "node:fs";
import type { Contestant } from "../contract/contestant.ts";
import type { Finding } from "../contract/finding.ts";
import type { Limits } from "../contract/limits.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { Harness } from "../harness/harness.ts";
import type { CliContext } from "./cli-context.ts";
import { replayFolder } from "./replay-folder.ts";

/** What stands in the way of the contestants' models: unknown names, no key, no price, no wire in common. */
export function modelFindings(
  context: CliContext,
  gateway: Gateway,
  harnesses: ReadonlyMap<string, Harness>,
  contestants: readonly Contestant[],
  limits: Limits,
): readonly Finding[] {
  const driven = contestants.filter(({ harness, model }) => {
    return model !== undefined && harnesses.get(harness)?.wires !== undefined;
  });
  return [
    ...replayFindings(context, driven),
    ...driven.flatMap((contestant) => gateway.check(contestant, limits)),
    ...driven.flatMap((contestant): Finding[] => {
      const spoken = gateway.wiresOf(contestant);
      const wires = harnesses.get(contestant.harness)?.wires ?? [];
      if (spoken.length === 0 || wires.some((wire) => spoken.includes(wire))) return [];
      return [
        {
          severity: "error",
          code: "no-common-wire",
          message: `${contestant.name}: ${contestant.harness} speaks ${wires.join(", ")}; the server of ${contestant.model} speaks ${spoken.join(", ")}`,
          remedy: "take another harness, or add a server that speaks its wire to models.yaml",
        },
      ];
    }),
  ];
}

/** Recordings that are named and not there. */
function replayFindings(context: CliContext, contestants: readonly Contestant[]): readonly Finding[] {
  return contestants.flatMap((contestant): Finding[] => {
    const folder = replayFolder(context, contestant);
    if (folder === undefined || existsSync(folder)) return [];
    return [
      {
        severity: "error",
        code: "no-recording",
        message: `${contestant.name}: there is no folder of recordings at ${folder}`,
        remedy: "name one with model: replay:<folder>, relative to where ale is run",
      },
    ];
  });
}
