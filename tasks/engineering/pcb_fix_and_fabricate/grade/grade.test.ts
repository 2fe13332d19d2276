import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "ale/contract/random";
import type { Board } from "ale/grade/kicad/board";
import { findViolations } from "ale/grade/kicad/check-board";
import { findOpenNets } from "ale/grade/kicad/find-open-nets";
import { readBoard } from "ale/grade/kicad/read-board";
import { fromReference } from "ale/grade/rubric/from-reference";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routeBoard } from "../board/route-board.ts";
import { rulesOf } from "../board/rules-of.ts";
import { generate } from "../generate/generate.ts";
import type { Params } from "../params.ts";
import { grade } from "./grade.ts";

const params: Params = {
  title: "Test board",
  columns: 80,
  rows: 64,
  circuits: 2,
  passives: 8,
  clearance: 0.2,
  track: 0.25,
  via: 0.6,
  drill: 0.3,
  edge: 0.5,
};
const rules = rulesOf(params);
let home: string;
let input: string;
let faulty: Board;
let source: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "ale-pcb-"));
  input = join(home, "input");
  for (const name of ["input", "reference", "output", "scratch"]) mkdirSync(join(home, name));
  generate({
    instance: "a/b@c",
    input,
    reference: join(home, "reference"),
    params,
    seed: 1,
    random: createRandom(1),
  });
  source = readFileSync(join(input, "board.kicad_pcb"), "utf8");
  faulty = fromReference(readBoard(source, "board"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function score(board: string): Promise<number> {
  writeFileSync(join(home, "output", "board.kicad_pcb"), board);
  const folders = {
    artifacts: join(home, "output"),
    input,
    reference: join(home, "reference"),
    scratch: join(home, "scratch"),
  };
  return (await grade({ instance: "a/b@c", params, seed: 1, ...folders })).score;
}

/** The board with all tracks laid anew, as text. */
function mended(): string {
  const random = createRandom("orders");
  for (;;) {
    const routing = routeBoard(faulty, rules, random.shuffle(faulty.nets));
    if (routing === undefined) continue;
    const number = (net: string): number => faulty.nets.indexOf(net) + 1;
    const tracks = routing.tracks.map(
      ({ points: [from, to], width, layer, net }) =>
        `(segment (start ${from?.join(" ")}) (end ${to?.join(" ")}) (width ${width}) (layer "${layer}") (net ${number(net)}))`,
    );
    const vias = routing.vias.map(
      ({ at, diameter, drill, net }) =>
        `(via (at ${at.join(" ")}) (size ${diameter}) (drill ${drill}) (layers "F.Cu" "B.Cu") (net ${number(net)}))`,
    );
    const bare = source.replace(/^\s*\((segment|via) .*$/gm, "").trimEnd();
    return `${bare.slice(0, -1)}${[...tracks, ...vias].join("\n")}\n)\n`;
  }
}

describe("the board to mend", () => {
  test("has every kind of fault", () => {
    const found = new Set(findViolations(faulty, rules).map(({ rule }) => rule));
    expect(found).toEqual(new Set(["trackWidth", "viaDiameter", "viaDrill", "edgeClearance", "clearance"]));
    expect(findOpenNets(faulty).length).toBeGreaterThanOrEqual(2);
  });

  test("earns nothing as it is, and all but the plots when its nets are laid anew", async () => {
    expect(await score(source)).toBe(0);
    expect(await score(mended())).toBeCloseTo(0.65, 9);
  });

  test("earns nothing when a part is moved, a pad changes its net, or the outline grows", async () => {
    const good = mended();
    expect(
      await score(
        good.replace(
          /(\(footprint .*?\(at )([\d.]+)/s,
          (_, head: string, x: string) => head + (Number(x) + 1),
        ),
      ),
    ).toBe(0);
    expect(await score(good.replace(/(\(pad "1".*?\(net )\d+ "[^"]*"/, '$12 "other"'))).toBe(0);
    expect(await score(good.replace(/\(gr_line \(start [\d.]+/, "(gr_line (start 1"))).toBe(0);
  });
});
