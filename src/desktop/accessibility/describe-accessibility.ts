import type { ScreenRegion, ScreenWindow } from "../../sandbox/screen.ts";
import type { ScreenSpace } from "../screen-actions/screen-space.ts";
import type { AccessibilityTree, AccessibleNode } from "./read-accessibility-tree.ts";

/** The longest answer in characters, so that no program's table fills a model's context. */
const longestText = 40_000;

export interface DescribeAccessibilityOptions {
  /** Open now: those of which nothing is told are named. */
  readonly windows: readonly Pick<ScreenWindow, "title" | "program">[];
  /** In which places are told. */
  readonly space: Pick<ScreenSpace, "fromScreen">;
  /** As it was asked for: part of a program's name or a window's title. */
  readonly only?: string;
}

/** What programs tell of what they show, an item a line, indented below what it is part of; what is missing is said. */
export function describeAccessibility(
  tree: AccessibilityTree,
  { windows, space, only = "" }: DescribeAccessibilityOptions,
): string {
  if (tree.state === "absent")
    return `There is no accessibility tree here: ${tree.reason}. Use the screenshot.`;
  const lines = tree.programs.flatMap((program) => linesOf(program, space, 0));
  const { kept, isShort } = withinBounds(lines);
  const told = new Set(tree.programs.flatMap(({ children }) => children.map(({ name }) => oneLine(name))));
  const asked = windows.filter(({ title, program }) => isPart(only, title) || isPart(only, program));
  // Where it was cut, the others may not have been reached.
  const silent = tree.cut ? [] : asked.filter(({ title }) => !told.has(oneLine(title)));
  const of = only === "" ? "" : ` of ${JSON.stringify(only)}`;
  return [
    ...(lines.length === 0 ? [`No program tells what it shows${of}.`] : kept),
    ...(tree.cut || isShort
      ? ['There is more: ask for a single program or window with "only", or for more with "max_items".']
      : []),
    ...(silent.length === 0 ? [] : ["These windows tell nothing; use the screenshot:"]),
    ...silent.map(({ title, program }) => `- ${oneLine(title)} [${program}]`),
  ].join("\n");
}

function linesOf(node: AccessibleNode, space: Pick<ScreenSpace, "fromScreen">, depth: number): string[] {
  const { role, name, text, box, states, children } = node;
  const isSilent = name === "" && text === undefined && states.length === 0;
  // Frames that only hold others say nothing themselves, and there are many.
  if (isSilent && (children.length > 0 || box === undefined)) {
    return children.flatMap((child) => linesOf(child, space, depth));
  }
  const parts = [
    `${"  ".repeat(depth)}- ${role}`,
    ...(name === "" ? [] : [JSON.stringify(oneLine(name))]),
    ...(states.length === 0 ? [] : [`(${states.join(", ")})`]),
    ...(box === undefined ? [] : [placeOf(box, space)]),
    ...(text === undefined ? [] : [`text ${JSON.stringify(text)}`]),
  ];
  return [parts.join(" "), ...children.flatMap((child) => linesOf(child, space, depth + 1))];
}

/** Its middle, where a click meets it, and its size. */
function placeOf(box: ScreenRegion, { fromScreen }: Pick<ScreenSpace, "fromScreen">): string {
  const start = fromScreen(box);
  const end = fromScreen({ x: box.x + box.width, y: box.y + box.height });
  const middle = fromScreen({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  return `at ${middle.x}, ${middle.y}, ${end.x - start.x} × ${end.y - start.y}`;
}

/** As many whole lines from the first as there is room for. */
function withinBounds(lines: readonly string[]): {
  readonly kept: readonly string[];
  readonly isShort: boolean;
} {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length + 1;
    return length > longestText;
  });
  return end === -1 ? { kept: lines, isShort: false } : { kept: lines.slice(0, end), isShort: true };
}

function isPart(part: string, whole: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase());
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
