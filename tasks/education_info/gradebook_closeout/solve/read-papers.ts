import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";

type Row = Readonly<Record<string, string>>;

/** A rule of the syllabus's table. */
export interface Rule {
  readonly category: string;
  readonly weight: string;
  readonly drop: string;
}

/** What the mail says of a student by name, in the words of its writer. */
export interface Mail {
  readonly from: string;
  readonly body: string;
}

export interface Papers {
  readonly rules: readonly Rule[];
  readonly exams: readonly Row[];
  readonly late: readonly Row[];
  readonly registrar: readonly Row[];
  readonly attendance: readonly Row[];
  readonly mail: readonly Mail[];
}

export function readPapers(input: string): Papers {
  const table = (name: string): readonly Row[] =>
    parse(readFileSync(join(input, name), "utf8"), { columns: true }) as Row[];
  return {
    rules: [
      ...readFileSync(join(input, "syllabus.md"), "utf8").matchAll(
        /^\| (\w[\w ]*) \| (\d+) % \| (\w+) \|$/gm,
      ),
    ].map(([, category = "", weight = "", drop = ""]) => ({
      category,
      weight,
      drop: drop === "none" ? "0" : drop,
    })),
    exams: table("final_exam.csv"),
    late: table("late_work.csv"),
    registrar: table("registrar_changes.csv"),
    attendance: table("attendance.csv"),
    mail: readdirSync(join(input, "mail"))
      .sort()
      .map((name) => readFileSync(join(input, "mail", name), "utf8"))
      .map((text) => ({
        from: /^From: (.*)$/m.exec(text)?.[1] ?? "",
        body: text.slice(text.indexOf("\n\n")).trim().replaceAll("\n", " "),
      })),
  };
}
