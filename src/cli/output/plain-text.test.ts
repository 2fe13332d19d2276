import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test("what would act on the terminal is spelled out, and lines and tabs are left alone", () => {
  const hostile = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u007f back\b over\rwritten";
  expect(plainText(hostile)).toBe(
    "\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m\\u007f back\\u0008 over\\u000dwritten",
  );
  expect(plainText("one\ttwo\r\nthree\n数字 – ✓")).toBe("one\ttwo\r\nthree\n数字 – ✓");
});

test("JSON means the same", () => {
  const value = { text: "a\u009b\u007f\u001b\r\n" };
  expect(JSON.parse(plainText(JSON.stringify(value)))).toEqual(value);
});
