import { bad, ok, type Read } from "ale/grade/rubric/read";
import { locateArtifact } from "ale/grade/rubric/read-artifact";
import { readTable } from "ale/grade/table/read-table";

/** A row of the agent's timeline, as written. */
export interface TimelineRow {
  readonly event: string;
  readonly host: string;
  /** Seconds since 1970; `undefined` when the cell holds no UTC time. */
  readonly time: number | undefined;
  readonly file: string;
  readonly line: number | undefined;
}

const columns = ["time_utc", "event", "host", "evidence_file", "evidence_line"] as const;

/** Reads `timeline.csv`; bad when it is no table with the five columns, or holds hundreds of rows. */
export async function readTimeline(artifacts: string): Promise<Read<readonly TimelineRow[]>> {
  const path = await locateArtifact(artifacts, "timeline.csv", { maxBytes: 1024 * 1024 });
  if (path.kind === "bad") return path;
  const table = await readTable(path.value, { format: "csv", limits: { maxRows: 300, maxColumns: 50 } });
  if (table.kind === "bad") return table;
  const at = columns.map((name) => table.value.header.indexOf(name));
  const missing = columns.filter((_name, index) => at[index] === -1);
  if (missing.length > 0) return bad(`timeline.csv lacks the columns ${missing.join(", ")}.`);
  const rows: TimelineRow[] = [];
  const visited = await table.value.visitRows((row) => {
    const [time = "", event = "", host = "", file = "", line = ""] = at.map((index) =>
      String(row[index] ?? "").trim(),
    );
    rows.push({
      event: event.toLowerCase(),
      host: host.toLowerCase(),
      time: readUtc(time),
      file: file.split("/").at(-1) as string,
      line: /^\d{1,9}$/.test(line) ? Number(line) : undefined,
    });
  });
  return visited.kind === "bad" ? visited : ok(rows);
}

/** ISO 8601 in UTC (`Z`, `+00:00`, or no zone), in seconds. */
export function readUtc(text: unknown): number | undefined {
  if (typeof text !== "string") return undefined;
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?:Z|\+00:?00| ?UTC)?$/.exec(
    text.trim(),
  );
  if (match === null) return undefined;
  const time = Date.parse(`${match[1]}T${match[2]}Z`);
  return Number.isNaN(time) ? undefined : time / 1000;
}
