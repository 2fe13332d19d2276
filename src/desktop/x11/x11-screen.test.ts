import { describe } from "vitest";
import { screenConformance } from "../conformance/screen-conformance.ts";
import { openX11Target } from "../test-support/x11-probes.ts";

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)("an X server's screen", () => {
  screenConformance("behaves as every screen does", openX11Target);
});
