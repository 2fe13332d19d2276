import { AleError } from "../../contract/ale-error.ts";
import type { RasterImage } from "../image/load-image.ts";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import type { SvgElement, SvgPath } from "./svg-tree.ts";

export interface RenderOptions {
  /** Pixels across. */
  readonly width: number;
  /** The part of the drawing that is shown, in the root's units: `[left, top, width, height]`. Default: its viewBox. */
  readonly window?: readonly [number, number, number, number];
  /** Only this element, with what stands around it (transforms, styles) and what it refers to. */
  readonly only?: SvgPath;
}

/**
 * Draws an SVG document on a transparent ground with resvg: vectors only, no fonts (text leaves no trace), no other files, the
 * same on every machine. Bad when resvg does not understand it.
 * Throws an `AleError` coded `missing-library` when the optional dependency `@resvg/resvg-js` is not installed.
 */
export async function renderSvg(root: SvgElement, options: RenderOptions): Promise<Read<RasterImage>> {
  const { Resvg } = await importResvg();
  try {
    const rendered = new Resvg(serialize(root, options), {
      font: { loadSystemFonts: false },
      fitTo: { mode: "width", value: options.width },
      logLevel: "off",
    }).render();
    return ok({ width: rendered.width, height: rendered.height, data: straight(rendered.pixels) });
  } catch (error) {
    return bad(`The drawing cannot be rendered: ${quote((error as Error).message, 120)}.`);
  }
}

/** The document, or one element of it with its surroundings, as text. */
function serialize(root: SvgElement, { window, only }: RenderOptions): string {
  const attributes = new Map(root.attributes);
  if (window !== undefined) {
    attributes.set("viewBox", window.join(" "));
    attributes.set("width", String(window[2]));
    attributes.set("height", String(window[3]));
    attributes.set("preserveAspectRatio", "none");
  }
  attributes.delete("xmlns");
  const shown = only === undefined ? root.children : [...definitions(root), within(only.slice(1))];
  return write({ ...root, attributes, children: shown }, ' xmlns="http://www.w3.org/2000/svg"');
}

/** Everything as definitions, which draw nothing by themselves. */
function definitions(root: SvgElement): readonly SvgElement[] {
  const sheets = root.children.filter((child) => child.name === "style");
  return [...sheets, { name: "defs", attributes: new Map(), text: "", children: root.children }];
}

function within(path: readonly SvgElement[]): SvgElement {
  const [first, ...rest] = path as [SvgElement, ...SvgElement[]];
  // The copy in the definitions keeps the id.
  const attributes = new Map([...first.attributes].filter(([name]) => name !== "id"));
  return { ...first, attributes, children: rest.length === 0 ? first.children : [within(rest)] };
}

function write(element: SvgElement, namespace = ""): string {
  const attributes = [...element.attributes]
    .filter(([name]) => /^[A-Za-z_][\w.-]*$/.test(name))
    .map(([name, value]) => ` ${name}="${escapeText(value)}"`)
    .join("");
  const inside = element.children.map((child) => write(child)).join("");
  const text = element.name === "style" ? escapeText(element.text) : "";
  return `<${element.name}${namespace}${attributes}>${text}${inside}</${element.name}>`;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** resvg gives colours multiplied by alpha. */
function straight(pixels: Uint8Array): Uint8Array {
  const data = new Uint8Array(pixels);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] as number;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++) {
      data[channel] = Math.min(255, Math.round(((data[channel] as number) * 255) / alpha));
    }
  }
  return data;
}

async function importResvg(): Promise<typeof import("@resvg/resvg-js")> {
  try {
    return await import("@resvg/resvg-js");
  } catch (cause) {
    throw new AleError({
      code: "missing-library",
      message: "SVG cannot be rendered: the optional dependency @resvg/resvg-js is not installed.",
      remedy: "Run `npm install @resvg/resvg-js`.",
      cause,
    });
  }
}
