import { known, type Maybe, unknown } from "../../contract/absence.ts";
import type { Claim } from "../../contract/claim.ts";
import type { SittingEnd } from "../../contract/sitting-end.ts";
import { noUsage } from "../../contract/usage.ts";
import type { Harness } from "../harness.ts";
import { createHumanDesk } from "./human-desk.ts";
import type { HumanRoom } from "./human-room.ts";
import { humanHarness, humanSummary } from "./uncalled-human.ts";

/** A person, who works from outside the machine by way of a room that shows them their desk. */
export function createHuman(version: string, room: HumanRoom): Harness {
  return {
    name: humanHarness,
    summary: humanSummary,
    outside: true,
    version: async () => version,
    preflight: async () => [],
    needs: async () => ({ mounts: [], env: {} }),
    async launch(session) {
      const { desk, close } = createHumanDesk(session);
      const end = await room.open(desk, session.signal);
      await close();
      if (end !== undefined) {
        const data = end.kind === "submitted" ? { ...end.claim } : { message: end.message };
        session.emit({ type: "agent", kind: `human.${end.kind}`, data });
      }
      return {
        kind: "completed",
        usage: known(noUsage),
        costUsd: unknown("what a person's time costs is not known"),
        claim: claimOf(end),
      };
    },
  };
}

function claimOf(end: SittingEnd | undefined): Maybe<Claim> {
  if (end === undefined) return unknown("the person had not handed in");
  if (end.kind === "submitted") return known(end.claim);
  return known({ kind: "could-not", message: end.message });
}
