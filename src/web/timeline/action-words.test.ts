import { expect, test } from "vitest";
import { actionWords } from "./action-words.ts";

test.each([
  [{ kind: "click", at: { x: 640, y: 400 }, button: "left", times: 1 }, "640, 400 left"],
  [{ kind: "click", button: "left", times: 2 }, "left times 2"],
  [{ kind: "key", chord: "ctrl+s", times: 1 }, "ctrl+s"],
  [{ kind: "type", text: "net income" }, "net income"],
  [
    {
      kind: "drag",
      path: [
        { x: 1, y: 2 },
        { x: 30, y: 40 },
      ],
      button: "left",
    },
    "1, 2 → 30, 40 left",
  ],
  [{ kind: "scroll", at: { x: 5, y: 6 }, x: 0, y: 3, modifiers: ["ctrl"] }, "5, 6 x 0 y 3 ctrl"],
  [{ kind: "windows" }, ""],
])("%j is told as %j", (action, words) => {
  expect(actionWords(action)).toBe(words);
});
