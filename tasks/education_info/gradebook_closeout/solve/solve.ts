import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SolveContext } from "ale/task";
import { attendsWell, letterOf } from "../letter.ts";
import type { Params } from "../params.ts";
import { address } from "../service-place.ts";
import { type Page, startBrowser } from "./browser.ts";
import { type Papers, readPapers } from "./read-papers.ts";
import { deferred, type Entry, type ShownStudent, scoreChanges } from "./score-changes.ts";

type ShownRow = readonly string[];

/**
 * The oracle: reads the papers, then uses the gradebook in a real Chromium, over its DevTools protocol: fills in the forms
 * of each page, presses their buttons, reads the percentages the gradebook computes, and downloads the grades.
 */
export async function solve({ input, output, scratch }: SolveContext<Params>): Promise<void> {
  const papers = readPapers(input);
  await using page = await startBrowser(scratch);
  await page.open(`${address}/`);
  const [works = [], people = []] = await page.evaluate<readonly (readonly ShownRow[])[]>(
    `[...document.querySelectorAll("table")].map((table) =>
      [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)))`,
  );
  const links = await page.evaluate<readonly (readonly [string, string])[]>(
    `[...document.querySelectorAll("a[href^='/assignment/']")].map((link) => [link.textContent, link.href])`,
  );
  const students = people.map(([number = "", name = ""]): ShownStudent => ({ number, name }));
  const possible = new Map(works.map(([name = "", , points = ""]) => [name, Number(points)]));
  const withdrawn = leavers(papers);
  await enterSettings(page, papers);
  await page.open(`${address}/roster`);
  await save(
    page,
    [...withdrawn].map((number) => [`status:${number}`, "withdrawn"]),
  );
  const entries = scoreChanges(papers, students, possible);
  for (const [name, link] of links) await enterScores(page, link, entries.get(name), withdrawn);
  await giveGrades(page, papers, withdrawn);
  await page.follow(
    `document.querySelector("[name=confirm]").click(), document.querySelector("form[action='/close'] button").click()`,
  );
  const exported = await page.evaluate<string>(
    `(() => { const request = new XMLHttpRequest();
      request.open("GET", document.querySelector("a[download]").href, false); request.send(); return request.responseText; })()`,
  );
  writeFileSync(join(output, "final_grades.csv"), exported);
}

/** Sets fields of the page's first form by name, and presses its button. */
async function save(page: Page, fields: readonly (readonly [name: string, value: string])[]): Promise<void> {
  await page.follow(
    `(() => { for (const [name, value] of ${JSON.stringify(fields)}) document.getElementsByName(name)[0].value = value;
      document.querySelector("form button").click(); })()`,
  );
  const refused = await page.evaluate<string | null>(
    `document.querySelector(".refused")?.textContent ?? null`,
  );
  if (refused !== null) throw new Error(`the gradebook refuses: ${refused}`);
}

async function enterSettings(page: Page, papers: Papers): Promise<void> {
  await page.open(`${address}/settings`);
  const rows = await page.evaluate<readonly (readonly [string, string, string])[]>(
    `[...document.querySelectorAll("tbody tr")].map((row) =>
      [row.cells[0].textContent, ...[...row.querySelectorAll("input")].map((field) => field.name)])`,
  );
  await save(
    page,
    rows.flatMap(([category, weight, drop]) => {
      const rule = papers.rules.find((one) => one.category === category);
      return rule === undefined ? [] : [[weight, rule.weight] as const, [drop, rule.drop] as const];
    }),
  );
}

/** Enters what the papers say, and 0 for what never came in; withdrawn students' scores are left alone. */
async function enterScores(
  page: Page,
  link: string,
  entries: ReadonlyMap<string, Entry> | undefined,
  withdrawn: ReadonlySet<string>,
): Promise<void> {
  await page.open(link);
  const blank = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll("input[name^='points:']")].filter((field) => field.value === "").map((field) => field.name.slice(7))`,
  );
  const fields = new Map(blank.map((number) => [number, { points: "0", mark: "" }]));
  for (const [number, entry] of entries ?? []) fields.set(number, entry);
  await save(
    page,
    [...fields]
      .filter(([number]) => !withdrawn.has(number))
      .flatMap(([number, { points, mark }]) => [
        [`points:${number}`, points] as const,
        [`mark:${number}`, mark] as const,
      ]),
  );
}

async function giveGrades(page: Page, papers: Papers, withdrawn: ReadonlySet<string>): Promise<void> {
  await page.open(`${address}/closeout`);
  const rows = await page.evaluate<readonly ShownRow[]>(
    `[...document.querySelectorAll("tbody tr")].map((row) => [...row.cells].slice(0, 4).map((cell) => cell.textContent))`,
  );
  const later = new Set(deferred(papers));
  const attending = new Map(
    papers.attendance.map((row) => [
      row["student_number"],
      attendsWell(Number(row["sessions_attended"]), Number(row["sessions_held"])),
    ]),
  );
  await save(
    page,
    rows.map(([number = "", name = "", , percent = ""]) => {
      const called = name.split(", ").reverse().join(" ");
      const tenths = Math.round(Number(percent) * 10);
      const letter = letterOf(tenths, attending.get(number) ?? false);
      return [`letter:${number}`, withdrawn.has(number) ? "W" : later.has(called) ? "I" : letter];
    }),
  );
}

/** Those whose last word to the registrar is that they leave. */
function leavers(papers: Papers): ReadonlySet<string> {
  const leaving = new Set<string>();
  for (const { student_number: number = "", change } of papers.registrar) {
    if (change === "withdrawal") leaving.add(number);
    else if (change === "withdrawal cancelled") leaving.delete(number);
  }
  return leaving;
}
