import type { ReactNode } from "react";
import type { TrialState } from "../../server/api/run-summary.ts";
import { useText } from "../settings.tsx";

/** How a trial stands, in a word; colour only repeats it. */
export function StateBadge({ state }: { readonly state: TrialState | "finished" | "unfinished" }): ReactNode {
  const t = useText();
  return <span className={`badge badge-${state}`}>{t(state)}</span>;
}
