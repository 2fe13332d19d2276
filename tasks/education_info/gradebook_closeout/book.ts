export interface Category {
  readonly id: number;
  readonly name: string;
  readonly weight: number;
  readonly drop: number;
}

export interface Assignment {
  readonly id: number;
  readonly category: number;
  readonly name: string;
  /** Points possible. */
  readonly points: number;
}

export type Mark = "" | "excused" | "keep";

export interface Score {
  /** `null`: nothing entered. */
  readonly points: number | null;
  readonly mark: Mark;
}

export interface Student {
  readonly number: string;
  readonly name: string;
  readonly status: "enrolled" | "withdrawn";
  /** The final grade; empty until it is given. */
  readonly letter: string;
  /** As the gradebook froze it when the section was closed. */
  readonly percent: string;
}

/** All that the gradebook keeps of one section. */
export interface Book {
  readonly title: string;
  readonly status: "open" | "closed";
  readonly categories: readonly Category[];
  readonly assignments: readonly Assignment[];
  readonly students: readonly Student[];
  /** By student number, then by assignment id. */
  readonly scores: Readonly<Record<string, Readonly<Record<string, Score>>>>;
}
