import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import { printError } from "./print-error.ts";

function printed(error: unknown): string {
  let text = "";
  printError(error, {
    isTerminal: false,
    columns: 80,
    write: (part: string) => {
      text += part;
    },
  });
  return text;
}

describe("printError", () => {
  test("an operator's mistake is told with its remedy and without a stack", () => {
    const error = new AleError({ code: "usage", message: "no contestant", remedy: "give --agent" });
    expect(printed(error)).toBe("ale: no contestant\n     give --agent\n");
  });

  test("what the machine refuses is no bug of ours, and says what to do", () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    expect(printed(full)).toMatch(/^ale: ENOSPC: no space left on device, write\n {5}make room on the disk/);
  });

  test("anything else is told as the bug it is, with its stack", () => {
    let error: unknown;
    try {
      readFileSync("/nonexistent");
    } catch (caught) {
      error = caught;
    }
    expect(printed(error)).toMatch(/^ale: this is a bug in ale, please report it\nError: ENOENT.*\n {4}at /);
  });
});
