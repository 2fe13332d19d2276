import type { JsonValue } from "../../contract/json-value.ts";
import { systemCode } from "../../files/system-code.ts";
import type { Item, ItemIndex, ItemPage, ItemSearch } from "../api/item-page.ts";
import { clipValue } from "./clip-value.ts";
import { type ItemBytes, itemRanges } from "./item-ranges.ts";
import { type ItemSource, itemsOf } from "./item-source.ts";

/** A page ends with the item that reaches either. */
const pageItems = 200;
const pageBytes = 512 * 1024;
const mostHits = 200;
const excerptRadius = 80;

/** The items from an offset on, one page of them. An absent file is an empty page. */
export async function readItemPage(source: ItemSource, from: number): Promise<ItemPage> {
  const items: Item[] = [];
  let next = from;
  for await (const item of itemsOf(source, from)) {
    // Only a further item shows that this page is not the last.
    if (isFull(items.length, next - from)) return { items, next: item.start, done: false };
    items.push(readItem(item, source, true));
    next = item.end;
  }
  return { items, next, done: true };
}

/** One item, whole; `undefined` where none starts. */
export async function readWholeItem(source: ItemSource, offset: number): Promise<Item | undefined> {
  for await (const item of itemsOf(source, offset)) return readItem(item, source, false);
  return undefined;
}

/** Where the pages start: by the same rule as {@link readItemPage}. */
export async function indexItems({ path, framing }: ItemSource): Promise<ItemIndex> {
  const pages: { offset: number; first: number }[] = [];
  let count = 0;
  let end = 0;
  try {
    for await (const ranges of itemRanges(path, framing)) {
      for (const range of ranges) {
        const page = pages.at(-1);
        if (page === undefined) pages.push({ offset: 0, first: 0 });
        else if (isFull(count - page.first, end - page.offset)) {
          pages.push({ offset: range.start, first: count });
        }
        count += 1;
        end = range.end;
      }
    }
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
  return { count, pages };
}

/** Items whose text holds `query`, in any case, with what stands around it. */
export async function searchItems(source: ItemSource, query: string): Promise<ItemSearch> {
  // As it stands inside a JSON string.
  const wanted = JSON.stringify(query).slice(1, -1).toLowerCase();
  const hits: ItemSearch["hits"][number][] = [];
  let item = 0;
  for await (const { start, bytes } of itemsOf(source, 0)) {
    const text = textOf(bytes, source);
    const at = text.toLowerCase().indexOf(wanted);
    if (at >= 0) {
      if (hits.length === mostHits) return { hits, more: true };
      const excerpt = text.slice(Math.max(0, at - excerptRadius), at + wanted.length + excerptRadius);
      hits.push({ item, offset: start, excerpt: excerpt.trim() });
    }
    item += 1;
  }
  return { hits, more: false };
}

function isFull(items: number, bytes: number): boolean {
  return items >= pageItems || bytes >= pageBytes;
}

function textOf(bytes: Buffer, { mask }: ItemSource): string {
  const text = bytes.toString("utf8");
  return mask === undefined ? text : mask(text);
}

function readItem({ start, bytes }: ItemBytes, source: ItemSource, clip: boolean): Item {
  try {
    const whole = JSON.parse(textOf(bytes, source)) as JsonValue;
    const { value, clipped } = clip ? clipValue(whole) : { value: whole, clipped: false };
    const usage = source.usageOf?.(whole);
    return { offset: start, value, ...(usage === undefined ? {} : { usage }), clipped };
  } catch (error) {
    return { offset: start, problem: error instanceof Error ? error.message : String(error), clipped: false };
  }
}
