import { expect, test } from "vitest";
import { layoutPath } from "./windows-layout.ts";

test.each([
  ["C:\\Users\\agent\\output\\a b.txt", "/home/agent/output/a b.txt"],
  ["c:/users/AGENT", "/home/agent"],
  ["output\\x.csv", "output/x.csv"],
  ["/home/agent/output/x", "/home/agent/output/x"],
  ["C:\\Users\\agent2\\x", "C:/Users/agent2/x"],
  ["C:\\Windows", "C:/Windows"],
])("of the layout, %s is %s", (given, path) => {
  expect(layoutPath(given)).toBe(path);
});
