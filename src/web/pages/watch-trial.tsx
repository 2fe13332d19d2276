import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import type { TrialView } from "../../server/api/trial-view.ts";
import { attemptPath } from "../data/source.ts";
import { renew, useData } from "../data/use-data.ts";
import { useStanding } from "../data/use-standing.ts";
import { LiveScreen } from "../parts/live-screen.tsx";
import { Show } from "../parts/load.tsx";
import { MarkdownText } from "../parts/markdown-text.tsx";
import { ScoreMark } from "../parts/score-mark.tsx";
import { clockText, useServerClock } from "../parts/server-clock.ts";
import { StateBadge } from "../parts/state-badge.tsx";
import { useText } from "../settings.tsx";
import { useTail } from "../timeline/use-tail.ts";
import { type Course, courseOf, WatchEvents } from "./watch-events.tsx";

const renewMs = 1000;

export interface WatchTrialProps {
  readonly run: string;
  readonly trial: string;
  readonly attempt: number;
}

/** One trial as it goes on, and how it ended. */
export function WatchTrial({ run, trial, attempt }: WatchTrialProps): ReactNode {
  const path = attemptPath(run, trial, attempt);
  const loaded = useData<TrialView>(path);
  return (
    <Show loaded={loaded}>
      {(view) => {
        const hidden = view.withheld.find(({ what }) => what === "content");
        return hidden === undefined ? (
          <Going view={view} path={path} />
        ) : (
          <Withheld view={view} reason={hidden.reason} />
        );
      }}
    </Show>
  );
}

function Withheld({ view, reason }: { readonly view: TrialView; readonly reason: string }): ReactNode {
  const t = useText();
  return (
    <>
      <h1>{view.row.instance}</h1>
      <p className="notice">{t("withheld", { reason })}</p>
    </>
  );
}

function Going({ view, path }: { readonly view: TrialView; readonly path: string }): ReactNode {
  const t = useText();
  const known = useStanding(path);
  const items = useTail(`${path}/items/events`, true) ?? [];
  const course = courseOf(items);
  const { row, result } = view;
  const isLost = known.standing?.state === "lost";
  const isAwaited = known.standing?.state === "ended" && result === undefined;
  useEffect(() => {
    if (!isAwaited) return;
    renew(path);
    const timer = setInterval(() => renew(path), renewMs);
    return () => clearInterval(timer);
  }, [isAwaited, path]);
  return (
    <>
      <h1>{view.title ?? row.instance}</h1>
      <div className="facts-line">
        {result === undefined ? (
          <>
            <StateBadge state={isLost ? "not-finished" : "running"} />
            {known.standing === undefined || isLost ? null : (
              <Elapsed course={course} now={known.standing.now} />
            )}
          </>
        ) : (
          <>
            <StateBadge state={result.status} />
            <ScoreMark value={view.grade?.score.known ? view.grade.score.value : null} />
            <span>{t("watchTook", { time: clockText(result.wallMs) })}</span>
          </>
        )}
        <span>{row.contestant}</span>
        <span className="soft">{row.instance}</span>
        {view.attempt === 1 ? null : (
          <span className="soft">
            {t("attempt")} {view.attempt}
          </span>
        )}
      </div>
      {result === undefined ? null : (
        <p className="watch-ended" role="status">
          {t("watchEnded")} {result.reason === "" ? null : `${result.reason} `}
          <Link
            to="/runs/$run/trials/$trial/$attempt"
            params={{ run: view.run, trial: row.trial, attempt: String(view.attempt) }}
          >
            {t("watchWhole")}
          </Link>
        </p>
      )}
      <div className="watch-columns">
        <div className="watch-main">
          <LiveScreen path={path} known={known} />
          <section aria-labelledby="watch-instruction">
            <h2 id="watch-instruction">{t("instruction")}</h2>
            {view.instruction === undefined ? (
              <p className="soft">{t("noInstruction")}</p>
            ) : (
              <MarkdownText text={view.instruction} />
            )}
          </section>
        </div>
        <WatchEvents items={items} />
      </div>
    </>
  );
}

/** How long it has gone on, and the agent of its limit. */
function Elapsed({ course, now: told }: { readonly course: Course; readonly now: number }): ReactNode {
  const t = useText();
  const now = useServerClock(told);
  const { startedAt, phase } = course;
  if (startedAt === undefined) return null;
  return (
    <>
      <span role="timer" className="watch-timer">
        {clockText(now - startedAt)}
      </span>
      {phase === undefined ? null : (
        <span className="soft">
          {phase.limitMs === undefined
            ? t("watchPhase", { phase: phase.name, time: clockText(now - phase.since) })
            : t("watchPhaseOf", {
                phase: phase.name,
                time: clockText(now - phase.since),
                limit: clockText(phase.limitMs),
              })}
        </span>
      )}
    </>
  );
}
