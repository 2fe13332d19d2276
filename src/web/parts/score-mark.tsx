import type { ReactNode } from "react";
import { score } from "../format.ts";

/** A score in [0, 1]; a full pass has a tick. */
export function ScoreMark({ value }: { readonly value: number | null }): ReactNode {
  const kind = value === null ? "none" : value === 1 ? "pass" : value > 0 ? "part" : "fail";
  return (
    <span className={`score score-${kind}`}>
      {value === 1 ? <span aria-hidden="true">✓ </span> : null}
      {score(value)}
    </span>
  );
}
