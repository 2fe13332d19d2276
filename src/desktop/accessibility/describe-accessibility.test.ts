import { describe, expect, test } from "vitest";
import { screenSpace } from "../screen-actions/screen-space.ts";
import { describeAccessibility } from "./describe-accessibility.ts";
import type { AccessibilityTree, AccessibleNode } from "./read-accessibility-tree.ts";

const space = screenSpace({ width: 2000, height: 1000 }, { coordinates: "thousandths" });

function node(role: string, changes: Partial<AccessibleNode> = {}): AccessibleNode {
  return { role, name: "", states: [], children: [], ...changes };
}

function told(windows: readonly AccessibleNode[], cut = false): AccessibilityTree {
  return { state: "told", programs: [node("application", { name: "calc", children: windows })], cut };
}

const sheet = { title: "Sheet - Calc", program: "Calc" };
const terminal = { title: "xterm", program: "XTerm" };

describe("an accessibility tree in words", () => {
  test("is an outline with the middle of each item, in places of the screen's tools", () => {
    const tree = told([
      node("frame", {
        name: "Sheet - Calc",
        children: [
          node("filler", {
            children: [
              node("push button", { name: "Sa\nve", box: { x: 100, y: 100, width: 200, height: 100 } }),
            ],
          }),
          node("entry", { text: 'a "b"\nc', states: ["focused", "editable"] }),
          node("separator"),
        ],
      }),
    ]);
    expect(describeAccessibility(tree, { windows: [sheet], space }).split("\n")).toEqual([
      '- application "calc"',
      '  - frame "Sheet - Calc"',
      '    - push button "Sa ve" at 100, 150, 100 × 100',
      '    - entry (focused, editable) text "a \\"b\\"\\nc"',
    ]);
  });

  test("names the windows that tell nothing", () => {
    const tree = told([node("frame", { name: "Sheet - Calc" })]);
    const text = describeAccessibility(tree, { windows: [sheet, terminal], space });
    expect(text).toMatch(/tell nothing; use the screenshot:\n- xterm \[XTerm\]$/);
    const some = describeAccessibility(tree, { windows: [sheet, terminal], space, only: "calc" });
    expect(some).not.toContain("xterm");
    const cut = describeAccessibility(told([], true), { windows: [sheet, terminal], space });
    expect(cut).not.toContain("xterm");
  });

  test("says that no program tells anything, and why it cannot be asked", () => {
    const none: AccessibilityTree = { state: "told", programs: [], cut: false };
    expect(describeAccessibility(none, { windows: [terminal], space, only: "xterm" })).toMatch(
      /^No program tells what it shows of "xterm"\.\nThese windows tell nothing.*\n- xterm \[XTerm\]$/,
    );
    const absent: AccessibilityTree = { state: "absent", reason: "no library" };
    expect(describeAccessibility(absent, { windows: [], space })).toBe(
      "There is no accessibility tree here: no library. Use the screenshot.",
    );
  });

  test("is no longer than its bound, and says how to see the rest", () => {
    const items = Array.from({ length: 2000 }, (_, number) =>
      node("table cell", { name: `${number} ${"x".repeat(100)}` }),
    );
    const text = describeAccessibility(told([node("frame", { name: "Sheet - Calc", children: items })]), {
      windows: [sheet],
      space,
    });
    expect(text.length).toBeLessThan(40_200);
    expect(text).toMatch(/There is more: .*"only".*$/);
  });
});
