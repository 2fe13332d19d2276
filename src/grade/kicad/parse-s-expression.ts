import { bad, ok, type Read } from "../rubric/read.ts";

/** A list `(name value …)`: its name, the plain values after it, and the lists within. */
export interface Expression {
  readonly name: string;
  readonly values: readonly string[];
  readonly lists: readonly Expression[];
}

interface Draft {
  name: string | undefined;
  readonly values: string[];
  readonly lists: Expression[];
}

const maxDepth = 64;
const maxLists = 1_000_000;

/** Reads the one list that a file of KiCad is; bad when it is none, cut off, nested deeper than 64 or larger than a million lists. */
export function parseSExpression(text: string, name: string): Read<Expression> {
  const open: Draft[] = [{ name: "", values: [], lists: [] }];
  let lists = 0;
  const token = /\s*(?:([()])|"((?:[^"\\]|\\.)*)"|([^\s()"]+))/gsy;
  const end = text.trimEnd().length;
  while (token.lastIndex < end) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) return bad(`${name} cannot be read: a text is not closed (character ${at + 1}).`);
    const top = open.at(-1) as Draft;
    if (match[1] === "(") {
      if (open.length > maxDepth || ++lists > maxLists)
        return bad(`${name} is nested too deep or too large.`);
      open.push({ name: undefined, values: [], lists: [] });
    } else if (match[1] === ")") {
      if (open.length === 1) return bad(`${name} cannot be read: a closing bracket matches no opening one.`);
      open.pop();
      open.at(-1)?.lists.push({ name: top.name ?? "", values: top.values, lists: top.lists });
    } else {
      const value = match[2]?.replace(/\\(.)/gs, "$1") ?? (match[3] as string);
      if (top.name === undefined) top.name = value;
      else top.values.push(value);
    }
  }
  const [root, ...more] = open[0]?.lists ?? [];
  if (open.length > 1) return bad(`${name} is cut off.`);
  if (root === undefined || more.length > 0 || (open[0]?.values.length ?? 0) > 0)
    return bad(`${name} is not one list.`);
  return ok(root);
}

/** The lists of a name, in order. */
export function listsOf(expression: Expression, name: string): readonly Expression[] {
  return expression.lists.filter((list) => list.name === name);
}

/** The first list of a name. */
export function listOf(expression: Expression, name: string): Expression | undefined {
  return expression.lists.find((list) => list.name === name);
}

/** The plain values of the first list of a name, as numbers. */
export function numbersOf(expression: Expression, name: string): readonly number[] {
  return listOf(expression, name)?.values.map(Number) ?? [];
}
