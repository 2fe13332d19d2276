import { describe, expect, test } from "vitest";
import { keysymOf, keysymsOfText } from "./keysym-of.ts";
import { parseChord } from "./parse-chord.ts";

describe("key names", () => {
  test.each([
    ["Return", 0xff0d],
    ["ENTER", 0xff0d],
    ["ctrl", 0xffe3],
    ["Page_Down", 0xff56],
    ["pagedown", 0xff56],
    ["f12", 0xffc9],
    ["a", 0x61],
    ["A", 0x41],
    ["é", 0xe9],
    ["€", 0x010020ac],
    [" ", 0x20],
    ["space", 0x20],
    ["plus", 0x2b],
  ])("%s is a key", (name, keysym) => {
    expect(keysymOf(name)).toBe(keysym);
  });

  test.each(["", "NoSuchKey", "ctrl+c", "toString", "__proto__"])("%j is none", (name) => {
    expect(() => keysymOf(name)).toThrow(expect.objectContaining({ code: "screen-key" }));
  });

  test("a text's lines end with Return, once", () => {
    expect(keysymsOfText("a\r\nb\n\t😀")).toEqual([0x61, 0xff0d, 0x62, 0xff0d, 0xff09, 0x0101f600]);
  });
});

describe("chords", () => {
  test.each([
    ["ctrl+s", ["ctrl", "s"]],
    ["ctrl + shift + t", ["ctrl", "shift", "t"]],
    ["ctrl++", ["ctrl", "+"]],
    ["+", ["+"]],
    [" ", [" "]],
    ["Return", ["Return"]],
  ])("%s", (chord, keys) => {
    expect(parseChord(chord)).toEqual(keys);
  });
});
