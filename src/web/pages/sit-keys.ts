import type { ScreenInput } from "../../contract/screen-input.ts";

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "shiftKey" | "metaKey" | "isComposing"> & {
  getModifierState(name: string): boolean;
};

const named =
  /^(Enter|Tab|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Escape|ArrowLeft|ArrowRight|ArrowUp|ArrowDown|F\d{1,2}|ContextMenu|PrintScreen|Pause)$/;

/** What a key pressed in the browser is on the machine: text, or keys together. Nothing for keys that only hold. */
export function inputOfKey(press: Press): ScreenInput | undefined {
  const { key, ctrlKey, altKey, shiftKey, metaKey } = press;
  const isText = [...key].length === 1;
  if (press.isComposing || !(isText || named.test(key))) return undefined;
  // AltGr writes characters, and some systems tell it as Control and Alt.
  const isPlain = press.getModifierState("AltGraph") || !(ctrlKey || altKey || metaKey);
  if (isText && isPlain) return { kind: "type", text: key };
  const held = [
    ...(ctrlKey ? ["ctrl"] : []),
    ...(altKey ? ["alt"] : []),
    ...(shiftKey ? ["shift"] : []),
    ...(metaKey ? ["super"] : []),
  ];
  return { kind: "key", chord: [...held, isText ? key.toLowerCase() : key].join("+") };
}
