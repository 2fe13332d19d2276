import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useMemo, useRef } from "react";
import type { TrialState } from "../../server/api/run-summary.ts";
import type { TrialView } from "../../server/api/trial-view.ts";
import { attemptPath, isExported } from "../data/source.ts";
import { useStanding } from "../data/use-standing.ts";
import { Artifacts } from "../parts/artifacts.tsx";
import { BypassNotice } from "../parts/channels.tsx";
import { Checks } from "../parts/checks.tsx";
import { Choice } from "../parts/choice.tsx";
import { LastScreenPicture } from "../parts/last-screen.tsx";
import { LiveScreen } from "../parts/live-screen.tsx";
import { Load } from "../parts/load.tsx";
import { MarkdownText } from "../parts/markdown-text.tsx";
import { ScoreMark } from "../parts/score-mark.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TrialFacts } from "../parts/trial-facts.tsx";
import { useText } from "../settings.tsx";
import { Timeline } from "../timeline/timeline.tsx";

const route = "/runs/$run/trials/$trial/$attempt";
const parts = ["checks", "timeline", "artifacts", "instruction", "facts"] as const;
type Part = (typeof parts)[number];

/** One attempt: how it ended, what it was asked, did and left. */
export function TrialPage(): ReactNode {
  const { run, trial, attempt } = useParams({ from: route });
  const path = attemptPath(run, trial, Number(attempt));
  return <Load<TrialView> path={path}>{(view) => <Trial view={view} path={path} />}</Load>;
}

function Trial({ view, path }: { readonly view: TrialView; readonly path: string }): ReactNode {
  const t = useText();
  const search = useSearch({ from: route });
  const { row } = view;
  const part: Part =
    parts.find((candidate) => candidate === search.part) ?? (isGoingOn(view) ? "timeline" : "checks");
  const state = view.attempt === row.attempt ? row.state : (view.grade?.status ?? "not-finished");
  return (
    <article>
      <p className="crumbs">
        <Link to="/runs">{t("runs")}</Link> /{" "}
        <Link to="/runs/$run" params={{ run: view.run }}>
          {view.run}
        </Link>
      </p>
      <h1>{view.title ?? row.instance}</h1>
      <div className="facts-line">
        <StateBadge state={state} />
        <ScoreMark value={view.grade?.score.known ? view.grade.score.value : null} />
        <span>{row.contestant}</span>
        <span className="soft">{row.instance}</span>
        <span className="soft">
          {t("repeat")} {row.repeat}
        </span>
        <AttemptChoice view={view} />
      </div>
      {view.result !== undefined && view.result.reason !== "" ? (
        <p className="notice">
          {t("reason")}: {view.result.reason}
        </p>
      ) : null}
      <BypassNotice use={view.result?.channels} />
      {view.withheld.map((held) => (
        <p key={held.what} className="notice">
          {t("withheld", { reason: held.reason })}
        </p>
      ))}
      {differs(view) ? <p className="notice">{t("accountsDiffer")}</p> : null}
      {view.taskChanged ? <p className="notice">{t("taskChanged")}</p> : null}
      {view.problems.map((problem) => (
        <p key={problem} className="notice">
          {problem}
        </p>
      ))}
      {isGoingOn(view) ? <Live path={path} /> : null}
      {isScreenEvidence(state) ? <LastScreenPicture screen={view.result?.lastScreen} path={path} /> : null}
      <PartTabs part={part} />
      <div className="panel" role="tabpanel" id="part-panel" aria-labelledby={`part-${part}`}>
        <PartOf part={part} view={view} path={path} />
      </div>
    </article>
  );
}

function Live({ path }: { readonly path: string }): ReactNode {
  return <LiveScreen path={path} known={useStanding(path)} />;
}

function PartOf({
  part,
  view,
  path,
}: {
  readonly part: Part;
  readonly view: TrialView;
  readonly path: string;
}): ReactNode {
  const t = useText();
  switch (part) {
    case "checks":
      return <Checks verdict={view.verdict} />;
    case "timeline":
      return (
        <Timeline
          items={view.items}
          path={path}
          startedAt={view.result?.startedAt}
          isLive={isGoingOn(view)}
        />
      );
    case "artifacts":
      return <Artifacts view={view} path={path} />;
    case "instruction":
      return view.instruction === undefined ? (
        <p className="soft">{t("noInstruction")}</p>
      ) : (
        <MarkdownText text={view.instruction} />
      );
    case "facts":
      return (
        <>
          <TrialFacts view={view} />
          <LastScreenPicture screen={view.result?.lastScreen} path={path} />
        </>
      );
  }
}

function AttemptChoice({ view }: { readonly view: TrialView }): ReactNode {
  const t = useText();
  const navigate = useNavigate();
  const options = useMemo(
    () => view.attempts.map((number) => ({ value: String(number), text: String(number) })),
    [view.attempts],
  );
  if (options.length < 2) return null;
  return (
    <Choice
      label={t("attempt")}
      value={String(view.attempt)}
      options={options}
      onChange={(attempt) =>
        navigate({ to: route, params: { run: view.run, trial: view.row.trial, attempt } })
      }
    />
  );
}

/** Tabs as the ARIA practices have them: arrows move, one tab stop. */
function PartTabs({ part }: { readonly part: Part }): ReactNode {
  const t = useText();
  const navigate = useNavigate({ from: route });
  const list = useRef<HTMLDivElement>(null);
  const show = (next: Part): void => {
    navigate({ search: (before) => ({ ...before, part: next }), replace: true, resetScroll: false });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = parts[(parts.indexOf(part) + step + parts.length) % parts.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    show(next);
    list.current?.querySelector<HTMLElement>(`#part-${next}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" ref={list} onKeyDown={onKeyDown}>
      {parts.map((name) => (
        <button
          key={name}
          id={`part-${name}`}
          type="button"
          role="tab"
          aria-selected={name === part}
          aria-controls="part-panel"
          tabIndex={name === part ? 0 : -1}
          onClick={() => show(name)}
        >
          {t(name)}
        </button>
      ))}
    </div>
  );
}

/** Where what the screen showed last says how it came to that. */
function isScreenEvidence(state: TrialState): boolean {
  return state === "env_error" || state === "agent_error";
}

function isGoingOn(view: TrialView): boolean {
  const isLatest = view.attempt === view.attempts.at(-1);
  return !isExported && isLatest && view.result === undefined && view.row.state === "running";
}

function differs({ result }: TrialView): boolean {
  const { differences = [], substitutions = [] } = result?.accounts ?? {};
  return differences.length + substitutions.length > 0;
}
