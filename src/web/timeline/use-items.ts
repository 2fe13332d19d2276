import { useCallback, useMemo, useState } from "react";
import type { Item, ItemIndex, ItemPage } from "../../server/api/item-page.ts";
import { readJson } from "../data/source.ts";
import { type Loaded, useData } from "../data/use-data.ts";
import { useTail } from "./use-tail.ts";

/** Items of a file, of which pages are read when they are looked at. */
export interface Items {
  /** Items there are, as far as is known. */
  readonly count: number;
  /** Items that an export left out. */
  readonly leftOut: number;
  readonly first: Loaded<ItemPage>;
  /** The number of all items is known: nothing more urgent is on its way. */
  readonly counted: boolean;
  get(number: number): Item | undefined;
  /** Reads the pages that hold these items, unless they are here. */
  want(from: number, to: number): void;
}

/**
 * Reads `path` (an attempt's `items/<kind>`) page by page; the first page comes before the index of all. Of an
 * attempt that is going on, every item as it is written.
 */
export function useItems(path: string, isLive: boolean): Items {
  const tail = useTail(path, isLive);
  const first = useData<ItemPage>(`${path}/page/0`);
  const index = useData<ItemIndex>(`${path}/index`);
  const [pages, setPages] = useState<ReadonlyMap<number, ItemPage>>(new Map());
  const [asked] = useState(() => new Set<number>());
  const starts = useMemo(
    () => (index.kind === "value" ? index.value.pages : [{ offset: 0, first: 0 }]),
    [index],
  );
  const pageOf = useCallback(
    (number: number) => {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle]?.first ?? 0) <= number) low = middle;
        else high = middle - 1;
      }
      return starts[low];
    },
    [starts],
  );
  const get = useCallback(
    (number: number) => {
      const place = pageOf(number);
      if (place === undefined) return undefined;
      const page =
        place.offset === 0 ? (first.kind === "value" ? first.value : undefined) : pages.get(place.offset);
      return page?.items[number - place.first];
    },
    [pageOf, pages, first],
  );
  const want = useCallback(
    (from: number, to: number) => {
      for (const { offset } of new Set([pageOf(from), pageOf(to)].filter((place) => place !== undefined))) {
        if (offset === 0 || asked.has(offset)) continue;
        asked.add(offset);
        readJson<ItemPage>(`${path}/page/${offset}`).then(
          (page) => setPages((before) => new Map(before).set(offset, page)),
          // Asked for again when it is next looked at.
          () => asked.delete(offset),
        );
      }
    },
    [pageOf, asked, path],
  );
  if (tail !== undefined) {
    return {
      leftOut: 0,
      counted: true,
      count: tail.length,
      first: { kind: "value", value: { items: tail, next: 0, done: false } },
      get: (number) => tail[number],
      want: () => undefined,
    };
  }
  const known = first.kind === "value" ? first.value.items.length : 0;
  const leftOut = index.kind === "value" ? (index.value.leftOut ?? 0) : 0;
  return {
    leftOut,
    counted: index.kind === "value",
    count: index.kind === "value" ? Math.max(index.value.count, known) : known,
    first,
    get,
    want,
  };
}
