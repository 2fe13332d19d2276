import type {
  BankAccount,
  BankItem,
  JournalEntry,
  LedgerItem,
  PriorItem,
  Reconciliation,
  ReconcilingItem,
} from "../items.ts";
import type { Inputs } from "./read-inputs.ts";

type Source = LedgerItem | PriorItem;

/** Works the month through as a bookkeeper does: what is settled first, then why the rest is not. */
export function reconcile({ bank, ledger, prior, balances }: Inputs, periodEnd: string): Reconciliation {
  const sources: readonly Source[] = [...prior, ...ledger];
  const used = new Set<Source>();
  const pairs: { readonly item: BankItem; readonly source: Source }[] = [];
  const entries: JournalEntry[] = [];
  const unsettled: BankItem[] = [];
  for (const item of bank) {
    const found = item.reversal ? [] : settledBy(item, sources, used);
    for (const source of found) {
      used.add(source);
      pairs.push({ item, source });
    }
    if (found.length === 0) unsettled.push(item);
  }
  for (const item of unsettled) {
    const other = otherSide(item);
    entries.push(entry(item.date, item.reference, [item.account, item.cents], [other, -item.cents]));
  }
  for (const { item, source } of pairs) {
    if (item.account !== source.account) {
      entries.push(
        entry(periodEnd, nameOf(source), [source.account, -source.cents], [item.account, source.cents]),
      );
    }
    const shared = pairs.filter((pair) => pair.item === item).length > 1;
    const off = shared ? 0 : item.cents - source.cents;
    if (off !== 0)
      entries.push(entry(periodEnd, nameOf(source), [item.account, off], [partyAccount(source), -off]));
  }
  const items: ReconcilingItem[] = [];
  for (const source of sources.filter((candidate) => !used.has(candidate))) {
    const isTwice =
      "entry" in source && ledger.some((one) => one !== source && one.document === source.document);
    const isStale = source.cents < 0 && daysBetween(source.date, periodEnd) > 180;
    if (isTwice) {
      entries.push(
        entry(
          periodEnd,
          nameOf(source),
          [source.account, -source.cents],
          [partyAccount(source), source.cents],
        ),
      );
    } else if (isStale) {
      entries.push(entry(periodEnd, nameOf(source), [source.account, -source.cents], ["2090", source.cents]));
    } else {
      const itemClass = source.cents > 0 ? "deposit_in_transit" : "outstanding_cheque";
      const { account, date } = source;
      items.push({ account, itemClass, reference: nameOf(source), date, cents: Math.abs(source.cents) });
    }
  }
  const adjustments = entries.flatMap(({ date, reference, lines }) =>
    lines
      .filter(({ account }) => account === "1010" || account === "1020")
      .map(
        ({ account, cents }): ReconcilingItem => ({
          account: account as BankAccount,
          itemClass: "book_adjustment",
          reference,
          date,
          cents,
        }),
      ),
  );
  const matches = pairs.map(({ item, source }) => ({
    account: item.account,
    bank: item.reference,
    ledger: nameOf(source),
    cents: source.cents,
  }));
  return { matches, items: [...items, ...adjustments], entries, balances };
}

/** The postings a statement line settles: by batch, by document, by amount and date; none for what is not booked. */
function settledBy(item: BankItem, sources: readonly Source[], used: ReadonlySet<Source>): readonly Source[] {
  const open = sources.filter((source) => !used.has(source));
  const batch = /\bB\d{8}\b/.exec(item.text)?.[0];
  if (batch !== undefined) {
    return open.filter((source) => "description" in source && source.description.endsWith(` ${batch}`));
  }
  if (["CHG", "INT", "FEE"].includes(item.code)) return [];
  const said = plain(`${item.code === "CHK" ? `CHQ${item.customerReference}` : ""} ${item.text}`);
  const named = open.filter((source) => said.includes(plain(source.document)));
  const own = named.find((source) => source.account === item.account) ?? named[0];
  if (own !== undefined) return [own];
  const alike = open.filter(
    (source) =>
      source.account === item.account &&
      source.cents === item.cents &&
      Math.abs(daysBetween(source.date, item.date)) <= 6,
  );
  return alike.slice(0, 1);
}

function otherSide(item: BankItem): string {
  if (item.reversal) return item.cents < 0 ? "1100" : "2000";
  if (item.code === "INT") return "7010";
  return item.code === "FEE" ? "6820" : "6810";
}

function partyAccount({ cents }: Source): string {
  return cents > 0 ? "1100" : "2000";
}

function entry(
  date: string,
  reference: string,
  ...lines: readonly (readonly [string, number])[]
): JournalEntry {
  return { date, reference, lines: lines.map(([account, cents]) => ({ account, cents })) };
}

function nameOf(source: Source): string {
  return "item" in source ? source.item : source.entry;
}

function plain(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, "");
}

function daysBetween(first: string, second: string): number {
  return (Date.parse(second) - Date.parse(first)) / 86_400_000;
}
