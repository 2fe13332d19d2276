import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromReference } from "../rubric/from-reference.ts";
import type { Board, Place } from "./board.ts";
import { type BoardRules, findViolations } from "./check-board.ts";
import { compareCopper, compareHoles, compareMask, compareOutline } from "./compare-fabrication.ts";
import { type Copper, gapBetween } from "./copper.ts";
import { findOpenNets } from "./find-open-nets.ts";
import { parseSExpression } from "./parse-s-expression.ts";
import { readBoard } from "./read-board.ts";
import { readDrill } from "./read-drill.ts";
import { readGerber } from "./read-gerber.ts";

/** A small board, and what KiCad 6 plotted of it; its own rule check finds nothing. */
const text = async (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, "fixtures", name), "utf8");
const source = await text("tiny.kicad_pcb");
const board = fromReference(readBoard(source, "tiny.kicad_pcb"));
const plot = async (layer: string) => fromReference(readGerber(await text(`tiny-${layer}.gbr`), layer));

const rules: BoardRules = {
  clearance: 0.2,
  trackWidth: 0.25,
  viaDiameter: 0.6,
  viaDrill: 0.3,
  edgeClearance: 0.5,
};
const edited = (change: (text: string) => string): Board =>
  fromReference(readBoard(change(source), "edited"));
const broken = (change: (text: string) => string): readonly string[] => [
  ...new Set(findViolations(edited(change), rules).map(({ rule }) => rule)),
];

describe("reading a board", () => {
  test("pads stand where their footprint puts them", () => {
    expect(
      board.pads.map(({ name, net, at }) => [
        name,
        net,
        ...at.map((value) => Math.round(value * 1000) / 1000),
      ]),
    ).toEqual([
      ["R1.1", "A", 15, 13.5],
      ["R1.2", "B", 15, 10.5],
      ["J1.1", "A", 22, 13],
      ["J1.2", "B", 22, 15.54],
    ]);
    expect(board.edges).toHaveLength(4);
    expect(board.nets).toEqual(["A", "B"]);
  });

  test.each([
    ["cut off", source.slice(0, 900), "cut off"],
    ["another list", "(kicad_sch (version 1))", "not a board"],
    ["no list", "hello", "not one list"],
    ["a text without an end", '(kicad_pcb "', "not closed"],
    ["depth", "(a ".repeat(100_000), "too deep"],
    ["words for numbers", source.replace("(start 15 13.5)", "(start here 13.5)"), "no number"],
    ["a custom pad", source.replace("smd rect", "smd custom"), "a shape that is not taken"],
  ])("%s is refused", (_case, bad, words) => {
    const read = readBoard(bad, "a.kicad_pcb");
    expect(read.kind === "bad" && read.outcome.message).toContain(words);
  });

  test("whatever the text, there is a list or a reason", () => {
    const piece = fc.constantFrom("(", ")", '"', "\\", "a", " ", "1.5", "\n", "kicad_pcb");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(["ok", "bad"]).toContain(parseSExpression(pieces.join(""), "a").kind);
      }),
    );
  });
});

