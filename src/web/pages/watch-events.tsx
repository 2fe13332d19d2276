import { type ReactNode, useMemo } from "react";
import type { TrialEvent } from "../../contract/trial-event.ts";
import type { Item } from "../../server/api/item-page.ts";
import { duration } from "../format.ts";
import { ScrollWindow } from "../parts/scroll-window.tsx";
import { useText } from "../settings.tsx";
import { describeItem } from "../timeline/describe-item.ts";
import { teaserOf } from "../timeline/item-row.tsx";
import "../style/watch.css";

const mostShown = 60;

/** Where an attempt has come to, by its events. Times in milliseconds since the Unix epoch. */
export interface Course {
  readonly startedAt?: number;
  readonly phase?: { readonly name: string; readonly since: number; readonly limitMs?: number };
}

export function courseOf(items: readonly Item[]): Course {
  const first = items[0]?.value as TrialEvent | undefined;
  if (first === undefined) return {};
  const begun = items.findLast(({ value }) => (value as TrialEvent | undefined)?.type === "phase-started");
  const event = begun?.value as TrialEvent | undefined;
  if (event?.type !== "phase-started") return { startedAt: first.at };
  const { phase: name, at: since, limitMs } = event;
  return { startedAt: first.at, phase: { name, since, ...(limitMs === undefined ? {} : { limitMs }) } };
}

/** The latest events, newest first. */
export function WatchEvents({ items }: { readonly items: readonly Item[] }): ReactNode {
  const t = useText();
  const start = courseOf(items).startedAt ?? 0;
  const latest = items.slice(-mostShown).toReversed();
  return (
    <section className="watch-events" aria-labelledby="watch-events">
      <h2 id="watch-events">{t("watchEvents")}</h2>
      {items.length === 0 ? <p className="soft">{t("emptyTimeline")}</p> : null}
      <ScrollWindow className="scroll-window watch-list" label={t("watchEvents")}>
        <ol>
          {latest.map((item) => (
            <EventLine key={item.offset} item={item} start={start} />
          ))}
        </ol>
      </ScrollWindow>
      {items.length > mostShown ? (
        <p className="soft note">{t("watchEarlier", { n: (items.length - mostShown).toLocaleString() })}</p>
      ) : null}
    </section>
  );
}

function EventLine({ item, start }: { readonly item: Item; readonly start: number }): ReactNode {
  const view = useMemo(
    () => (item.value === undefined ? undefined : describeItem("events", item.value)),
    [item],
  );
  if (view === undefined) return <li>{item.problem}</li>;
  return (
    <li className={view.failed ? "item-failed" : ""}>
      <span className="item-time">{view.at === undefined ? "" : duration(Math.max(0, view.at - start))}</span>
      <span className={`item-type item-type-${view.type}`}>{view.type}</span>
      <span className="watch-event">
        {view.title} <span className="soft">{teaserOf(view)}</span>
      </span>
    </li>
  );
}
