import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ScratchFolder } from "../../task/native/scratch-folder.ts";
import { runCommandLine } from "../run-command-line.ts";
import { createSilentContext } from "../silent-context.ts";
import { checkDiscOptions } from "./check-disc-options.ts";

async function build(cwd: string, ...args: readonly string[]): Promise<string> {
  let said = "";
  const silent = createSilentContext();
  const err = { ...silent.err, write: (text: string) => (said += text) };
  await runCommandLine(["sandboxes", "build", ...args], { ...silent, cwd, err });
  return said;
}

test("every disc of Windows that is not there is told at once, before anything is installed", async () => {
  await using folder = await ScratchFolder.make();
  const said = await build(folder.path, "windows", "--iso", "/nope.iso", "--drivers", "nope2.iso");
  expect(said).toMatch(/^ale: --iso \/nope\.iso is not there; --drivers nope2\.iso is not there\n/);
  const isFolder = await build(folder.path, "windows", "--iso", folder.path, "--drivers", "nope2.iso");
  expect(isFolder).toContain(`--iso ${folder.path} is not a file`);
});

test("discs for another image are refused, with the image they are for", async () => {
  for (const image of ["base", "vm-linux"]) {
    const said = await build("/", image, "--iso", "/nope.iso", "--edition", "Home");
    expect(said).toContain(
      `ale: --iso and --edition can be given for the image windows only, not for ${image}\n`,
    );
  }
});

test("discs are found from where the command is given", async () => {
  await using folder = await ScratchFolder.make();
  await writeFile(join(folder.path, "w.iso"), "");
  const discs = await checkDiscOptions("windows", { iso: "w.iso", drivers: "w.iso" }, folder.path);
  expect(discs?.iso).toBe(join(folder.path, "w.iso"));
  expect(await checkDiscOptions("vm-linux", {}, folder.path)).toBeUndefined();
});
