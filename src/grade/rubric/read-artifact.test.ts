import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import { fromReference } from "./from-reference.ts";
import type { Read } from "./read.ts";
import { locateArtifact, readBytes, readJson, readText } from "./read-artifact.ts";

let home: string;
let dir: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "ale-read-"));
  dir = join(home, "artifacts");
  await mkdir(join(dir, "sub"), { recursive: true });
  await writeFile(join(home, "secret.txt"), "secret");
  await writeFile(join(dir, "note.txt"), "\ufeffgrüße\n");
  await writeFile(join(dir, "sub", "data.json"), '{"a":[1,2.5,null],"__proto__":{"polluted":true}}');
  await writeFile(join(dir, "latin1.txt"), Buffer.from([0x67, 0xfc]));
  await symlink("../secret.txt", join(dir, "out.txt"));
  await symlink("note.txt", join(dir, "in.txt"));
  await symlink("..", join(dir, "up"));
  execFileSync("mkfifo", [join(dir, "pipe")]);
  await writeFile(join(dir, "deep.json"), "[".repeat(200_000) + "]".repeat(200_000));
  await writeFile(join(dir, "wide.json"), `[${"0,".repeat(5000)}0]`);
  await writeFile(join(dir, "huge.bin"), "");
  await truncate(join(dir, "huge.bin"), 10_000_000_000);
});

afterAll(() => rm(home, { recursive: true, force: true }));

function complaint(read: Read<unknown>): string {
  if (read.kind === "ok") throw new Error("was read");
  expect(read.outcome.score).toBe(0);
  return read.outcome.message;
}

describe("reading an artifact", () => {
  it("gives text without its byte order mark", async () => {
    expect(await readText(dir, "note.txt")).toEqual({ kind: "ok", value: "grüße\n" });
  });

  it("gives JSON whose objects have no prototype", async () => {
    const value = fromReference(await readJson(dir, "sub/data.json"));
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(JSON.stringify(value)).toBe('{"a":[1,2.5,null],"__proto__":{"polluted":true}}');
  });

  it("follows a link that stays inside", async () => {
    expect((await readBytes(dir, "in.txt")).kind).toBe("ok");
  });

  it.each([
    ["a link that leads out", "out.txt", "leads out"],
    ["a folder link that leads out", "up/secret.txt", "leads out"],
    ["a path that climbs out", "../secret.txt", "not a path within"],
    ["an absolute path", "/etc/passwd", "not a path within"],
    ["an empty path", "", "not a path within"],
    ["an absent file", "none.txt", "is missing"],
    ["a file used as a folder", "note.txt/x", "is missing"],
    ["a folder", "sub", "not a regular file"],
    ["a named pipe", "pipe", "not a regular file"],
    ["a huge sparse file", "huge.bin", "too large"],
  ])("says what is wrong with %s", async (_case, path, words) => {
    expect(complaint(await readBytes(dir, path))).toContain(words);
    expect(complaint(await locateArtifact(dir, path))).toContain(words);
  });

  it("refuses text that is not UTF-8", async () => {
    expect(complaint(await readText(dir, "latin1.txt"))).toBe('"latin1.txt" is not UTF-8 text.');
  });

  it("refuses JSON that is deep, wide or none, without overflowing", async () => {
    expect(complaint(await readJson(dir, "deep.json"))).toContain("nested deeper than 100");
    expect(complaint(await readJson(dir, "wide.json", { maxNodes: 5000 }))).toContain(
      "more than 5000 values",
    );
    expect(complaint(await readJson(dir, "note.txt"))).toContain("is not JSON");
  });

  it("throws where the folder itself is absent, and for a reference that fails", async () => {
    await expect(readText(join(home, "none"), "a")).rejects.toBeInstanceOf(AleError);
    const read = await readText(dir, "none.txt");
    expect(() => fromReference(read)).toThrow("The reference is broken");
  });
});
