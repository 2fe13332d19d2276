import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { About } from "../../server/api/about.ts";
import type { BoardView } from "../../server/api/board-view.ts";
import type { RunList } from "../../server/api/run-summary.ts";
import type { TaskList } from "../../server/api/task-view.ts";
import { isExported } from "../data/source.ts";
import { useData } from "../data/use-data.ts";
import { Choice } from "../parts/choice.tsx";
import { Load } from "../parts/load.tsx";
import { ReportedBoard } from "../parts/reported-board.tsx";
import { VerifiedBoard } from "../parts/verified-board.tsx";
import { useText } from "../settings.tsx";

const verified = ["full-pass-verified", "mean-verified"] as const;
const reported = ["reported-full-pass", "reported-mean"] as const;
type Lane = (typeof verified)[number] | (typeof reported)[number];

/** The board: one lane at a time. */
export function BoardPage(): ReactNode {
  const t = useText();
  const search = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  const about = useData<About>("about");
  const runs = useData<RunList>("runs");
  const hasReported = about.kind === "value" && about.value.reported;
  const hasRuns = runs.kind !== "value" || runs.value.runs.length > 0;
  const lanes: readonly Lane[] = [...verified, ...(hasReported ? reported : [])];
  const standard: Lane = !hasRuns && hasReported ? "reported-full-pass" : "full-pass-verified";
  const lane = lanes.find((candidate) => candidate === search.lane) ?? standard;
  const isVerified = verified.some((candidate) => candidate === lane);
  const set = (change: Partial<Record<keyof typeof search, string>>): void => {
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  };
  return (
    <>
      <h1>{t("board")}</h1>
      <div className="fields">
        <Choice
          label={t("lane")}
          value={lane}
          options={lanes.map((value) => ({ value, text: t(value) }))}
          onChange={(value) => set({ lane: value })}
        />
        {isVerified ? (
          <RunChoice value={search.run ?? ""} runs={runs} onChange={(run) => set({ run })} />
        ) : null}
        {isVerified && !isExported ? (
          <TaskFilters domain={search.domain ?? ""} tier={search.tier ?? ""} onChange={set} />
        ) : null}
      </div>
      {isVerified && !hasRuns ? (
        <p className="soft">{t("noRuns")}</p>
      ) : (
        <Load<BoardView> path={boardPath(lane, search)}>
          {(view) =>
            view.kind === "verified" ? <VerifiedBoard view={view} /> : <ReportedBoard board={view.board} />
          }
        </Load>
      )}
    </>
  );
}

function boardPath(lane: Lane, search: Readonly<Record<string, string | undefined>>): string {
  if (lane.startsWith("reported")) return `board/${lane}`;
  const query = (["run", "domain", "tier"] as const).flatMap((name) => {
    const value = search[name];
    return value === undefined || value === "" ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  return query.length === 0 ? `board/${lane}` : `board/${lane}?${query.join("&")}`;
}

function RunChoice({
  value,
  runs,
  onChange,
}: {
  readonly value: string;
  readonly runs: ReturnType<typeof useData<RunList>>;
  readonly onChange: (run: string) => void;
}): ReactNode {
  const t = useText();
  if (runs.kind !== "value" || runs.value.runs.length < 2) return null;
  const [newest] = runs.value.runs;
  const options = runs.value.runs.map((run) => ({
    value: run.id === newest?.id ? "" : run.id,
    text: run.id,
  }));
  return <Choice label={t("run")} value={value} options={options} onChange={onChange} />;
}

function TaskFilters({
  domain,
  tier,
  onChange,
}: {
  readonly domain: string;
  readonly tier: string;
  readonly onChange: (change: { readonly domain?: string; readonly tier?: string }) => void;
}): ReactNode {
  const t = useText();
  const tasks = useData<TaskList>("tasks");
  if (tasks.kind !== "value") return null;
  const options = (
    values: readonly string[],
  ): readonly { readonly value: string; readonly text: string }[] => [
    { value: "", text: t("all") },
    ...[...new Set(values)].sort().map((value) => ({ value, text: value })),
  ];
  return (
    <>
      <Choice
        label={t("domain")}
        value={domain}
        options={options(tasks.value.tasks.map((task) => task.domain))}
        onChange={(value) => onChange({ domain: value })}
      />
      <Choice
        label={t("tier")}
        value={tier}
        options={options(tasks.value.tasks.map((task) => task.tier))}
        onChange={(value) => onChange({ tier: value })}
      />
    </>
  );
}
