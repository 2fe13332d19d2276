import { PackageProblem, XmlScanner } from "../document/xml-scanner.ts";
import { bad, ok, type Read } from "../rubric/read.ts";

/** An element of an SVG document. Names are local: `inkscape:label` is `label`. */
export interface SvgElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly SvgElement[];
  /** All text within, in order, as it stands. */
  readonly text: string;
}

/** An element and those around it, the root first, itself last. */
export type SvgPath = readonly [SvgElement, ...SvgElement[]];

interface Draft {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Draft[];
  text: string;
}

/** Elements that draw on other files, run, or can cost any amount of work: none is rendered. */
const refused: ReadonlySet<string> = new Set(["script", "foreignObject", "image", "filter", "feImage"]);

const maxNodes = 50_000;

/**
 * Reads an SVG document of an agent. Bad when it is not well-formed, its root is no `svg`, it holds scripts, pictures or
 * filters, or its clones (`use`, patterns) would come to more than 50,000 elements.
 */
export function parseSvg(text: string, name: string): Read<SvgElement> {
  const root: Draft = { name: "", attributes: new Map(), children: [], text: "" };
  const open: Draft[] = [root];
  const scanner = new XmlScanner({
    open(element, attributes) {
      const draft: Draft = { name: element, attributes: new Map(attributes), children: [], text: "" };
      open.at(-1)?.children.push(draft);
      open.push(draft);
    },
    close: () => void open.pop(),
    text(piece) {
      for (const element of open.slice(1)) if (holdsText(element.name)) element.text += piece;
    },
  });
  try {
    // A document type without rules of its own says nothing that matters.
    scanner.write(
      text.replace(/^(\uFEFF?\s*(?:<\?[^>]*\?>\s*)?(?:<!--.*?-->\s*)?)<!DOCTYPE[^[\]>]*>/s, "$1"),
    );
    scanner.end();
  } catch (error) {
    if (!(error instanceof PackageProblem)) throw error;
    return bad(`${name} cannot be read as SVG: ${error.message}.`);
  }
  const [svg] = root.children;
  if (svg === undefined || svg.name !== "svg") return bad(`${name} is not an SVG document.`);
  const odd = [...allElements(svg)].find((element) => refused.has(element.name));
  if (odd !== undefined) return bad(`${name} holds <${odd.name}>, which is not taken.`);
  if (expandedSize(svg) > maxNodes)
    return bad(`${name} has more than ${maxNodes} elements, clones included.`);
  return ok(svg);
}

/** The element and all below it, in document order. */
export function* allElements(element: SvgElement): Generator<SvgElement> {
  yield element;
  for (const child of element.children) yield* allElements(child);
}

/** Where the elements of an id stand; ids should be unique, but need not be. */
export function findById(root: SvgElement, id: string): readonly SvgPath[] {
  return findElements(root, (element) => element.attributes.get("id") === id);
}

/** Where the elements that satisfy a condition stand, in document order. */
export function findElements(root: SvgElement, is: (element: SvgElement) => boolean): readonly SvgPath[] {
  const found: SvgPath[] = [];
  function visit(path: SvgPath): void {
    const element = path.at(-1) as SvgElement;
    if (is(element)) found.push(path);
    for (const child of element.children) visit([...path, child]);
  }
  visit([root]);
  return found;
}

function holdsText(name: string): boolean {
  return (
    name === "text" || name === "tspan" || name === "textPath" || name === "style" || name === "flowRoot"
  );
}

/** Elements there would be with every reference written out; Infinity for one that leads to itself. */
function expandedSize(root: SvgElement): number {
  const byId = new Map<string, SvgElement>();
  for (const element of allElements(root)) byId.set(element.attributes.get("id") ?? "", element);
  const sizes = new Map<SvgElement, number>();
  function sizeOf(element: SvgElement): number {
    const known = sizes.get(element);
    if (known !== undefined) return known;
    sizes.set(element, Number.POSITIVE_INFINITY);
    let size = 1;
    for (const child of element.children) size += sizeOf(child);
    for (const [name, value] of element.attributes) {
      for (const id of referencesIn(name, value)) {
        const target = byId.get(id);
        // A gradient may inherit from another of its kind, and a reference to nothing costs nothing.
        if (target !== undefined && target !== root) size += sizeOf(target);
      }
    }
    sizes.set(element, size);
    return size;
  }
  return sizeOf(root);
}

function* referencesIn(name: string, value: string): Generator<string> {
  if (name === "href" && value.startsWith("#")) yield value.slice(1);
  for (const match of value.matchAll(/url\(\s*["']?#([^"')]+)/g)) yield match[1] as string;
}
