import type { Sandbox } from "../../sandbox/sandbox.ts";

export interface Application {
  readonly name: string;
  /** Arguments, the program first. */
  readonly command: readonly string[];
}

const script = `for file in /usr/share/applications/*.desktop; do cat "$file" && printf '\\0'; done`;

/** Programs with windows that are installed on a machine, by name (Desktop Entry Specification 1.5). */
export async function listApplications(sandbox: Pick<Sandbox, "exec">): Promise<readonly Application[]> {
  const { stdout } = await sandbox.exec(["sh", "-c", script], { maxOutputBytes: 16 * 1024 * 1024 });
  return Buffer.from(stdout)
    .toString("utf8")
    .split("\0")
    .flatMap(readEntry)
    .sort((first, second) => (first.name < second.name ? -1 : 1));
}

function readEntry(text: string): readonly Application[] {
  const [, main = ""] = text.split(/^\[Desktop Entry\]$/m);
  const [entry = ""] = main.split(/^\[/m);
  const value = (key: string): string => new RegExp(`^${key}=(.*)$`, "m").exec(entry)?.[1]?.trim() ?? "";
  const isShown =
    value("Type") === "Application" && value("NoDisplay") !== "true" && value("Hidden") !== "true";
  // Field codes stand for files, of which a menu has none.
  const command = (value("Exec").match(/"(?:\\.|[^"\\])*"|\S+/g) ?? [])
    .map((word) => word.replace(/^"(.*)"$/, "$1").replace(/\\(.)/g, "$1"))
    .filter((word) => !/^%[a-zA-Z]$/.test(word));
  const isTerminal = value("Terminal") === "true";
  if (!isShown || value("Name") === "" || command.length === 0) return [];
  return [{ name: value("Name"), command: isTerminal ? ["xterm", "-e", ...command] : command }];
}
