import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CliContext } from "../cli-context.ts";
import { runCommandLine } from "../run-command-line.ts";
import { createSilentContext } from "../silent-context.ts";

const root = join(import.meta.dirname, "..", "..", "..");

/** Runs the command on the tasks of the house; nothing is installed. */
async function prepare(...args: readonly string[]): Promise<{ readonly out: string; readonly err: string }> {
  const said = { out: "", err: "" };
  const silent = createSilentContext();
  const context: CliContext = {
    ...silent,
    cwd: root,
    out: { ...silent.out, write: (text: string) => (said.out += text) },
    err: { ...silent.err, write: (text: string) => (said.err += text) },
  };
  await runCommandLine(["sandboxes", "prepare", ...args], context);
  return said;
}

describe("ale sandboxes prepare", () => {
  test("names the packages of every task that needs a program", async () => {
    const { out } = await prepare("--software", "Inkscape, kicad", "--dry-run", "--json");
    expect(JSON.parse(out)).toMatchObject({
      packages: expect.arrayContaining(["inkscape", "kicad"]) as unknown,
    });
  });

  test("names the packages of tasks by pattern", async () => {
    const { out } = await prepare("engineering/drawing_to_solid@*", "--dry-run", "--json");
    expect(JSON.parse(out)).toMatchObject({ packages: ["openscad", "poppler-utils"] });
  });

  test("says which programs there are when one is unknown", async () => {
    const { err } = await prepare("--software", "paint", "--dry-run");
    expect(err).toContain('no task here needs the software "paint"');
    expect(err).toMatch(/name one of these: .*Inkscape.*KiCad/);
  });

  test("asks for a name when there is none", async () => {
    expect((await prepare()).err).toContain("--software");
  });
});
