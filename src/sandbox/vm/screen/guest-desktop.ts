import type { ScreenWindow } from "../../screen.ts";

/** What a display tells only to programs inside: its windows and its clipboard, and text beyond the keyboard. */
export interface GuestDesktop {
  /** For programs that are to show on it. */
  readonly env: Readonly<Record<string, string>>;
  /** Nothing runs on it, no window manager either. */
  readonly isBare?: true;
  /** Types text of any script, new lines as Return. */
  type(text: string): Promise<void>;
  readClipboard(): Promise<string>;
  writeClipboard(text: string): Promise<void>;
  /** Topmost last. */
  windows(): Promise<readonly ScreenWindow[]>;
  focus(window: string): Promise<void>;
}
