import type { Item, ItemIndex, ItemPage, ItemSearch } from "../../server/api/item-page.ts";

const mostHits = 200;
const excerptRadius = 80;

/** What a search of the server would find, among the answers that an export holds of one file of items. */
export function searchExported(
  answers: Readonly<Record<string, unknown>>,
  items: string,
  query: string,
): ItemSearch {
  const { pages } = answers[`${items}/index`] as ItemIndex;
  // As it stands inside a JSON string.
  const wanted = JSON.stringify(query).slice(1, -1).toLowerCase();
  const hits: ItemSearch["hits"][number][] = [];
  for (const { offset, first } of pages) {
    const page = answers[`${items}/page/${offset}`] as ItemPage;
    for (const [index, item] of page.items.entries()) {
      const text = textOf(item, answers[`${items}/at/${item.offset}`] as Item | undefined);
      const at = text.toLowerCase().indexOf(wanted);
      if (at < 0) continue;
      if (hits.length === mostHits) return { hits, more: true };
      const excerpt = text.slice(Math.max(0, at - excerptRadius), at + wanted.length + excerptRadius);
      hits.push({ item: first + index, offset: item.offset, excerpt: excerpt.trim() });
    }
  }
  return { hits, more: false };
}

/** An item whose long texts were cut stands in the export whole as well. */
function textOf(item: Item, whole: Item | undefined): string {
  return JSON.stringify((whole ?? item).value ?? null);
}
