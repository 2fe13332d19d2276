import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SolveContext } from "ale/task";
import type { Params } from "../params.ts";
import { columns } from "../register.ts";
import { consolidate } from "./consolidate.ts";
import { findConflicts } from "./find-conflicts.ts";
import { isInForce, makeRegister, readContract } from "./make-register.ts";
import { readDocument } from "./read-document.ts";

/** Reads the documents, brings every contract up to date, and writes what it then says. */
export function solve({ input, output, params }: SolveContext<Params>): void {
  const folder = join(input, "contracts");
  const documents = readdirSync(folder)
    .toSorted()
    .map((name) => readDocument(folder, name));
  const lines = readFileSync(join(input, "holidays.csv"), "utf8").trimEnd().split("\n").slice(1);
  const holidays = new Set(lines.map((line) => line.slice(0, 10)));
  const review = params.review_date;
  const contracts = [...Map.groupBy(documents, ({ contract }) => contract).values()].flatMap((group) => {
    const standing = consolidate(group, review);
    const contract = standing === undefined ? undefined : readContract(standing);
    return contract !== undefined && isInForce(contract, review) ? [contract] : [];
  });
  const rows = contracts.flatMap((contract) => makeRegister(contract, review, holidays));
  const table = [columns.join(","), ...rows.map((row) => columns.map((name) => quoted(row[name])).join(","))];
  writeFileSync(join(output, "obligations.csv"), `${table.join("\n")}\n`);
  writeFileSync(
    join(output, "conflicts.json"),
    `${JSON.stringify(findConflicts(contracts, review), null, 2)}\n`,
  );
}

function quoted(value: string): string {
  return /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
