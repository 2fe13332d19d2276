import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromReference } from "../rubric/from-reference.ts";
import { renderSvg } from "./render-svg.ts";
import { shapeAgreement } from "./shape-agreement.ts";
import { svgLayers } from "./svg-layers.ts";
import { lengthInMillimetres } from "./svg-length.ts";
import { readSvgPage } from "./svg-page.ts";
import { readSvgText, svgTexts } from "./svg-text.ts";
import { applyMatrix, parseTransform } from "./svg-transform.ts";
import { findById, parseSvg, type SvgElement } from "./svg-tree.ts";

/** As Inkscape 1.2 writes it, cut down. */
const saved = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg width="40mm" height="20mm" viewBox="0 0 80 40" version="1.1"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns="http://www.w3.org/2000/svg">
  <g inkscape:groupmode="layer" inkscape:label="shapes" id="layer1" transform="translate(10,0)">
    <circle id="sun" cx="10" cy="20" r="8" style="fill:#ff8000;stroke:none" />
    <path id="hole" d="M 30,10 H 50 V 30 H 30 Z M 35,15 V 25 H 45 V 15 Z" style="fill:#0000ff;fill-rule:evenodd" />
  </g>
  <g inkscape:groupmode="layer" inkscape:label="text" style="font-family:'DejaVu Sans', sans-serif">
    <text id="t" xml:space="preserve" transform="scale(2)" style="font-size:4px;font-weight:700;fill:#102030"><tspan
      id="s" x="5" y="8" style="text-anchor:middle">Fish &amp;
 chips</tspan></text>
  </g>
</svg>`;

const parse = (text: string): SvgElement => fromReference(parseSvg(text, "a.svg"));

describe("reading SVG", () => {
  test("layers, page and text are as they lie on the page", () => {
    const root = parse(saved);
    expect(svgLayers(root).map(({ label }) => label)).toEqual(["shapes", "text"]);
    const page = fromReference(readSvgPage(root, "a.svg"));
    expect(page).toEqual({ width: 40, height: 20, left: 0, top: 0, scaleX: 0.5, scaleY: 0.5 });
    const [path] = svgTexts(root);
    expect(path && readSvgText(path, page)).toEqual({
      content: "Fish & chips",
      x: 5,
      y: 8,
      size: 4,
      anchor: "middle",
      family: "DejaVu Sans",
      bold: true,
      angle: 0,
      fill: "#102030",
    });
  });

  test.each([
    ["1in", 25.4],
    ["96", 25.4],
    ["72pt", 25.4],
    ["2.5cm", 25],
    ["50%", undefined],
    ["wide", undefined],
  ])("%s is %s mm", (text, millimetres) => {
    expect(lengthInMillimetres(text)).toBe(millimetres);
  });

  test("a turn about a point leaves it where it is, and turning back undoes it", () => {
    const number = fc.integer({ min: -500, max: 500 });
    fc.assert(
      fc.property(number, number, number, number, number, (angle, cx, cy, x, y) => {
        const turn = `rotate(${angle} ${cx},${cy})`;
        const [fixedX, fixedY] = applyMatrix(parseTransform(turn), cx, cy);
        expect(Math.hypot(fixedX - cx, fixedY - cy)).toBeLessThan(1e-6);
        const back = parseTransform(`${turn} rotate(${-angle},${cx},${cy})`);
        const [nearX, nearY] = applyMatrix(back, x, y);
        expect(Math.hypot(nearX - x, nearY - y)).toBeLessThan(1e-6);
      }),
    );
  });

  test("transforms are applied from the right, the last one first", () => {
    const [x, y] = applyMatrix(parseTransform("translate(50 90) rotate(-90) scale(2 3)"), 1, 1);
    expect([Math.round(x), Math.round(y)]).toEqual([53, 88]);
  });

  test.each([
    ["cut off", saved.slice(0, 700), "cut off"],
    ["another format", "<html></html>", "not an SVG document"],
    ["a script", '<svg xmlns="s"><script>1</script></svg>', "<script>"],
    ["a picture", '<svg xmlns="s"><image href="/etc/passwd"/></svg>', "<image>"],
    ["entities", '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', "DOCTYPE"],
    ["a clone of itself", '<svg><g id="a"><use href="#a"/></g></svg>', "clones included"],
    ["clones of clones", clones(12), "clones included"],
    ["depth", "<svg>".repeat(100_000), "cannot be read"],
  ])("%s is refused", (_case, text, words) => {
    const read = parseSvg(text, "a.svg");
    expect(read.kind === "bad" && read.outcome.message).toContain(words);
  });

  test("a page without a size is refused", () => {
    const read = readSvgPage(parse('<svg width="100%" height="5mm"/>'), "a.svg");
    expect(read.kind).toBe("bad");
  });
});

/** Each level ten clones of the level below. */
function clones(levels: number): string {
  const groups = Array.from(
    { length: levels },
    (_, level) => `<g id="l${level + 1}">${`<use href="#l${level}"/>`.repeat(10)}</g>`,
  );
  return `<svg xmlns:xlink="x"><rect id="l0"/>${groups.join("")}</svg>`;
}

describe("drawing SVG", () => {
  const colour = [255, 128, 0] as const;

  test("one element is drawn alone, where it lies", async () => {
    const root = parse(saved);
    const [sun] = findById(root, "sun");
    const drawn = fromReference(await renderSvg(root, { width: 400, ...(sun ? { only: sun } : {}) }));
    expect([drawn.width, drawn.height]).toEqual([400, 200]);
    const inside = (column: number, row: number): boolean =>
      Math.hypot((column + 0.5) / 5 - 20, (row + 0.5) / 5 - 20) <= 8;
    const { overlap, coloured } = shapeAgreement(drawn, inside, colour);
    expect(overlap).toBeGreaterThan(0.99);
    expect(coloured).toBeGreaterThan(0.99);
    expect(shapeAgreement(drawn, inside, [0, 0, 0]).coloured).toBe(0);
  });

  test("a hole stays a hole, and a part of the page can be looked at", async () => {
    const root = parse(saved);
    const [hole] = findById(root, "hole");
    const window = [40, 10, 20, 20] as const;
    const drawn = fromReference(
      await renderSvg(root, { width: 100, window, ...(hole ? { only: hole } : {}) }),
    );
    const alpha = (column: number, row: number): number | undefined =>
      drawn.data[4 * (row * 100 + column) + 3];
    expect([alpha(5, 5), alpha(50, 50), alpha(95, 95)]).toEqual([255, 0, 255]);
  });

  test("the same drawing gives the same pixels, and colours are not darkened by transparency", async () => {
    const root = parse(
      '<svg width="4" height="4"><rect width="4" height="4" fill="#80ff40" opacity="0.5"/></svg>',
    );
    const [first, second] = [await renderSvg(root, { width: 8 }), await renderSvg(root, { width: 8 })];
    expect(first).toEqual(second);
    const { data } = fromReference(first);
    expect(
      Math.abs((data[0] ?? 0) - 128) <= 1 && data[1] === 255 && Math.abs((data[3] ?? 0) - 128) <= 1,
    ).toBe(true);
  });

  test("text leaves no trace, whatever fonts the machine has", async () => {
    const root = parse('<svg width="40" height="40"><text y="30" font-size="30">W</text></svg>');
    expect(Math.max(...fromReference(await renderSvg(root, { width: 40 })).data)).toBe(0);
  });
});
