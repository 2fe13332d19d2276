/** What may be ranked together of a published board. */
export type ReportedLane = "reported-full-pass" | "reported-mean";
