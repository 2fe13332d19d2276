import { AleError } from "../../../contract/ale-error.ts";

/** The server's names (those of the Python library pynput) for keys that have other names among X keysyms. */
const names: Readonly<Record<string, string>> = {
  return: "enter",
  kp_enter: "enter",
  escape: "esc",
  control: "ctrl",
  control_l: "ctrl_l",
  control_r: "ctrl_r",
  shift_l: "shift_l",
  shift_r: "shift_r",
  alt_l: "alt_l",
  alt_r: "alt_r",
  option: "alt",
  super: "cmd",
  super_l: "cmd_l",
  super_r: "cmd_r",
  meta: "cmd",
  win: "cmd",
  command: "cmd",
  prior: "page_up",
  pageup: "page_up",
  next: "page_down",
  pagedown: "page_down",
  arrowup: "up",
  arrowdown: "down",
  arrowleft: "left",
  arrowright: "right",
  del: "delete",
  print: "print_screen",
  menu: "menu",
  capslock: "caps_lock",
  spacebar: "space",
};

const known = new Set(
  "enter esc ctrl shift alt cmd tab space backspace delete home end page_up page_down up down left right insert caps_lock num_lock scroll_lock print_screen pause menu"
    .split(" ")
    .concat(Object.values(names)),
);

/** A key as the server names it. Throws an `AleError` coded `screen-key` for one it does not know. */
export function cuaKey(key: string): string {
  if ([...key].length === 1) return key;
  const lower = key.toLowerCase();
  const name = names[lower] ?? lower;
  if (known.has(name) || /^f([1-9]|1[0-9]|20)$/.test(name)) return name;
  throw new AleError({
    code: "screen-key",
    message: `There is no key called ${key} on this screen.`,
    remedy: "Name it as X keysyms do: a, Return, Escape, F5, ctrl, shift, alt, super.",
  });
}
