import { describe, expect, test } from "vitest";
import { decompose, normalise } from "./normalise.ts";

//                1234567890123456
const sequence = "GGGCACACACAGGGTT";
const at = (position: number, ref: string, alt: string) => ({ contig: "c", position, ref, alt });

describe("normalise", () => {
  test("deletions of a repeat unit written anywhere in the repeat are the same variant", () => {
    const wanted = at(3, "GCA", "G");
    expect(normalise(at(9, "ACA", "A"), sequence)).toEqual(wanted);
    expect(normalise(at(6, "CAC", "C"), sequence)).toEqual(wanted);
    expect(normalise(at(3, "GCACA", "GCA"), sequence)).toEqual(wanted);
  });

  test("an insertion moves to the left end of its homopolymer", () => {
    expect(normalise(at(14, "G", "GG"), sequence)).toEqual(at(11, "A", "AG"));
  });

  test("an indel at the first base stays on the contig", () => {
    expect(normalise(at(1, "GG", "G"), sequence)).toEqual(at(1, "GG", "G"));
  });

  test("context around a substitution is trimmed", () => {
    expect(normalise(at(3, "GCA", "GTA"), sequence)).toEqual(at(4, "C", "T"));
  });
});

test("a substitution of several bases is taken apart, equal bases left out", () => {
  expect(decompose(at(4, "CAC", "TAT"), sequence)).toEqual([at(4, "C", "T"), at(6, "C", "T")]);
});
