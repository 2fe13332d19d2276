import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isMachineCall, machineArguments, parseMachineArguments } from "./machine-arguments.ts";

const text = fc.string({ minLength: 1 });
const call = fc.record({
  verb: fc.constantFrom("generate", "setup", "collect", "grade", "solve", "probe"),
  instance: text,
  seed: fc.nat(),
  params: fc.dictionary(
    text.filter((key) => key !== "__proto__"),
    fc.oneof(text, fc.boolean(), fc.integer()),
  ),
  paths: fc.record(
    { artifacts: text, home: text, input: text, output: text, reference: text, result: text },
    { requiredKeys: [] },
  ),
});

describe("the machine's arguments", () => {
  test("are read back as they were meant, whatever stands in paths and parameters", () => {
    fc.assert(
      fc.property(call, (value) => {
        const argv = machineArguments(value as never);
        expect(isMachineCall(argv)).toBe(true);
        expect(parseMachineArguments(argv)).toEqual({
          ...value,
          params: { ...value.params },
          paths: { ...value.paths },
        });
      }),
    );
  });

  test.each([
    ["an unknown part", ["juggle", "--trusted", "--instance=a", "--seed=1"]],
    ["an unknown argument", ["grade", "--trusted", "--instance=a", "--seed=1", "--verdict=1"]],
    ["no instance", ["grade", "--trusted", "--seed=1"]],
    ["no seed", ["grade", "--trusted", "--instance=a"]],
    ["parameters that are no JSON", ["grade", "--trusted", "--instance=a", "--seed=1", "--params={"]],
  ])("%s is a usage mistake", (_case, argv) => {
    expect(() => parseMachineArguments(argv)).toThrow(expect.objectContaining({ code: "usage" }));
  });
});
