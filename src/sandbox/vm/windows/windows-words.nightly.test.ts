import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { windowsCommandLine } from "./windows-words.ts";

const run = promisify(execFile);

/** Writes a line into `C:\out.txt`: how many arguments it was given, and of each the UTF-16 units. */
const teller = `
var told = [];
for (var index = 0; index < WScript.Arguments.length; index++) {
  var word = WScript.Arguments.Item(index), units = [];
  for (var at = 0; at < word.length; at++) units.push(word.charCodeAt(at));
  told.push(units.join(" "));
}
var file = new ActiveXObject("Scripting.FileSystemObject").OpenTextFile("C:\\\\out.txt", 8, true);
file.WriteLine(told.length + ":" + told.join(","));
file.Close();
`;

/** Starts the teller with each of these ends of a command line, none of which any shell reads. */
function starter(ends: readonly string[]): string {
  const literals = ends.map((end) => `"${[...asUnits(end)].join("")}"`);
  return `
var shell = new ActiveXObject("WScript.Shell"), ends = [${literals.join(",\n")}];
for (var index = 0; index < ends.length; index++) {
  shell.Run("cscript //nologo C:\\\\teller.js " + ends[index], 0, true);
}
`;
}

function* asUnits(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) yield `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`;
}

function wordsOf(line: string): readonly string[] {
  const [count, told = ""] = line.split(":");
  if (count === "0") return [];
  return told.split(",").map((units) => String.fromCharCode(...units.split(" ").filter(Boolean).map(Number)));
}

const word = fc.string({ unit: fc.constantFrom(..."ab \t\\\"'%^&|<>()ü😀é本") });
const lists = fc.sample(fc.array(word, { minLength: 1, maxLength: 6 }), { numRuns: 200, seed: 1 });

describe.skipIf(!existsSync("/usr/bin/wine"))("command lines for Windows", () => {
  test("programs under Wine are given the words they were written from", async () => {
    await using cleanup = new AsyncDisposableStack();
    const prefix = await mkdtemp(join(tmpdir(), "ale-wine-"));
    const env = { ...process.env, WINEPREFIX: prefix, WINEDEBUG: "-all", WINEARCH: "win64", DISPLAY: "" };
    cleanup.defer(() => rm(prefix, { recursive: true, force: true }));
    cleanup.defer(async () => void (await run("wineserver", ["-k", "-w"], { env }).catch(() => undefined)));
    await run("wine", ["wineboot", "--init"], { env });
    const drive = join(prefix, "drive_c");
    await writeFile(join(drive, "teller.js"), teller);
    const ends = lists.map((words) => windowsCommandLine(["x", ...words]).slice(2));
    await writeFile(join(drive, "starter.js"), starter(ends));

    await run("wine", ["cscript", "//nologo", "C:\\starter.js"], { env });

    const told = (await readFile(join(drive, "out.txt"), "utf8")).trim().split(/\r?\n/);
    expect(told.map(wordsOf)).toEqual(lists);
  });
});
