import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { AleError } from "../contract/ale-error.ts";
import { orAbsent } from "./or-absent.ts";

test("what is there is given, what is not is undefined, also below a file", async () => {
  expect(await orAbsent(readFile(import.meta.filename, "utf8"))).toContain("what is there is given");
  expect(await orAbsent(readFile("/nowhere/at all"))).toBeUndefined();
  expect(await orAbsent(readFile(`${import.meta.filename}/below`))).toBeUndefined();
});

test("any other refusal is passed on", async () => {
  await expect(orAbsent(readFile(import.meta.dirname))).rejects.toMatchObject({ code: "EISDIR" });
  const error = new AleError({ code: "no-such-file", message: "it is not there" });
  await expect(orAbsent(Promise.reject(error))).rejects.toBe(error);
});
