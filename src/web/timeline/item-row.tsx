import { type ReactNode, useMemo, useState } from "react";
import type { Item, ItemUsage } from "../../server/api/item-page.ts";
import type { ItemFile } from "../../server/api/trial-view.ts";
import { fileAddress } from "../data/source.ts";
import { useData } from "../data/use-data.ts";
import { dollars, duration, tokens } from "../format.ts";
import { CodeBlock, JsonText } from "../parts/json-text.tsx";
import { Show } from "../parts/load.tsx";
import { useText } from "../settings.tsx";
import { describeItem, type ItemPart, type ItemView } from "./describe-item.ts";

export interface ItemRowProps {
  readonly measure: (element: HTMLElement | null) => void;
  readonly number: number;
  /** Where it stands in the list, in pixels. */
  readonly top: number;
  readonly kind: ItemFile["kind"];
  /** Of the attempt. */
  readonly path: string;
  /** Absent while its page is on its way. */
  readonly item: Item | undefined;
  /** Time that others are told from. */
  readonly start: number | undefined;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly onToggle: (number: number) => void;
  readonly onLink: (number: number) => void;
}

/** One line of the timeline; opened it shows all there is. */
export function ItemRow(props: ItemRowProps): ReactNode {
  const { measure, number, top, kind, path, item, start, isCurrent, isOpen, onToggle, onLink } = props;
  const t = useText();
  const view = useMemo(
    () => (item?.value === undefined ? undefined : describeItem(kind, item.value)),
    [kind, item],
  );
  const teaser = view === undefined ? "" : teaserOf(view);
  return (
    <li
      ref={measure}
      data-index={number}
      className={`item ${isCurrent ? "item-current" : ""} ${view?.failed === true ? "item-failed" : ""}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div className="item-head">
        <button type="button" className="item-toggle" aria-expanded={isOpen} onClick={() => onToggle(number)}>
          <span className="item-number">{number + 1}</span>
          <span className="item-time">
            {view?.at === undefined || start === undefined ? "" : duration(Math.max(0, view.at - start))}
          </span>
          <span className={`item-type item-type-${view?.type ?? "other"}`}>{view?.type ?? ""}</span>
          <span className="item-title">
            {item === undefined ? t("loading") : (view?.title ?? item.problem)}
            {isOpen || teaser === "" ? null : <span className="item-teaser"> {teaser}</span>}
          </span>
          {item?.usage === undefined ? null : <span className="item-usage">{usageText(item.usage)}</span>}
        </button>
        <button
          type="button"
          className="item-link"
          aria-label={t("linkTo", { n: number + 1 })}
          title={t("linkTo", { n: number + 1 })}
          onClick={() => onLink(number)}
        >
          #
        </button>
      </div>
      {isOpen && item !== undefined && view !== undefined ? (
        <Body view={view} item={item} kind={kind} path={path} />
      ) : null}
    </li>
  );
}

function Body({
  view,
  item,
  kind,
  path,
}: {
  readonly view: ItemView;
  readonly item: Item;
  readonly kind: ItemFile["kind"];
  readonly path: string;
}): ReactNode {
  const t = useText();
  const [whole, setWhole] = useState(false);
  return (
    <div className="item-body">
      {whole ? (
        <WholeItem path={path} kind={kind} offset={item.offset} />
      ) : (
        <Parts parts={view.parts} path={path} />
      )}
      {item.clipped && !whole ? (
        <button type="button" onClick={() => setWhole(true)}>
          {t("showWhole")}
        </button>
      ) : null}
    </div>
  );
}

function WholeItem({
  path,
  kind,
  offset,
}: {
  readonly path: string;
  readonly kind: ItemFile["kind"];
  readonly offset: number;
}): ReactNode {
  const loaded = useData<Item>(`${path}/items/${kind}/at/${offset}`);
  return (
    <Show loaded={loaded}>
      {({ value }) =>
        value === undefined ? null : <Parts parts={describeItem(kind, value).parts} path={path} />
      }
    </Show>
  );
}

function Parts({ parts, path }: { readonly parts: readonly ItemPart[]; readonly path: string }): ReactNode {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a fixed item never move
    <div key={index} className={`part part-${part.kind}`}>
      {part.label === "" ? null : <span className="part-label">{part.label}</span>}
      <PartBody part={part} path={path} />
    </div>
  ));
}

function PartBody({ part, path }: { readonly part: ItemPart; readonly path: string }): ReactNode {
  switch (part.kind) {
    case "text":
      return <p className="part-words">{part.text}</p>;
    case "output":
      return <CodeBlock text={part.text} />;
    case "json":
      return <JsonText value={part.value} />;
    case "image": {
      const address = fileAddress(path, part.path);
      if (address === undefined) return <span className="soft">{part.path}</span>;
      return <img className="preview-image" src={address} alt={part.path} loading="lazy" />;
    }
  }
}

/** `12.3k → 450 · $0.02` */
function usageText({ tokens: counts, costUsd }: ItemUsage): string {
  return [
    ...(counts === undefined ? [] : [`${tokens(counts.input)} → ${tokens(counts.output)}`]),
    ...(costUsd === undefined ? [] : [dollars(costUsd)]),
  ].join(" · ");
}

/** The beginning of what it holds, for a closed line; may be empty. */
export function teaserOf(view: ItemView): string {
  for (const part of view.parts) {
    const text =
      part.kind === "json"
        ? JSON.stringify(part.value)
        : part.kind === "image"
          ? part.path
          : part.text.trimStart();
    const line = text.slice(0, 240).replaceAll(/\s+/g, " ");
    if (line !== view.title && line !== "") return line;
  }
  return "";
}
