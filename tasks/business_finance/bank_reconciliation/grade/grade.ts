import type { Outcome } from "ale/grade/outcome";
import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { readJson } from "ale/grade/rubric/read-artifact";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import { gradeAgreement } from "ale/grade/sequence/agreement";
import type { GradeContext } from "ale/task";
import { parseMoney } from "../formats/money.ts";
import type { Reconciliation } from "../items.ts";
import type { Params } from "../params.ts";
import { entryKey, entryKeys, unbalancedEntries } from "./journal-keys.ts";
import { readTableRows } from "./read-table-rows.ts";
import { workbookChecks } from "./workbook-checks.ts";

/** Gates on a register that matches at least half and a workbook that opens; then register, journal and workbook. */
export async function grade(context: GradeContext<Params>): Promise<ReturnType<typeof weightedRubric>> {
  const { artifacts, reference, scratch } = context;
  const truth = fromReference(await readJson(reference, "truth.json")) as unknown as Reconciliation;
  const columns = ["account", "bank_reference", "ledger_reference", "ledger_amount"];
  const register = await readTableRows(artifacts, "matched_items.csv", columns);
  const expected = truth.matches.map(({ account, bank, ledger, cents }) =>
    matchKey(account, bank, ledger, cents),
  );
  const matching: Outcome =
    register.kind === "bad"
      ? register.outcome
      : gradeAgreement(
          register.value.map((row) =>
            matchKey(
              row["account"],
              row["bank_reference"],
              row["ledger_reference"],
              parseMoney(row["ledger_amount"] ?? ""),
            ),
          ),
          expected,
          {},
        );
  const usable = matching.score >= 0.5;
  const gate = check({
    id: "usable",
    stage: "matching",
    gate: true,
    outcome: {
      score: usable ? 1 : 0,
      message: usable ? "The register matches at least half." : `No usable register: ${matching.message}`,
    },
  });
  if (!usable) return weightedRubric([gate]);
  return weightedRubric([
    gate,
    check({ id: "matched-items", stage: "matching", weight: 0.2, outcome: matching }),
    ...(await journalChecks(artifacts, truth)),
    ...(await workbookChecks(artifacts, scratch, truth)),
  ]);
}

async function journalChecks(artifacts: string, truth: Reconciliation) {
  const columns = ["entry", "date", "account", "debit", "credit", "reference"];
  const rows = await readTableRows(artifacts, "journal_entries.csv", columns);
  const entries =
    rows.kind === "bad"
      ? rows.outcome
      : gradeAgreement(entryKeys(rows.value), truth.entries.map(entryKey), {});
  const unbalanced = rows.kind === "bad" ? [] : unbalancedEntries(rows.value);
  const balanced: Outcome =
    rows.kind === "bad"
      ? rows.outcome
      : {
          score: unbalanced.length === 0 ? 1 : 0,
          message: `${unbalanced.length} entries are not balanced.`,
          evidence: unbalanced.slice(0, 20),
        };
  return [
    check({ id: "entries", stage: "journal", weight: 0.25, outcome: entries }),
    check({ id: "balanced", stage: "journal", weight: 0.05, outcome: balanced }),
  ];
}

function matchKey(account = "", bank = "", ledger = "", cents: number | undefined = Number.NaN): string {
  return [account, bank, ledger, cents].join(" | ");
}
