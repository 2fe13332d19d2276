import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

const script = `
mkdir -p "$1" && cd "$1" || exit
for kind in fp sym; do
  table=$kind-lib-table
  [ -e "$table" ] && continue
  cp "/usr/share/kicad/template/$table" . 2>/dev/null || printf '(%s_lib_table\\n)\\n' "$kind" > "$table"
done
`;

/**
 * Gives KiCad the table of symbol libraries and that of footprints which it asks for the first time it is run: those of the
 * libraries that are installed, else empty ones. Tables that a task has put there stay.
 */
export async function layOutKicadLibraries(sandbox: Sandbox): Promise<void> {
  await sandbox.exec(["sh", "-c", script, "sh", `${sandboxLayout.home}/.config/kicad/6.0`]);
}
