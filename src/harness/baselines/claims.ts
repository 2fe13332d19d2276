import { known, type Maybe, unknown } from "../../contract/absence.ts";
import type { Claim } from "../../contract/claim.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";

/** The accounts of a contestant that calls no model: truly nothing, not unknown. */
export const unpaid: { readonly usage: Maybe<Usage>; readonly costUsd: Maybe<number> } = {
  usage: known(noUsage),
  costUsd: known(0),
};

/** A claim of having done it all; unknown when nothing was said. */
export function claimDone(message: string): Maybe<Claim> {
  return message === "" ? unknown("it said nothing") : known({ kind: "done", message });
}
