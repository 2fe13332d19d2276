import { AleError } from "../../../contract/ale-error.ts";

/** A key of QEMU's keyboard, and whether Shift goes with it. */
export interface KeyStroke {
  readonly qcode: string;
  readonly shift: boolean;
}

const plain: Readonly<Record<string, string>> = {
  " ": "spc",
  "\n": "ret",
  "\t": "tab",
  "-": "minus",
  "=": "equal",
  "[": "bracket_left",
  "]": "bracket_right",
  "\\": "backslash",
  ";": "semicolon",
  "'": "apostrophe",
  "`": "grave_accent",
  ",": "comma",
  ".": "dot",
  "/": "slash",
};

/** What Shift makes of the keys of a US keyboard, which is the guest's. */
const shifted: Readonly<Record<string, string>> = {
  "!": "1",
  "@": "2",
  "#": "3",
  $: "4",
  "%": "5",
  "^": "6",
  "&": "7",
  "*": "8",
  "(": "9",
  ")": "0",
  _: "minus",
  "+": "equal",
  "{": "bracket_left",
  "}": "bracket_right",
  "|": "backslash",
  ":": "semicolon",
  '"': "apostrophe",
  "~": "grave_accent",
  "<": "comma",
  ">": "dot",
  "?": "slash",
};

const named: Readonly<Record<string, string>> = {
  return: "ret",
  enter: "ret",
  kp_enter: "kp_enter",
  escape: "esc",
  esc: "esc",
  tab: "tab",
  backspace: "backspace",
  space: "spc",
  delete: "delete",
  del: "delete",
  insert: "insert",
  home: "home",
  end: "end",
  page_up: "pgup",
  pageup: "pgup",
  prior: "pgup",
  page_down: "pgdn",
  pagedown: "pgdn",
  next: "pgdn",
  up: "up",
  down: "down",
  left: "left",
  right: "right",
  arrowup: "up",
  arrowdown: "down",
  arrowleft: "left",
  arrowright: "right",
  ctrl: "ctrl",
  control: "ctrl",
  control_l: "ctrl",
  control_r: "ctrl_r",
  shift: "shift",
  shift_l: "shift",
  shift_r: "shift_r",
  alt: "alt",
  alt_l: "alt",
  alt_r: "alt_r",
  option: "alt",
  super: "meta_l",
  super_l: "meta_l",
  super_r: "meta_r",
  meta: "meta_l",
  win: "meta_l",
  cmd: "meta_l",
  command: "meta_l",
  menu: "menu",
  caps_lock: "caps_lock",
  capslock: "caps_lock",
  num_lock: "num_lock",
  scroll_lock: "scroll_lock",
  print: "print",
  pause: "pause",
};

/** The stroke that types a character; `undefined` where a US keyboard has none. */
export function strokeFor(character: string): KeyStroke | undefined {
  if (/^[a-z0-9]$/.test(character)) return { qcode: character, shift: false };
  if (/^[A-Z]$/.test(character)) return { qcode: character.toLowerCase(), shift: true };
  const bare = plain[character];
  if (bare !== undefined) return { qcode: bare, shift: false };
  const high = shifted[character];
  return high === undefined ? undefined : { qcode: high, shift: true };
}

/** The key an X keysym's name, or a usual other name, is of. Throws an `AleError` coded `screen-key`. */
export function qcodeOf(key: string): string {
  const single = strokeFor(key);
  if (single !== undefined) return single.qcode;
  const lower = key.toLowerCase();
  const name = named[lower];
  if (name !== undefined) return name;
  if (/^f([1-9]|1[0-2])$/.test(lower)) return lower;
  throw new AleError({
    code: "screen-key",
    message: `There is no key called ${key} on this machine's keyboard.`,
    remedy: "Name it as X keysyms do: a, Return, Escape, F5, ctrl, shift, alt, super.",
  });
}
