import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { create } from "tar";

/** Files under the home of who works at a desktop: window manager, panel, programs past their first run. */
const folder = fileURLToPath(new URL("../../../data/desktop-profiles/home", import.meta.url));

/** The profiles as a tar archive, to be unpacked in the home. */
export async function desktopProfile(): Promise<Buffer> {
  return buffer(create({ cwd: folder, portable: true, noDirRecurse: false }, ["."]));
}
