import * as fs from "node:fs";

export interface Application {
  readonly name: string;
  /** Arguments, the program first. */
  readonly command: readonly string[];
}

const folder = "/usr/share/applications";

/** Programs with windows that are installed here, by name (Desktop Entry Specification 1.5). */
export function listApplications(): readonly Application[] {
  const files = fs.existsSync(folder)
    ? fs.readdirSync(folder).filter((file) => file.endsWith(".desktop"))
    : [];
  return files
    .flatMap((file) => readEntry(fs.readFileSync(`${folder}/${file}`, "utf8")))
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
