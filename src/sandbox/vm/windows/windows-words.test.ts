import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  posixPath,
  powershellArguments,
  powershellLiteral,
  windowsCommandLine,
  windowsPath,
  windowsText,
} from "./windows-words.ts";

/** What the C runtime makes of a command line, after Microsoft's description of it, character by character. */
function parseCommandLine(line: string): readonly string[] {
  const words: string[] = [];
  let at = 0;
  const skip = (): void => {
    while (/[ \t]/.test(line[at] ?? "")) at++;
  };
  // The program: to the next quote, or to the next blank. Backslashes mean nothing here.
  const quotedProgram = line[0] === '"';
  const end = quotedProgram ? line.indexOf('"', 1) : line.search(/[ \t]|$/);
  words.push(line.slice(quotedProgram ? 1 : 0, end));
  at = end + (quotedProgram ? 1 : 0);
  for (skip(); at < line.length; skip()) {
    let word = "";
    let inQuotes = false;
    while (at < line.length && (inQuotes || !/[ \t]/.test(line[at] ?? ""))) {
      let backslashes = 0;
      while (line[at] === "\\") {
        backslashes++;
        at++;
      }
      if (line[at] !== '"') {
        word += "\\".repeat(backslashes);
        if (at < line.length && (inQuotes || !/[ \t]/.test(line[at] ?? ""))) word += line[at++];
        continue;
      }
      word += "\\".repeat(Math.floor(backslashes / 2));
      if (backslashes % 2 === 1) word += '"';
      else if (inQuotes && line[at + 1] === '"') {
        word += '"';
        at++;
      } else inQuotes = !inQuotes;
      at++;
    }
    words.push(word);
  }
  return words;
}

/** The text of a single-quoted string of PowerShell's, after its language specification (2.3.5.2). */
function readLiteral(literal: string): string {
  expect(literal).toMatch(/^'[\s\S]*'$/);
  const inner = literal.slice(1, -1);
  expect(inner.replace(/(['\u2018\u2019\u201a\u201b])\1/g, "")).not.toMatch(/['\u2018\u2019\u201a\u201b]/);
  return inner.replace(/(['\u2018\u2019\u201a\u201b])\1/g, "$1");
}

const nasty = fc.string({ unit: fc.constantFrom(..."ab \t\\\"'%^&|<>()ü😀\n") });
const word = fc.oneof(
  nasty,
  fc.string({ unit: "binary" }).filter((text) => !text.includes("\0")),
);

describe("writing for Windows", () => {
  test("a command line is read back as the arguments it was made of, whatever they hold", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("cmd.exe", "C:\\Program Files\\a b\\x.exe"),
        fc.array(word),
        (program, rest) => {
          expect(parseCommandLine(windowsCommandLine([program, ...rest]))).toEqual([program, ...rest]);
        },
      ),
    );
  });

  test("known command lines are written as Microsoft's examples read them", () => {
    expect(windowsCommandLine(["x", "a b c", "d", "e"])).toBe('x "a b c" d e');
    expect(windowsCommandLine(["x", 'ab"c', "\\", "d"])).toBe('x "ab\\"c" \\ d');
    expect(windowsCommandLine(["x", "a\\\\\\b", "de fg", "h"])).toBe('x a\\\\\\b "de fg" h');
    expect(windowsCommandLine(["x", 'a\\"b', "c", "d"])).toBe('x "a\\\\\\"b" c d');
    expect(windowsCommandLine(["x", "", "a b\\"])).toBe('x "" "a b\\\\"');
    expect(() => windowsCommandLine(['a"b'])).toThrow("not the name of a program");
  });

  test("a literal of PowerShell's is the text it was made of, with quotes of every kind", () => {
    fc.assert(
      fc.property(
        fc.oneof(word, fc.string({ unit: fc.constantFrom(..."'\u2018\u2019\u201a\u201b$`\"") })),
        (text) => {
          expect(readLiteral(powershellLiteral(text))).toBe(text);
        },
      ),
    );
  });

  test("a script travels as base64 of UTF-16", () => {
    const script = "Write-Output 'ü😀'\n";
    expect(Buffer.from(powershellArguments(script).at(-1) ?? "", "base64").toString("utf16le")).toBe(script);
  });

  test("paths of the layout have their place in the guest, and lead back", () => {
    expect(windowsPath("/home/agent/output/a b/ü.txt")).toBe("C:\\Users\\agent\\output\\a b\\ü.txt");
    expect(windowsPath("/run/ale/budget.json")).toBe("C:\\ale\\run\\budget.json");
    expect(windowsPath("D:\\data")).toBe("D:\\data");
    const name = fc
      .string({ unit: fc.constantFrom(..."abcdefgXYZ019_-é"), minLength: 1, maxLength: 12 })
      .filter((text) => !/^(con|prn|aux|nul|com\d|lpt\d)$/i.test(text));
    fc.assert(
      fc.property(fc.constantFrom("/home/agent", "/tmp", "/ale/result"), fc.array(name), (root, names) => {
        const path = [root, ...names].join("/");
        expect(posixPath(windowsPath(path))).toBe(path);
      }),
    );
  });

  test("names that Windows cannot have are refused", () => {
    for (const name of ["a:b", "a?", "NUL", "com1.txt", "dot.", "blank ", 'q"', "back\\slash", "tab\t"]) {
      expect(() => windowsPath(`/home/agent/${name}`), name).toThrow("cannot be in Windows");
    }
    expect(() => windowsPath("/etc/passwd")).toThrow("in none of the folders");
  });

  test("lines end in one character", () => {
    expect(windowsText(Buffer.from("a\r\nb\r\n"))).toBe("a\nb\n");
  });
});
