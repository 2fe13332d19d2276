import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "ale/contract/random";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generate } from "../generate/generate.ts";
import type { Params } from "../params.ts";
import type { Poster, Shape } from "../poster/poster.ts";
import { drawPieces } from "../solve/draw-pieces.ts";
import { readBrief } from "../solve/read-brief.ts";
import { grade } from "./grade.ts";

const params: Params = {
  title: "Sommerfest",
  place: "Alter Hafen",
  date: "2 June 2027",
  width: 148,
  height: 210,
  png_width: 296,
  points: 8,
  logo_box: "108, 184, 30, 18",
};
let home: string;
let poster: Poster;
let drawing: string;
/** What the drawing's checks score. */
let untouched: ReadonlyMap<string, number>;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "ale-poster-"));
  for (const name of ["input", "reference", "output", "scratch"]) mkdirSync(join(home, name));
  const [input, reference] = [join(home, "input"), join(home, "reference")];
  generate({ instance: "a/b@c", input, reference, params, seed: 1, random: createRandom(5) });
  poster = readBrief(input, params);
  drawing = joined(drawPieces(poster, readFileSync(join(input, "logo.svg"), "utf8")));
  untouched = new Map((await verdictOf(drawing)).checks.map(({ id, score }) => [id, score]));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Rings and windows need no program to be cut: their pieces, one within the other, are one path by the even-odd rule. */
function joined(svg: string): string {
  return poster.shapes
    .filter(({ id }) => id === "halo" || id === "window")
    .reduce((text, shape) => {
      const own = new RegExp(`<[a-z]+ [^<]*id="${shape.id}(-piece-\\d)?"[^<]*/>\\n?`, "g");
      const path = `<path id="${shape.id}" style="fill:${shape.fill};fill-rule:evenodd" d="${outlines(shape)}"/>`;
      const first = text.search(own);
      return text.replace(own, (...found) => (found.at(-2) === first ? path : ""));
    }, svg);
}

function outlines({ id, figures }: Shape): string {
  if (id === "halo") {
    return figures
      .map((figure) =>
        figure.kind === "circle"
          ? `M ${figure.x - figure.r},${figure.y} a ${figure.r},${figure.r} 0 1 0 ${2 * figure.r},0 a ${figure.r},${figure.r} 0 1 0 ${-2 * figure.r},0 Z`
          : "",
      )
      .join(" ");
  }
  const [frame, upright, level] = figures.map((figure) => (figure.kind === "rectangle" ? figure : undefined));
  if (frame === undefined || upright === undefined || level === undefined) return "";
  // The cross as one outline, for where its bars meet would count twice.
  const [x0, x1, x2, x3] = [level.x, upright.x, upright.x + upright.width, level.x + level.width];
  const [y0, y1, y2, y3] = [upright.y, level.y, level.y + level.height, upright.y + upright.height];
  return `M ${frame.x},${frame.y} h ${frame.width} v ${frame.height} h ${-frame.width} Z M ${x1},${y0} H ${x2} V ${y1} H ${x3} V ${y2} H ${x2} V ${y3} H ${x1} V ${y2} H ${x0} V ${y1} H ${x1} Z`;
}

async function verdictOf(svg: string) {
  writeFileSync(join(home, "output", "poster.svg"), svg);
  const folders = {
    artifacts: join(home, "output"),
    input: join(home, "input"),
    reference: join(home, "reference"),
    scratch: join(home, "scratch"),
  };
  return grade({ instance: "a/b@c", params, seed: 1, ...folders });
}

const scoreOf = async (svg: string, id: string): Promise<number | undefined> =>
  (await verdictOf(svg)).checks.find((check) => check.id === id)?.score;

describe("a poster drawn without a program", () => {
  test("loses the moon, the lens and the cloud, whose paths are not joined, and nothing else of the drawing", async () => {
    const { checks } = await verdictOf(drawing);
    const scores = Object.fromEntries(checks.map(({ id, score }) => [id, score]));
    expect(scores).toMatchObject({ usable: 1, layers: 1, text: 1, logo: 1, preview: 0, "print-plain": 0 });
    expect(checks.find(({ id }) => id === "shapes")?.evidence).toEqual([
      expect.stringMatching(/^moon:/),
      expect.stringMatching(/^lens:/),
      expect.stringMatching(/^cloud:/),
    ]);
  });

  test.each<readonly [string, (svg: string) => string, string]>([
    [
      "another colour",
      (svg) => svg.replace(/(<circle[^>]*id="sun" style="fill:)#\w{6}/, "$1#123456"),
      "shapes",
    ],
    [
      "a stroke",
      (svg) => svg.replace(/(id="sun" style="[^"]*)stroke:none/, "$1stroke:#000000;stroke-width:6"),
      "shapes",
    ],
    ["a half-transparent shape", (svg) => svg.replace('id="sun"', 'id="sun" opacity="0.4"'), "shapes"],
    [
      "a shape in a group",
      (svg) => svg.replace(/<circle([^>]*)id="sun"([^>]*)\/>/, '<g id="sun"><circle$1$2/></g>'),
      "shapes",
    ],
    ["a clip", (svg) => svg.replace('id="sun"', 'id="sun" clip-path="url(#none)"'), "shapes"],
    ["another letter", (svg) => svg.replace("Sommerfest", "Sommerfeste"), "text"],
    [
      "another size of letters",
      (svg) => svg.replace(/font-size:([\d.]+)px/, (_, size: string) => `font-size:${Number(size) * 1.03}px`),
      "text",
    ],
    [
      "stretched letters",
      (svg) => svg.replace('<text id="title"', '<text transform="scale(1 1.1)" id="title"'),
      "text",
    ],
    [
      "letters turned",
      (svg) => svg.replace('<text id="title"', '<text transform="rotate(2 74 24)" id="title"'),
      "text",
    ],
    [
      "a moved logo",
      (svg) =>
        svg.replace(
          /(id="logo" transform="translate\()(\d+)/,
          (_, head: string, x: string) => head + (Number(x) + 2),
        ),
      "logo",
    ],
    ["another layer", (svg) => svg.replace('inkscape:label="logo"', 'inkscape:label="Layer 3"'), "layers"],
  ])("%s costs points", async (_case, change, check) => {
    const changed = change(drawing);
    expect(changed).not.toBe(drawing);
    expect(await scoreOf(changed, check)).toBeLessThan(untouched.get(check) ?? 0);
  });

  test("a page of another size, or none at all, is worth nothing", async () => {
    expect((await verdictOf(drawing.replace('width="148mm"', 'width="210mm"'))).score).toBe(0);
    expect((await verdictOf("<svg/>")).score).toBe(0);
  });
});
