import { type ReactNode, useState } from "react";
import type { SitView } from "../../server/api/sit-view.ts";
import { askJson } from "../data/requests.ts";
import { duration } from "../format.ts";
import { Checks } from "../parts/checks.tsx";
import { ScoreMark } from "../parts/score-mark.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { useText } from "../settings.tsx";

/** What the sitting came to. */
export function SitResultPart({ view }: { readonly view: Extract<SitView, { phase: "ended" }> }): ReactNode {
  const t = useText();
  const { status, reason, score, workMs, verdict, run } = view.result;
  const [isLeft, setLeft] = useState(false);
  const leave = (): void => {
    setLeft(true);
    // A server that is gone already has been left as well.
    askJson("/api/sit/leave", {}).catch(() => undefined);
  };
  return (
    <>
      <div className="facts-line">
        <StateBadge state={status} />
        <ScoreMark value={score} />
        <span>{t("sitWorked", { time: duration(workMs) })}</span>
        <span className="soft">{view.instance}</span>
        <span className="soft">{run}</span>
      </div>
      {reason === "" ? null : <p className="notice">{reason}</p>}
      <h2>{t("verdict")}</h2>
      <Checks verdict={verdict} />
      <p>
        {isLeft ? (
          <span role="status">{t("sitLeft")}</span>
        ) : (
          <button type="button" onClick={leave}>
            {t("sitLeave")}
          </button>
        )}
      </p>
    </>
  );
}
