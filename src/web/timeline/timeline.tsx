import { useNavigate, useSearch } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { ItemFile } from "../../server/api/trial-view.ts";
import { bytes } from "../format.ts";
import { Choice } from "../parts/choice.tsx";
import { Show } from "../parts/load.tsx";
import { ScrollWindow } from "../parts/scroll-window.tsx";
import { useText } from "../settings.tsx";
import { ItemRow } from "./item-row.tsx";
import { ItemSearchBox } from "./item-search.tsx";
import { UsageStrip } from "./usage-strip.tsx";
import { useItems } from "./use-items.ts";

const route = "/runs/$run/trials/$trial/$attempt";

/** What happened, in order of time: steps of the trajectory where there is one, else events, else model calls. */
export function Timeline({
  items,
  path,
  startedAt,
  isLive,
}: {
  readonly items: readonly ItemFile[];
  readonly path: string;
  readonly startedAt: number | undefined;
  /** The attempt is going on. */
  readonly isLive: boolean;
}): ReactNode {
  const t = useText();
  const search = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const preferred =
    items.find((file) => file.kind === "steps") ?? items.find((file) => file.kind === "events");
  const file = items.find((candidate) => candidate.kind === search.kind) ?? preferred ?? items[0];
  if (file === undefined) return <p className="soft">{t("emptyTimeline")}</p>;
  return (
    <>
      {items.length > 1 ? (
        <Choice
          label={t("timeline")}
          value={file.kind}
          options={items.map(({ kind, bytes: size }) => ({
            value: kind,
            text: `${t(kind)} (${bytes(size)})`,
          }))}
          onChange={(kind) =>
            navigate({
              search: ({ item: _, ...rest }) => ({ ...rest, kind }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      ) : null}
      <ItemList key={file.kind} kind={file.kind} path={path} startedAt={startedAt} isLive={isLive} />
    </>
  );
}

function ItemList({
  kind,
  path,
  startedAt,
  isLive,
}: {
  readonly kind: ItemFile["kind"];
  readonly path: string;
  readonly startedAt: number | undefined;
  readonly isLive: boolean;
}): ReactNode {
  const t = useText();
  const search = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const items = useItems(`${path}/items/${kind}`, isLive);
  const frame = useRef<HTMLElement>(null);
  const chosen = search.item === undefined ? undefined : Number(search.item);
  const [current, setCurrent] = useState(chosen ?? 0);
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(chosen === undefined ? [] : [chosen]));
  const virtual = useVirtualizer({
    count: items.count,
    getScrollElement: () => frame.current,
    estimateSize: () => 44,
    overscan: 12,
    useFlushSync: false,
  });
  const shown = virtual.getVirtualItems();
  const from = shown[0]?.index ?? 0;
  const to = shown.at(-1)?.index ?? 0;
  const { want } = items;
  useEffect(() => want(from, to), [want, from, to]);

  const start = startedAt ?? firstTime(items.get(0)?.value);
  const scrollTo = useRef(chosen);
  useEffect(() => {
    // The place of a link: as soon as so many items are known to be there.
    const wanted = scrollTo.current;
    if (wanted === undefined || wanted >= items.count) return;
    scrollTo.current = undefined;
    virtual.scrollToIndex(wanted, { align: "start" });
  }, [items.count, virtual]);

  const isAtEnd = useRef(false);
  useEffect(() => {
    // Who reads the newest goes on doing so.
    if (isLive && isAtEnd.current && items.count > 0) virtual.scrollToIndex(items.count - 1);
  }, [isLive, items.count, virtual]);

  const go = (number: number, align: "auto" | "center" = "auto"): void => {
    const next = Math.max(0, Math.min(items.count - 1, number));
    setCurrent(next);
    virtual.scrollToIndex(next, { align });
  };
  const toggle = (number: number): void => {
    setCurrent(number);
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(number)) after.add(number);
      return after;
    });
  };
  const link = (number: number): void => {
    setCurrent(number);
    navigate({
      search: (before) => ({ ...before, part: "timeline", kind, item: String(number) }),
      replace: true,
      resetScroll: false,
    });
  };
  const moves: ReadonlyMap<string, () => void> = new Map([
    ["j", () => go(current + 1)],
    ["ArrowDown", () => go(current + 1)],
    ["k", () => go(current - 1)],
    ["ArrowUp", () => go(current - 1)],
    ["Home", () => go(0)],
    ["End", () => go(items.count - 1)],
    ["Enter", () => toggle(current)],
    ["/", () => document.getElementById("item-search")?.focus()],
  ]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== frame.current) return;
    const move = moves.get(event.key);
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  isAtEnd.current = items.count === 0 || to >= items.count - 2;
  return (
    <Show loaded={items.first}>
      {() => (
        <>
          <ItemSearchBox
            path={`${path}/items/${kind}`}
            onChoose={(number) => {
              setOpen((before) => new Set(before).add(number));
              go(number, "center");
            }}
          />
          <p className="soft note">
            {isLive ? <span className="badge badge-running">{t("live")}</span> : null}{" "}
            {t("itemsCount", { n: items.count.toLocaleString() })} · {t("timelineHelp")}
            {items.leftOut === 0 ? null : ` · ${t("itemsLeftOut", { n: items.leftOut.toLocaleString() })}`}
          </p>
          {items.counted && (kind === "steps" || kind === "calls") ? (
            <UsageStrip
              path={`${path}/items/${kind}`}
              count={items.count}
              current={current}
              onChoose={(number) => go(number, "center")}
            />
          ) : null}
          <ScrollWindow className="timeline" frame={frame} onKeyDown={onKeyDown} label={t("timeline")}>
            <ol style={{ height: virtual.getTotalSize() }}>
              {shown.map((slot) => (
                <ItemRow
                  key={slot.key}
                  measure={virtual.measureElement}
                  number={slot.index}
                  top={slot.start}
                  kind={kind}
                  path={path}
                  item={items.get(slot.index)}
                  start={start}
                  isCurrent={slot.index === current}
                  isOpen={open.has(slot.index)}
                  onToggle={toggle}
                  onLink={link}
                />
              ))}
            </ol>
          </ScrollWindow>
        </>
      )}
    </Show>
  );
}

function firstTime(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("at" in value)) return undefined;
  return typeof value.at === "number" ? value.at : undefined;
}
