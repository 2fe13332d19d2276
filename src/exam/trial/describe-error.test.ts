import { expect, test } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import { describeError } from "./describe-error.ts";

const remedy = "look whether podman pull reg.test/x:1 works";
const cause = new AleError({
  code: "registry-unreachable",
  message: "The daemon does not reach reg.test",
  remedy,
});

test("a cause that the error's own words hold is told once, with the remedy behind", () => {
  const message = "The container could not be made: The daemon does not reach reg.test";
  const error = new AleError({ code: "sandbox-create", message, remedy, cause });
  expect(describeError(error)).toBe(`${message} — ${remedy}`);
});

test("a cause that says more follows, and its remedy is taken where the error has none", () => {
  const error = new Error("no machine", { cause });
  expect(describeError(error)).toBe(`no machine: The daemon does not reach reg.test — ${remedy}`);
});

test("what is no error of ours is told as it is", () => {
  expect(describeError(new Error("it broke", { cause: "a word" }))).toBe("it broke: a word");
  expect(describeError("thrown")).toBe("thrown");
  expect(describeError(undefined)).toBe("undefined");
});
