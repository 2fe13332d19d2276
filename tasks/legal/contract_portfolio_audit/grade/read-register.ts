import { bad, ok, type Read } from "ale/grade/rubric/read";
import { locateArtifact } from "ale/grade/rubric/read-artifact";
import { readTable } from "ale/grade/table/read-table";
import { columns, type RegisterRow } from "../register.ts";

const mostRows = 5000;

/** The register as handed in, in the spelling of the reference where the instruction leaves a choice. */
export async function readRegister(artifacts: string): Promise<Read<readonly RegisterRow[]>> {
  const path = await locateArtifact(artifacts, "obligations.csv", { maxBytes: 2_000_000 });
  if (path.kind === "bad") return path;
  const table = await readTable(path.value, { format: "csv", limits: { maxRows: mostRows } });
  if (table.kind === "bad") return table;
  const { header, visitRows } = table.value;
  if (header.toSorted().join() !== columns.toSorted().join()) {
    return bad(`obligations.csv must have exactly these columns: ${columns.join(", ")}.`);
  }
  const rows: RegisterRow[] = [];
  const read = await visitRows((cells) => {
    const value = (name: (typeof columns)[number]): string =>
      String(cells[header.indexOf(name)] ?? "").trim();
    rows.push({
      contract: value("contract"),
      party: value("party"),
      obligation: value("obligation"),
      due_date: value("due_date"),
      rule: value("rule").toLowerCase(),
      amount: evenAmount(value("amount")),
      currency: value("currency"),
      document: value("document"),
      clause: value("clause"),
    });
  });
  return read.kind === "bad" ? read : ok(rows);
}

/** `12,500`, `12500.0` and `12500.00` are one amount. */
function evenAmount(text: string): string {
  return /^(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.\d{1,2})?$/.test(text)
    ? Number(text.replaceAll(",", "")).toFixed(2)
    : text;
}
