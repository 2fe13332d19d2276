import { type MouseEvent, type ReactNode, useMemo } from "react";
import type { UsagePoint, UsageTrack } from "../../server/api/usage-track.ts";
import { useData } from "../data/use-data.ts";
import { dollars, tokens } from "../format.ts";
import { useText } from "../settings.tsx";

const width = 1000;
const height = 56;

/** Tokens and cost as they add up along the timeline; a click leads to the item there. Nothing where nothing is told. */
export function UsageStrip({
  path,
  count,
  current,
  onChoose,
}: {
  /** Of the items. */
  readonly path: string;
  readonly count: number;
  /** Item that the reader stands at. */
  readonly current: number;
  readonly onChoose: (item: number) => void;
}): ReactNode {
  const t = useText();
  const loaded = useData<UsageTrack>(`${path}/usage`);
  const track = loaded.kind === "value" ? loaded.value : undefined;
  const drawn = useMemo(() => (track === undefined ? undefined : shapeOf(track, count)), [track, count]);
  const last = track?.points.at(-1);
  if (track === undefined || last === undefined || drawn === undefined) return null;
  if (track.withTokens + track.withCost === 0) return <p className="soft note">{t("usageUnknown")}</p>;
  const here = track.points.findLast((point) => point.item <= current);
  const choose = (event: MouseEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    onChoose(Math.round(((event.clientX - box.left) / box.width) * (count - 1)));
  };
  const words = (point: UsagePoint): string =>
    t("usageText", {
      input: tokens(point.input),
      cached: tokens(point.cached),
      output: tokens(point.output),
      cost: track.withCost === 0 ? t("costUnknown") : dollars(point.costUsd),
    });
  return (
    <figure className="usage">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys move through the list below, to the same places */}
      <svg
        role="img"
        aria-label={t("usageChart")}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        onClick={choose}
      >
        <path className="usage-area" d={drawn} />
        <line className="usage-here" x1={xOf(current, count)} x2={xOf(current, count)} y1={0} y2={height} />
      </svg>
      <figcaption>
        <span>
          {t("usageTotal")} {words(last)}
        </span>
        <span>
          {t("usageHere", { n: current + 1 })} {here === undefined ? "–" : words(here)}
        </span>
        {track.withTokens < track.taken ? (
          <span>{t("usagePart", { known: track.withTokens, all: track.taken, what: t("tokens") })}</span>
        ) : null}
        {track.withCost > 0 && track.withCost < track.taken ? (
          <span>{t("usagePart", { known: track.withCost, all: track.taken, what: t("cost") })}</span>
        ) : null}
      </figcaption>
    </figure>
  );
}

/** A staircase: of cost where any is known, of tokens otherwise. */
function shapeOf({ points, withCost }: UsageTrack, count: number): string {
  const amount = (point: UsagePoint): number => (withCost > 0 ? point.costUsd : point.input + point.output);
  const top = amount(points.at(-1) ?? { item: 0, input: 0, cached: 0, output: 0, costUsd: 0 }) || 1;
  const steps = points.map((point) => {
    const y = (height - 2) * (1 - amount(point) / top) + 2;
    return `H${xOf(point.item, count).toFixed(1)}V${y.toFixed(1)}`;
  });
  return `M0 ${height}${steps.join("")}H${width}V${height}Z`;
}

function xOf(item: number, count: number): number {
  return count < 2 ? 0 : (item / (count - 1)) * width;
}
