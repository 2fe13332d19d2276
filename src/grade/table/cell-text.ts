import type { NumberFormat } from "../number/parse-quantity.ts";
import type { Cell } from "./table.ts";

/**
 * A cell as text: numbers in their shortest decimal form (with the file's decimal mark, so that typed and text cells
 * read alike), dates as `YYYY-MM-DD`, with `THH:mm:ss` unless it is midnight, in UTC; empty cells are `""`.
 */
export function cellText(cell: Cell, format: NumberFormat = {}): string {
  if (typeof cell === "string") return cell;
  if (cell === null) return "";
  if (typeof cell === "number") {
    const text = String(cell);
    return format.decimal === "," ? text.replace(".", ",") : text;
  }
  if (!(cell instanceof Date)) return String(cell);
  if (Number.isNaN(cell.getTime())) return "invalid date";
  return cell
    .toISOString()
    .replace(/\.000Z$/, "")
    .replace(/T00:00:00$/, "")
    .replace(/Z$/, "");
}
