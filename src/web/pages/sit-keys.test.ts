import { expect, test } from "vitest";
import { inputOfKey } from "./sit-keys.ts";

const held = { ctrl: "ctrlKey", alt: "altKey", shift: "shiftKey", meta: "metaKey" } as const;

function press(key: string, ...modifiers: readonly (keyof typeof held | "AltGraph")[]): unknown {
  const has = (name: string): boolean => modifiers.some((modifier) => modifier === name);
  const flags = Object.fromEntries(Object.entries(held).map(([name, flag]) => [flag, has(name)]));
  const { ctrlKey = false, altKey = false, shiftKey = false, metaKey = false } = flags;
  const getModifierState = has;
  return inputOfKey({ key, ctrlKey, altKey, shiftKey, metaKey, isComposing: false, getModifierState });
}

test("characters are typed as they are, whatever was held to write them", () => {
  expect(press("a")).toEqual({ kind: "type", text: "a" });
  expect(press("A", "shift")).toEqual({ kind: "type", text: "A" });
  expect(press("桃")).toEqual({ kind: "type", text: "桃" });
  expect(press("@", "ctrl", "alt", "AltGraph")).toEqual({ kind: "type", text: "@" });
});

test("named keys and shortcuts are chords", () => {
  expect(press("Enter")).toEqual({ kind: "key", chord: "Enter" });
  expect(press("S", "ctrl", "shift")).toEqual({ kind: "key", chord: "ctrl+shift+s" });
  expect(press("+", "ctrl")).toEqual({ kind: "key", chord: "ctrl++" });
  expect(press("ArrowLeft", "shift")).toEqual({ kind: "key", chord: "shift+ArrowLeft" });
});

test("keys that only hold, and keys the machine does not have, are nothing", () => {
  const presses = ["Shift", "Control", "Dead", "Process", "AudioVolumeUp"].map((key) => press(key));
  expect(presses.filter((input) => input !== undefined)).toEqual([]);
});
