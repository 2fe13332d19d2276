import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { gateAndScore } from "ale/grade/rubric/gate-and-score";
import { readJson } from "ale/grade/rubric/read-artifact";
import { matchRecords } from "ale/grade/sequence/match-records";
import { multisetAgreement } from "ale/grade/sequence/multiset-agreement";
import type { GradeContext } from "ale/task";
import type { Params } from "../params.ts";
import type { Citation, Conflict, RegisterRow, Truth } from "../register.ts";
import { readConflicts } from "./read-conflicts.ts";
import { readRegister } from "./read-register.ts";
import { registerChecks } from "./register-checks.ts";

type Verdict = ReturnType<typeof gateAndScore>;

/** Gates on two readable files and a register of use; then rows, fields, and conflicts. */
export async function grade({ artifacts, reference }: GradeContext<Params>): Promise<Verdict> {
  const truth = fromReference(await readJson(reference, "truth.json")) as unknown as Truth;
  const register = await readRegister(artifacts);
  const conflicts = await readConflicts(artifacts);
  const rows = register.kind === "ok" ? register.value : [];
  const named = conflicts.kind === "ok" ? conflicts.value : [];
  const key = ({ contract, obligation }: RegisterRow): string => JSON.stringify([contract, obligation]);
  // Several answers to one question are no answer: the best of them must not be picked.
  const times = Map.groupBy(rows, key);
  const single = rows.filter((row) => times.get(key(row))?.length === 1);
  const matched = matchRecords(single, truth.rows, { key: { actual: key, expected: key }, similarity });
  const cited = matched.pairs.filter(
    ({ actual, expected }) => actual.document === expected.document && actual.clause === expected.clause,
  );
  const useful = cited.length >= truth.rows.length / 2 && cited.length >= rows.length / 2;
  const opened = { score: 1, message: "The file has the form that was asked for." };
  const stage = "hand-in";
  return gateAndScore(
    [
      check({ id: "register-form", stage, outcome: register.kind === "ok" ? opened : register.outcome }),
      check({ id: "conflicts-form", stage, outcome: conflicts.kind === "ok" ? opened : conflicts.outcome }),
      check({
        id: "register-useful",
        stage,
        outcome: {
          score: useful ? 1 : 0,
          message: `${cited.length} rows cite the right clause, of ${rows.length} listed and ${truth.rows.length} wanted; half of both must.`,
        },
      }),
    ],
    [
      ...registerChecks(matched, truth.rows, rows.length),
      check({
        id: "conflicting-documents",
        stage: "conflicts",
        weight: 6,
        outcome: multisetAgreement(named.map(documentKey), truth.conflicts.map(documentKey)),
      }),
      check({
        id: "conflicting-clauses",
        stage: "conflicts",
        weight: 20,
        outcome: multisetAgreement(named.map(clauseKey), truth.conflicts.map(clauseKey)),
      }),
    ],
  );
}

function similarity(actual: RegisterRow, expected: RegisterRow): number {
  const names = Object.keys(expected) as (keyof RegisterRow)[];
  return names.filter((name) => actual[name] === expected[name]).length / names.length;
}

function keyOf({ type, clauses }: Conflict, part: (citation: Citation) => string): string {
  return JSON.stringify([type, ...clauses.map(part).toSorted()]);
}

function documentKey(conflict: Conflict): string {
  return keyOf(conflict, ({ document }) => document);
}

function clauseKey(conflict: Conflict): string {
  return keyOf(conflict, ({ document, clause }) => JSON.stringify([document, clause]));
}
