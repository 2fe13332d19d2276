import type { Application } from "./list-applications.ts";

const terminal: Application = { name: "Terminal", command: ["xterm"] };
/** The terminal's own entries, of which one is enough. */
const terminals = /^(UXTerm|XTerm|Openbox.*|Tint2.*)$/i;

/** What a click on the empty desktop opens: the window manager's menu file, one entry a program. */
export function applicationsMenu(applications: readonly Application[]): string {
  const entries = [terminal, ...applications.filter(({ name }) => !terminals.test(name))];
  const items = entries.map(
    ({ name, command }) =>
      `    <item label="${escaped(name)}"><action name="Execute"><command>${escaped(command.map(quote).join(" "))}</command></action></item>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<openbox_menu xmlns="http://openbox.org/3.4/menu">',
    '  <menu id="root-menu" label="Applications">',
    ...items,
    "  </menu>",
    "</openbox_menu>",
    "",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** As the window manager splits a command: in single quotes nothing has a meaning. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
