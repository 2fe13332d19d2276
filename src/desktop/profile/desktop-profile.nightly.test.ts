import { accessSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { until } from "../../sandbox/conformance/expectations.ts";
import { hostClock } from "../../sandbox/local/test-support/host-clock.ts";
import { desktopMachine } from "../test-support/desktop-machine.ts";

/** Programs as they are started, and their only window. */
const programs: readonly (readonly [argv: readonly string[], window: RegExp])[] = [
  [["chromium"], /Chromium$/],
  [["gimp"], /GNU Image Manipulation Program/],
  [["inkscape"], /Inkscape$/],
  [["kicad"], /^KiCad/],
  [["eeschema"], /Schematic Editor$/],
  [["pcbnew"], /PCB Editor$/],
  [["libreoffice", "--calc"], /LibreOffice Calc$/],
  [["libreoffice", "--writer"], /LibreOffice Writer$/],
  [["libreoffice", "--impress"], /LibreOffice Impress$/],
  [["mscore3"], /^MuseScore/],
  [["openscad"], /OpenSCAD$/],
];

const isRoot = process.getuid?.() === 0;
const installed = programs.filter(([[program]]) => isInstalled(`/usr/bin/${program}`));

function isInstalled(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!isRoot)("a program's first start on a desktop", () => {
  test.each(installed)("%s shows its window, and no box before it", async (argv, window) => {
    await using machine = await desktopMachine();
    const { sandbox, desktop } = machine;
    const { env, screen } = desktop;
    const running = await sandbox.spawn(argv, { env });
    running.stdout.resume();
    running.stderr.resume();
    const titles = async () => (await screen.windows()).map(({ title }) => title);
    // A box that waits for its answer keeps the window from ever coming.
    // GIMP measures its ways of converting pixels first, which takes a busy host a minute.
    await until(
      hostClock,
      "its window is there",
      async () => (await titles()).some((title) => window.test(title) && !title.startsWith("Welcome")),
      180_000,
    );
    await screen.quiet({ quietMs: 2000, limitMs: 20_000 });
    expect(await titles()).toEqual([expect.stringMatching(window)]);
    await running.stop(0);
  });
});
