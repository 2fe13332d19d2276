import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AleError } from "../contract/ale-error.ts";
import { makeFolder } from "./make-folder.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ale-folder-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function refusalOf(path: string): Promise<AleError> {
  const error: unknown = await makeFolder(path).catch((caught: unknown) => caught);
  if (!AleError.isInstance(error)) throw new Error(`no AleError: ${String(error)}`);
  return error;
}

describe("makeFolder", () => {
  test("makes a folder and those above it, with the permissions asked for, and tells the topmost", async () => {
    expect(await makeFolder(join(root, "a/b/c"), { mode: 0o700 })).toBe(join(root, "a"));
    for (const path of ["a", "a/b", "a/b/c"]) expect((await stat(join(root, path))).mode & 0o777).toBe(0o700);
  });

  test("leaves a folder that is there as it is, also behind a link", async () => {
    await mkdir(join(root, "there"));
    await symlink("there", join(root, "link"));
    expect(await makeFolder(join(root, "there"))).toBeUndefined();
    expect(await makeFolder(join(root, "link"))).toBeUndefined();
    expect(await makeFolder("/")).toBeUndefined();
  });

  test("many that make the same folders at once all find them made", async () => {
    await Promise.all(Array.from({ length: 20 }, () => makeFolder(join(root, "x/y/z"))));
    expect((await stat(join(root, "x/y/z"))).isDirectory()).toBe(true);
  });

  // Node's own recursive mkdir never comes back from the first two.
  test.each(["/proc/x", "/proc/x/y/z", "/sys/x"])("says of %s that it cannot be made", async (path) => {
    const error = await refusalOf(path);
    expect(error).toMatchObject({ code: "folder-not-made", fields: { path: path.split("/", 3).join("/") } });
    expect(error.message).toMatch(/^the folder \/(proc|sys)\/x cannot be made: /);
    expect(error.remedy).toContain("--runs-dir");
  });

  test("says when a file, or a link that leads nowhere, has the name", async () => {
    await writeFile(join(root, "file"), "");
    await symlink("nowhere", join(root, "link"));
    expect((await refusalOf(join(root, "file"))).message).toMatch(
      /something that is no folder has that name$/,
    );
    expect((await refusalOf(join(root, "link"))).message).toMatch(
      /something that is no folder has that name$/,
    );
    expect((await refusalOf(join(root, "file/below"))).message).toMatch(/what should hold it is no folder$/);
  });
});
