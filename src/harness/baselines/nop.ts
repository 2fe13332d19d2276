import { unknown } from "../../contract/absence.ts";
import type { Harness } from "../harness.ts";
import { unknownSettings } from "../unknown-settings.ts";
import { unpaid } from "./claims.ts";

/** Does nothing at all: what an untouched machine scores. */
export function createNop(version: string): Harness {
  return {
    name: "nop",
    summary: "does nothing: what an untouched machine scores",
    version: async () => version,
    preflight: async (contestant) => unknownSettings(contestant, []),
    needs: async () => ({ mounts: [], env: {} }),
    launch: async () => ({ kind: "completed", ...unpaid, claim: unknown("it says nothing") }),
  };
}
