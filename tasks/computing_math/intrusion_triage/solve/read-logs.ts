import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Notes } from "./read-notes.ts";

/** A line of a log, its time brought to UTC. */
export interface LogLine {
  readonly file: string;
  readonly line: number;
  /** Seconds since 1970, true time. */
  readonly time: number;
  readonly text: string;
}

export interface WebLine extends LogLine {
  readonly ip: string;
  readonly method: string;
  readonly target: string;
  readonly status: number;
}

/** A host's auth.log; its lines lack the year, which the caller knows. */
export function readAuth(input: string, host: string, year: number, notes: Notes): readonly LogLine[] {
  const file = `auth_${host}.log`;
  const clock = notes.clocks.get(file) ?? { isLocal: true, error: 0 };
  return linesOf(input, file).map((text, index) => {
    const shown = Date.parse(`${text.slice(0, 6)} ${year} ${text.slice(7, 15)} UTC`) / 1000;
    const time = shown - clock.error - (clock.isLocal ? notes.localOffset : 0);
    return { file, line: index + 1, time, text: text.slice(17 + host.length) };
  });
}

/** The web server's access log, in the combined format. */
export function readAccess(input: string): readonly WebLine[] {
  const file = "nginx_access.log";
  const format = /^(\S+) \S+ \S+ \[(\d+)\/(\w+)\/(\d+):([\d:]+) ([+-]\d{4})\] "(\S+) (\S+) [^"]*" (\d+) /;
  return linesOf(input, file).flatMap((text, index) => {
    const match = format.exec(text);
    if (match === null) return [];
    const [, ip = "", day, month, year, clock, zone, method = "", target = "", status] = match;
    const time = Date.parse(`${day} ${month} ${year} ${clock} ${zone}`) / 1000;
    return [{ file, line: index + 1, time, text, ip, method, target, status: Number(status) }];
  });
}

/** Who held an address at a time, by the DHCP server's table in local time. */
export function leaseHolder(input: string, ip: string, time: number, notes: Notes): string {
  const [, ...rows] = linesOf(input, "dhcp_leases.csv").map((line) => line.split(","));
  const utc = (text = ""): number => Date.parse(`${text.replace(" ", "T")}Z`) / 1000 - notes.localOffset;
  const row = rows.find(
    ([address, , , start, end]) => address === ip && utc(start) <= time && time < utc(end),
  );
  return row?.[2] ?? ip;
}

function linesOf(input: string, file: string): readonly string[] {
  return readFileSync(join(input, file), "utf8").trimEnd().split("\n");
}
