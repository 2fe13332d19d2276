import type { BankItem } from "../items.ts";

export interface StatementHeader {
  readonly iban: string;
  readonly number: number;
  readonly opening: number;
  readonly openingDate: string;
  readonly closingDate: string;
}

const linesPerPage = 9;

/** One statement as SWIFT MT940 messages, one per page (balances 60F/60M … 62M/62F), CRLF as banks send them. */
export function writeMt940(header: StatementHeader, items: readonly BankItem[]): string {
  const pages: BankItem[][] = [];
  for (let from = 0; from < items.length; from += linesPerPage)
    pages.push(items.slice(from, from + linesPerPage));
  if (pages.length === 0) pages.push([]);
  let balance = header.opening;
  let date = header.openingDate;
  return pages
    .map((page, index) => {
      const isLast = index === pages.length - 1;
      const lines = [
        `:20:STM${header.number}P${index + 1}`,
        `:25:${header.iban}`,
        `:28C:${header.number}/${index + 1}`,
        `:60${index === 0 ? "F" : "M"}:${balanceField(date, balance)}`,
      ];
      for (const item of page) {
        balance += item.cents;
        date = item.date;
        lines.push(...itemLines(item));
      }
      if (isLast) date = header.closingDate;
      lines.push(`:62${isLast ? "F" : "M"}:${balanceField(date, balance)}`);
      if (isLast) lines.push(`:64:${balanceField(date, balance)}`);
      return `{1:F01NORDDEH1AXXX0000000000}{2:I940HARROWPIKEXXN}{4:\r\n${lines.join("\r\n")}\r\n-}\r\n`;
    })
    .join("");
}

function itemLines(item: BankItem): string[] {
  const { date, cents, code, reversal, customerReference, reference, text } = item;
  // A reversed credit takes money away, so the mark names what is reversed.
  const mark = reversal ? (cents > 0 ? "RD" : "RC") : cents > 0 ? "C" : "D";
  const day = date.slice(2).replaceAll("-", "");
  const first = `:61:${day}${day.slice(2)}${mark}R${amount(cents)}N${code}${customerReference || "NONREF"}//${reference}`;
  const parts = text.match(/.{1,27}/g) ?? [""];
  const subfields = parts.map((part, index) => `?${20 + index}${part}`).join("");
  const wrapped = (`166?00${title(item)}?10931${subfields}`.match(/.{1,65}/g) ?? []).join("\r\n");
  return [first, `:86:${wrapped}`];
}

function title({ code, cents, reversal }: BankItem): string {
  if (reversal) return "REVERSAL";
  if (code === "CHK") return "CHEQUE";
  if (code === "CHG") return "CHARGES";
  if (code === "INT") return "INTEREST";
  return cents > 0 ? "CREDIT TRANSFER" : "TRANSFER";
}

function amount(cents: number): string {
  const absolute = Math.abs(cents);
  return `${Math.floor(absolute / 100)},${String(absolute % 100).padStart(2, "0")}`;
}

function balanceField(date: string, cents: number): string {
  return `${cents < 0 ? "D" : "C"}${date.slice(2).replaceAll("-", "")}EUR${amount(cents)}`;
}
