import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import type { WatchedTrial, WatchView } from "../../server/api/watch-view.ts";
import { usePolled } from "../data/use-polled.ts";
import { Problem } from "../parts/load.tsx";
import { clockText, useServerClock } from "../parts/server-clock.ts";
import { type Translate, useText } from "../settings.tsx";
import "../style/watch.css";
import { WatchTrial } from "./watch-trial.tsx";

/** The trials of a run as they go on, one of them seen. */
export function WatchPage(): ReactNode {
  const t = useText();
  const { view, problem } = usePolled<WatchView>("watch");
  const shown = useShown(view);
  return (
    <article className="watch">
      {problem === undefined ? null : <Problem problem={problem} />}
      {view === undefined ? (
        problem === undefined && <p className="soft">{t("loading")}</p>
      ) : (
        <>
          <div className="watch-top">
            <p className="crumbs">
              {view.run} · {standingOf(view, t)}
            </p>
            <Running view={view} shown={shown} />
          </div>
          <Conducting view={view} />
          {shown === undefined ? null : (
            <WatchTrial key={`${shown.trial}/${shown.attempt}`} run={view.run} {...shown} />
          )}
        </>
      )}
    </article>
  );
}

function standingOf({ running, finished, planned }: WatchView, t: Translate): string {
  return t("watchStanding", { running: running.length, finished, planned });
}

/** What is to be said of the run itself. */
function Conducting({ view }: { readonly view: WatchView }): ReactNode {
  const t = useText();
  const { conducted, finished, planned, running, run } = view;
  if (conducted) return running.length === 0 ? <p role="status">{t("watchNothing")}</p> : null;
  if (finished === planned) return <p role="status">{t("watchOver")}</p>;
  return (
    <p className="notice" role="alert">
      {t("watchGone", { finished, planned, run })}
    </p>
  );
}

interface Shown {
  readonly trial: string;
  readonly attempt: number;
}

/** The trial of the page's address, else the one that was asked for, else the first that runs: it stays when it has ended. */
function useShown(view: WatchView | undefined): Shown | undefined {
  const search = useSearch({ from: "/watch" });
  const navigate = useNavigate({ from: "/watch" });
  const { trial, attempt } = search;
  const first = view?.running.find((one) => one.trial === view.asked) ?? view?.running[0];
  useEffect(() => {
    if (trial !== undefined || first === undefined) return;
    navigate({ search: { trial: first.trial, attempt: String(first.attempt) }, replace: true });
  }, [trial, first, navigate]);
  return trial === undefined ? undefined : { trial, attempt: Number(attempt ?? 1) };
}

/** The trials to choose from. */
function Running({
  view,
  shown,
}: {
  readonly view: WatchView;
  readonly shown: Shown | undefined;
}): ReactNode {
  const t = useText();
  const now = useServerClock(view.now);
  const navigate = useNavigate({ from: "/watch" });
  const isShown = (one: WatchedTrial): boolean => one.trial === shown?.trial && one.attempt === shown.attempt;
  if (view.running.every(isShown)) return null;
  return (
    <nav aria-label={t("watchTrials")}>
      <ul className="watch-trials">
        {view.running.map((one) => (
          <li key={one.trial}>
            <button
              type="button"
              aria-current={isShown(one)}
              onClick={() => navigate({ search: { trial: one.trial, attempt: String(one.attempt) } })}
            >
              <b>{one.title ?? one.instance}</b>
              <span className="soft">
                {one.contestant} · {clockText(now - one.startedAt)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
