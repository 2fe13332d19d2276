import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { succeeded } from "../../sandbox/command.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { notStarted } from "../not-started.ts";
import { desktopProfile } from "./desktop-profile.ts";
import { layOutKicadLibraries } from "./kicad-libraries.ts";

/** Profiles without first-run boxes, in the agent's home. Before the display is shown to anybody. Rejects with `desktop-start`. */
export async function layOutProfiles(sandbox: Sandbox, accessibility: boolean): Promise<void> {
  // Files the task has put there before are left as they are.
  const argv = ["tar", "--extract", "--file=-", "--skip-old-files", `--directory=${sandboxLayout.home}`];
  const result = await sandbox.exec(argv, { stdin: await desktopProfile() });
  if (!succeeded(result)) {
    throw notStarted(
      `its profiles could not be laid out: ${Buffer.from(result.stderr).toString("utf8").trim()}`,
    );
  }
  await layOutKicadLibraries(sandbox);
  await setChromiumFlags(sandbox, accessibility);
}

/** Read by the start script of Debian's Chromium. Where the system cannot be written to, it starts as it always does. */
async function setChromiumFlags(sandbox: Sandbox, accessibility: boolean): Promise<void> {
  const flags = ["--no-first-run", "--password-store=basic", "--disable-gpu"];
  if (accessibility) flags.push("--force-renderer-accessibility");
  const stdin = `CHROMIUM_FLAGS="$CHROMIUM_FLAGS ${flags.join(" ")}"\n`;
  await sandbox.exec(["tee", "/etc/chromium.d/ale-desktop"], { user: "root", stdin });
}
