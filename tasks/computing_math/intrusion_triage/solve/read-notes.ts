import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What the operators' notes say. */
export interface Notes {
  /** Addresses by host. */
  readonly hosts: ReadonlyMap<string, string>;
  /** Seconds that local time is ahead of UTC. */
  readonly localOffset: number;
  /** By log file: whether it is in local time, and its clock's error in seconds. */
  readonly clocks: ReadonlyMap<string, { readonly isLocal: boolean; readonly error: number }>;
  readonly orderedScanner: string;
  readonly admins: readonly string[];
}

export function readNotes(input: string): Notes {
  const text = readFileSync(join(input, "notes.md"), "utf8");
  const hosts = new Map(
    [...text.matchAll(/^\| (\w+) \| (10\.[\d.]+) \|$/gm)].map(([, host = "", ip = ""]) => [host, ip]),
  );
  const [, sign, hours] = /Local time is UTC([+−])(\d+)/.exec(text) ?? [];
  const clocks = new Map<string, { isLocal: boolean; error: number }>();
  for (const [, files = "", zone, error] of text.matchAll(/^\| ([\w., ]+) \| ([\w ]+) \| (-?\d+) s \|$/gm)) {
    for (const file of files.split(", "))
      clocks.set(file, { isLocal: zone === "local time", error: Number(error) });
  }
  return {
    hosts,
    localOffset: (sign === "−" ? -1 : 1) * Number(hours) * 3600,
    clocks,
    orderedScanner: /vulnerability scan came from ([\d.]+),/.exec(text)?.[1] ?? "",
    admins: (/Administrators \(([\w, ]+)\)/.exec(text)?.[1] ?? "").split(", "),
  };
}
