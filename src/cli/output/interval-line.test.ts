import { expect, test } from "vitest";
import { intervalLine } from "./interval-line.ts";

const scale = { from: 0, to: 1, width: 11 };

test("a value sits in its interval on the scale", () => {
  expect(intervalLine(0.5, 0.2, 0.7, scale)).toBe("··───●──···");
  expect(intervalLine(1, 0.9, 1, scale)).toBe("·········─●");
});

test("a missing interval leaves the value alone, a missing value nothing", () => {
  expect(intervalLine(0, null, null, scale)).toBe("●··········");
  expect(intervalLine(null, 0, 1, scale)).toBe("");
});
