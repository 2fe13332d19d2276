import { expect, test } from "vitest";
import { distinctTargets } from "./distinct-targets.ts";

test("each place is mounted once, with what was named for it first, in the order given", () => {
  const mounts = [
    { source: "/a", target: "/ale/node" },
    { source: "/b", target: "/ale/runtime" },
    { source: "/c", target: "/ale/node" },
    { source: "/a", target: "/ale/tools" },
  ];
  expect(distinctTargets(mounts).map(({ source, target }) => [source, target])).toEqual([
    ["/a", "/ale/node"],
    ["/b", "/ale/runtime"],
    ["/a", "/ale/tools"],
  ]);
});
