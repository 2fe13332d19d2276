import { expect, test } from "vitest";
import { runNode } from "../testing/run-node.ts";
import { lastWords } from "./last-words.ts";

test.each([
  ["", ""],
  ["  \n\n", ""],
  ["reading\ncould not open a.csv\n", "could not open a.csv"],
  ["half a line\r\nthe rest\r\n\r\n", "the rest"],
  [
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: no',
    "ValueError: no",
  ],
])("of %j the last words are %j", (text, words) => {
  expect(lastWords(text)).toBe(words);
});

test("a line that is too long is cut, and says so", () => {
  expect(lastWords("abcdefgh", 5)).toBe("abcd…");
  expect(lastWords("abcde", 5)).toBe("abcde");
});

test.each(["new Error('no room')", "Object.assign(new Error('no room'), { code: 'ENOSPC', at: { a: 1 } })"])(
  "of a Node program that dies of %s it is the error, not its stack",
  async (error) => {
    const { stderr } = await runNode("-e", [`function f() { throw ${error} } f();`]);
    expect(stderr).toContain("Node.js v");
    expect(lastWords(stderr)).toBe("Error: no room");
  },
);
