import type { BankItem } from "../items.ts";

export interface ReadStatement {
  readonly items: readonly BankItem[];
  /** Closing balance, 62F of the last page. */
  readonly closing: number;
}

/** Reads the messages of one MT940 file. Lines that start with no tag continue the field before. */
export function readMt940(text: string): ReadStatement {
  const fields: { tag: string; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line === "" || line === "-}" || line.startsWith("{1:")) continue;
    const match = /^:(\d{2}[A-Z]?):(.*)$/.exec(line);
    if (match !== null) fields.push({ tag: match[1] as string, lines: [match[2] as string] });
    else fields.at(-1)?.lines.push(line);
  }
  const items: BankItem[] = [];
  let closing = 0;
  for (const [index, { tag, lines }] of fields.entries()) {
    if (tag === "61") items.push(readLine(lines[0] as string, fields[index + 1]?.lines ?? []));
    if (tag === "62F") {
      const match = /^([CD])\d{6}[A-Z]{3}([\d,]+)$/.exec(lines[0] as string);
      closing = (match?.[1] === "D" ? -1 : 1) * centsOf(match?.[2] ?? "0");
    }
  }
  return { items, closing };
}

function readLine(line: string, information: readonly string[]): BankItem {
  const match = /^(\d{6})(?:\d{4})?(R?)([CD])[A-Z]?([\d,]+)N([A-Z]{3})(.*?)\/\/(.+)$/.exec(line);
  if (match === null) throw new Error(`not a statement line: ${line}`);
  const [, date = "", reverse, side, amount = "", code = "", customer = "", reference = ""] = match;
  const gains = (side === "C") !== (reverse === "R");
  const text = information
    .join("")
    .split("?")
    .filter((part) => /^2\d/.test(part))
    .map((part) => part.slice(2))
    .join("");
  return {
    account: "1010",
    reference,
    date: `20${date.slice(0, 2)}-${date.slice(2, 4)}-${date.slice(4)}`,
    cents: (gains ? 1 : -1) * centsOf(amount),
    code,
    reversal: reverse === "R",
    customerReference: customer === "NONREF" ? "" : customer,
    text,
  };
}

function centsOf(text: string): number {
  const [whole = "0", part = ""] = text.split(",");
  return Number(whole) * 100 + Number(part.padEnd(2, "0"));
}
