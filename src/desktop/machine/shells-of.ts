import type { Sandbox } from "../../sandbox/sandbox.ts";

/** The command that has a shell run a line. */
export type ShellLine = (line: string) => readonly string[];

const unix: readonly [ShellLine, ...ShellLine[]] = [
  (line) => ["bash", "-c", line],
  (line) => ["sh", "-c", line],
];

/** What PowerShell would show of its progress comes out as XML where there is no console to draw it on. */
const quiet = "$ProgressPreference = 'SilentlyContinue'\n";

const windows: readonly [ShellLine, ...ShellLine[]] = [
  (line) => ["powershell", "-NoProfile", "-NonInteractive", "-Command", quiet + line],
];

/** Shells of a machine by preference; the first that starts is to be used. In Windows, a bash is not the machine's. */
export function shellsOf({ os }: Pick<Sandbox, "os">): readonly [ShellLine, ...ShellLine[]] {
  return os === "windows" ? windows : unix;
}
