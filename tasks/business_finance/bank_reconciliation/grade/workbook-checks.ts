import { closeTo } from "ale/grade/number/close-to";
import type { Outcome } from "ale/grade/outcome";
import { check } from "ale/grade/rubric/check";
import { bad, ok, type Read } from "ale/grade/rubric/read";
import { locateArtifact } from "ale/grade/rubric/read-artifact";
import { gradeAgreement } from "ale/grade/sequence/agreement";
import { findSheet } from "ale/grade/spreadsheet/find-cells";
import { isComputed } from "ale/grade/spreadsheet/formula-use";
import { readWorkbook } from "ale/grade/spreadsheet/read-workbook";
import { type Recalculation, recalculateSpreadsheet } from "ale/grade/spreadsheet/recalculate-spreadsheet";
import type { Workbook } from "ale/grade/spreadsheet/workbook";
import { figuresOf, lineNames } from "../figures.ts";
import { type BankAccount, bankAccounts, type Reconciliation, type ReconcilingItem } from "../items.ts";
import { type OpenReconciliation, openReconciliation, type PlacedItem } from "./open-reconciliation.ts";

type Check = ReturnType<typeof check>;

const typedIn = ["bank_balance", "book_balance"] as const;

interface Opened {
  readonly open: OpenReconciliation;
  readonly recalculated: Recalculation;
  /** What the edits make of items and balances. */
  readonly edited: Pick<Reconciliation, "items" | "balances">;
}

/** A gate on a workbook of the layout asked for; the items listed, the figures after recalculation, and whether the formulas answer to edited inputs. */
export async function workbookChecks(
  artifacts: string,
  scratch: string,
  truth: Reconciliation,
): Promise<readonly Check[]> {
  const opened = await openAndRecalculate(artifacts, scratch, truth);
  const of = (judge: (opened: Opened) => Outcome): Outcome =>
    opened.kind === "bad" ? opened.outcome : judge(opened.value);
  return [
    check({
      id: "workbook",
      stage: "reconciliation",
      gate: true,
      outcome: of(() => ({
        score: 1,
        message: "The workbook opens, calculates and has the layout asked for.",
      })),
    }),
    check({
      id: "reconciling-items",
      stage: "reconciliation",
      weight: 0.2,
      outcome: of(({ open }) => gradeAgreement(open.items.map(itemKey), truth.items.map(itemKey), {})),
    }),
    check({
      id: "figures",
      stage: "reconciliation",
      weight: 0.15,
      outcome: of((value) => judgeFigures(value, truth)),
    }),
    check({ id: "live-formulas", stage: "reconciliation", weight: 0.15, outcome: of(judgeFormulas) }),
  ];
}

async function openAndRecalculate(
  artifacts: string,
  scratch: string,
  truth: Reconciliation,
): Promise<Read<Opened>> {
  const path = await locateArtifact(artifacts, "reconciliation.xlsx", { maxBytes: 16 * 1024 ** 2 });
  if (path.kind === "bad") return path;
  const workbook = await readWorkbook(path.value, { maxCells: 200_000 });
  if (workbook.kind === "bad") return workbook;
  const open = openReconciliation(workbook.value);
  if (open.kind === "bad") return open;
  if (open.value.items.length === 0) return bad("The sheet Items lists nothing.");
  const { edits, edited } = planEdits(open.value, truth);
  const recalculated = await recalculateSpreadsheet({ path: path.value, scratch, edits });
  return recalculated.kind === "bad"
    ? recalculated
    : ok({ open: open.value, recalculated: recalculated.value, edited });
}

/** Moves the typed-in balances, and one amount of each class and account, each by another sum. */
function planEdits(open: OpenReconciliation, truth: Reconciliation) {
  let step = 10_000;
  const edits: { sheet: string; cell: string; value: number }[] = [];
  const moved = new Map<PlacedItem, number>();
  for (const account of bankAccounts) {
    for (const itemClass of ["deposit_in_transit", "outstanding_cheque", "book_adjustment"]) {
      const item = open.items.find((one) => one.account === account && one.itemClass === itemClass);
      if (item === undefined || Number.isNaN(item.cents)) continue;
      step += 1_357;
      moved.set(item, item.cents + step);
      edits.push({ sheet: "Items", cell: item.address, value: (item.cents + step) / 100 });
    }
  }
  const balances = { "1010": { bank: 0, book: 0 }, "1020": { bank: 0, book: 0 } };
  for (const account of bankAccounts) {
    for (const name of typedIn) {
      step += 2_468;
      const side = name === "bank_balance" ? "bank" : "book";
      balances[account][side] = truth.balances[account][side] + step;
      const value = balances[account][side] / 100;
      edits.push({ sheet: "Reconciliation", cell: open.lines[account][name], value });
    }
  }
  const items = open.items.map(
    (item): ReconcilingItem => ({ ...item, cents: moved.get(item) ?? item.cents }),
  );
  return { edits, edited: { items, balances } };
}

function judgeFigures({ open, recalculated }: Opened, truth: Reconciliation): Outcome {
  const wrong: string[] = [];
  for (const account of bankAccounts) {
    const expected = figuresOf(truth, account);
    for (const name of lineNames) {
      const actual = numberAt(recalculated.before, open.lines[account][name]);
      const right = closeTo(actual, expected[name] / 100, { absolute: 0.005 }).score === 1;
      if (!right) wrong.push(`${account} ${name}`);
    }
  }
  return share(wrong, lineNames.length * bankAccounts.length, "figures are right");
}

function judgeFormulas({ open, recalculated, edited }: Opened): Outcome {
  const { before, after } = recalculated;
  const names = before.definedNames.map(({ name }) => name);
  const sheet = findSheet(before, "Reconciliation");
  const dead: string[] = [];
  const formulas = lineNames.filter((name) => !(typedIn as readonly string[]).includes(name));
  for (const account of bankAccounts) {
    const expected = figuresOf(edited, account);
    for (const name of formulas) {
      const address = open.lines[account][name];
      const cell = sheet.kind === "ok" ? sheet.value.cells.get(address) : undefined;
      const answers =
        closeTo(numberAt(after, address), expected[name] / 100, { absolute: 0.005 }).score === 1;
      if (cell === undefined || !isComputed(cell, names) || !answers) dead.push(`${account} ${name}`);
    }
  }
  return share(
    dead,
    formulas.length * bankAccounts.length,
    "lines are formulas that answer to edited inputs",
  );
}

function share(wrong: readonly string[], count: number, what: string): Outcome {
  return {
    score: (count - wrong.length) / count,
    message: `${count - wrong.length} of ${count} ${what}.`,
    evidence: wrong,
  };
}

function numberAt(workbook: Workbook, address: string): number | undefined {
  const sheet = findSheet(workbook, "Reconciliation");
  const value = sheet.kind === "ok" ? sheet.value.cells.get(address)?.value : undefined;
  return value?.kind === "number" ? value.value : undefined;
}

function itemKey({ account, itemClass, reference, date, cents }: ReconcilingItem): string {
  return [account satisfies BankAccount, itemClass, reference, date, cents].join(" | ");
}
