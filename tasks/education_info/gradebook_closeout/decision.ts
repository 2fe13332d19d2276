/** What a mail settles about one student. */
export type Decision =
  | {
      readonly kind: "extension";
      readonly student: string;
      readonly assignment: number;
      readonly days: number;
    }
  | { readonly kind: "no-extension"; readonly student: string; readonly assignment: number }
  | {
      readonly kind: "regrade";
      readonly student: string;
      readonly assignment: number;
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: "no-regrade"; readonly student: string; readonly assignment: number }
  | { readonly kind: "excuse"; readonly student: string; readonly assignment: number }
  | { readonly kind: "no-excuse"; readonly student: string; readonly assignment: number }
  | { readonly kind: "misconduct"; readonly student: string; readonly assignment: number }
  | { readonly kind: "deferral"; readonly student: string };

/** Work that came in late, as the upload log has it. */
export interface LateWork {
  readonly student: string;
  readonly assignment: number;
  /** As marked, before any deduction. */
  readonly points: number;
  readonly days: number;
}

/** One row of the marked exams. */
export interface ExamRow {
  readonly number: string;
  readonly name: string;
  readonly parts: readonly [number, number, number, number];
  readonly marking: 1 | 2;
}

/** One row of the registrar's list. */
export interface RegistrarRow {
  readonly student: string;
  /** Counts up in the order in which they were entered. */
  readonly entry: number;
  readonly change: "withdrawal" | "withdrawal cancelled" | "change of major" | "address";
}

export interface Attendance {
  readonly student: string;
  readonly attended: number;
  readonly held: number;
}