describe("checking a board", () => {
  test("nothing is found where KiCad finds nothing", () => {
    expect(findViolations(board, rules)).toEqual([]);
    expect(findOpenNets(board)).toEqual([]);
  });

  test.each<readonly [string, (text: string) => string, string]>([
    ["a thin track", (one) => one.replace("(width 0.3)", "(width 0.2)"), "trackWidth"],
    ["a small via", (one) => one.replace("(size 0.8) (drill 0.4)", "(size 0.5) (drill 0.3)"), "viaDiameter"],
    ["a small hole", (one) => one.replace("(size 0.8) (drill 0.4)", "(size 0.8) (drill 0.2)"), "viaDrill"],
    [
      "a track near the edge",
      (one) => one.replace("(end 18 10.5) (width 0.25)", "(end 18 8.4) (width 0.25)"),
      "edgeClearance",
    ],
    ["a via off the board", (one) => one.replace("(via (at 18 13.5)", "(via (at 40 13.5)"), "outside"],
    [
      "a track over a pad",
      (one) => one.replace("(end 18 10.5) (width 0.25)", "(end 15 13) (width 0.25)"),
      "clearance",
    ],
    [
      "crossing tracks",
      (one) => one.replace("(end 18 10.5) (width 0.25)", "(end 16.5 15) (width 0.25)"),
      "clearance",
    ],
  ])("%s is found", (_case, change, rule) => {
    expect(broken(change)).toContain(rule);
  });

  test("a track taken away, or on the other layer, opens its net", () => {
    const without = edited((one) => one.replace(/^\s*\(segment \(start 15 13.5\).*$/m, ""));
    expect(findOpenNets(without)).toEqual(["A"]);
    const below = edited((one) =>
      one.replace('(end 18 10.5) (width 0.25) (layer "F.Cu")', '(end 18 10.5) (width 0.25) (layer "B.Cu")'),
    );
    expect(findOpenNets(below)).toEqual(["B"]);
  });

  test("a filled zone joins and is kept apart like other copper", () => {
    const zone = (net: number, name: string): string =>
      `(zone (net ${net}) (net_name "${name}") (layer "F.Cu") (filled_polygon (layer "F.Cu") (pts (xy 12 9) (xy 24 9) (xy 24 19) (xy 12 19))))\n)`;
    const poured = edited(
      (one) =>
        `${one
          .replaceAll(/^\s*\((segment|arc|via) .*$/gm, "")
          .trimEnd()
          .slice(0, -1)}${zone(1, "A")}`,
    );
    expect(findOpenNets(poured)).toEqual(["B"]);
    expect(findViolations(poured, rules).map(({ what }) => what.split(":")[0])).toEqual(
      expect.arrayContaining(["zone to R1.2"]),
    );
  });

  test("gaps are the same both ways, and those of circles are what geometry says", () => {
    const coordinate = fc.double({ min: -20, max: 20, noNaN: true });
    const place: fc.Arbitrary<Place> = fc.tuple(coordinate, coordinate);
    const piece = (points: readonly Place[], radius: number): Copper => ({
      net: "",
      layers: ["F.Cu"],
      points,
      radius,
      filled: points.length > 2,
      name: "piece",
    });
    const pieces = fc.tuple(
      fc.array(place, { minLength: 1, maxLength: 4 }),
      fc.double({ min: 0, max: 3, noNaN: true }),
    );
    fc.assert(
      fc.property(pieces, pieces, place, place, ([a, r], [b, s], p, q) => {
        expect(gapBetween(piece(a, r), piece(b, s))).toBeCloseTo(gapBetween(piece(b, s), piece(a, r)), 9);
        const apart = Math.max(0, Math.hypot(p[0] - q[0], p[1] - q[1]) - r - s);
        expect(gapBetween(piece([p], r), piece([q], s))).toBeCloseTo(apart, 9);
      }),
    );
  });
});

describe("plots of a board", () => {
  test("KiCad's own draw the board, arcs and rounded pads included", async () => {
    expect(compareCopper(await plot("F_Cu"), board, "F.Cu").score).toBe(1);
    expect(compareCopper(await plot("B_Cu"), board, "B.Cu").score).toBe(1);
    expect(compareMask(await plot("F_Mask"), board, "F").score).toBe(1);
    expect(compareMask(await plot("B_Mask"), board, "B").score).toBe(1);
    expect(compareOutline(await plot("Edge_Cuts"), board).score).toBe(1);
    expect(compareHoles(fromReference(readDrill(await text("tiny.drl"), "tiny.drl")), board).score).toBe(1);
  });

  test("those of the other side, or of another board, do not", async () => {
    expect(compareCopper(await plot("B_Cu"), board, "F.Cu").score).toBeLessThan(0.7);
    const moved = edited((one) => one.replace("(at 22 13)", "(at 22.1 13)"));
    expect(compareCopper(await plot("F_Cu"), moved, "F.Cu").score).toBeLessThan(1);
    expect(
      compareHoles(fromReference(readDrill(await text("tiny.drl"), "tiny.drl")), moved).score,
    ).toBeLessThan(1);
  });

  test("a mark for the drill within a pad does not matter, copper beside it does", async () => {
    const front = await text("tiny-F_Cu.gbr");
    const flash = (x: number): string =>
      front.replace("M02*", `%ADD90C,0.35*%D90*X${x}000000Y-13000000D03*M02*`);
    const score = (plotted: string): number =>
      compareCopper(fromReference(readGerber(plotted, "a")), board, "F.Cu").score;
    expect(score(flash(22))).toBe(1);
    expect(score(flash(24))).toBeLessThan(1);
  });

  test("inches are converted", async () => {
    const inch = "%FSLAX24Y24*%%MOIN*%%ADD10C,0.01*%D10*X0Y0D02*X10000Y5000D01*M02*";
    expect(fromReference(readGerber(inch, "a")).strokes).toEqual([
      { from: [0, 0], to: [25.4, 12.7], width: 0.254 },
    ]);
    const drill = fromReference(readDrill("M48\nINCH\nT1C0.04\n%\nT1\nX1.0Y-0.5\nM30\n", "a.drl"));
    expect(drill).toEqual([{ at: [25.4, -12.7], diameter: 1.016 }]);
  });

  test.each([
    ["a plot cut off", "%FSLAX46Y46*%X0Y0D02*", "M02 is missing"],
    ["no plot", "hello*", "not a Gerber file"],
    ["steps and repeats", "%FSLAX46Y46*%%SRX3Y2I5.0J4.0*%M02*", "repeats"],
  ])("%s is refused", (_case, plotted, words) => {
    const read = readGerber(plotted, "a.gbr");
    expect(read.kind === "bad" && read.outcome.message).toContain(words);
  });

  test.each([
    ["no drill file", "hello", "not a drill file"],
    ["one cut off", "M48\nMETRIC\n", "M30 is missing"],
    ["one without points", "M48\nMETRIC\nT1C1.0\n%\nT1\nX001500Y002000\nM30", "without a decimal point"],
    ["one with an unknown tool", "M48\n%\nT7\nX1.0Y1.0\nM30", "does not define"],
  ])("%s is refused", (_case, drilled, words) => {
    const read = readDrill(drilled, "a.drl");
    expect(read.kind === "bad" && read.outcome.message).toContain(words);
  });
});
