import fc from "fast-check";
import { expect, test } from "vitest";
import { known, unknown } from "../../contract/absence.ts";
import { parseClaim } from "./parse-claim.ts";

test("a claim and its files are read from the end of the message", () => {
  const message = "All set.\n\nCLAIM: partial\n- totals.csv: done\n- out/report.pdf: could not, no fonts\n";
  expect(parseClaim(known(message))).toEqual({
    claim: known({ kind: "partial", message }),
    files: [
      { path: "totals.csv", kind: "done" },
      { path: "out/report.pdf", kind: "could-not" },
    ],
  });
});

test("markdown around the words does not matter", () => {
  const { claim, files } = parseClaim(known("> **Claim: Could not**\n* `a_b_c.txt`: **done**"));
  expect(claim).toMatchObject({ known: true, value: { kind: "could-not" } });
  expect(files).toEqual([{ path: "a_b_c.txt", kind: "done" }]);
});

test("the last claim stands, and files named before it are not of it", () => {
  const { claim, files } = parseClaim(known("CLAIM: done\n- a: done\nOn second thought:\nCLAIM: could-not"));
  expect(claim).toMatchObject({ known: true, value: { kind: "could-not" } });
  expect(files).toEqual([]);
});

test.each([
  "Done. I wrote hello.txt.",
  "CLAIM: done | partial | could-not",
  "CLAIM: done-ish",
  "I claim: done",
])("%j is not a claim in the fixed form", (message) => {
  expect(parseClaim(known(message)).claim.known).toBe(false);
});

test("a missing message keeps its reason", () => {
  expect(parseClaim(unknown("it said nothing")).claim).toEqual(unknown("it said nothing"));
});

test("a stated claim is found whatever was said before it", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("done", "partial", "could-not"), (before, kind) => {
      const { claim } = parseClaim(known(`${before}\nCLAIM: ${kind}`));
      expect(claim).toMatchObject({ known: true, value: { kind } });
    }),
  );
});
