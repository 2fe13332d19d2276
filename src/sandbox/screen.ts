/** Pixels from the upper left corner. */
export interface ScreenPoint {
  readonly x: number;
  readonly y: number;
}

export interface ScreenRegion extends ScreenPoint {
  readonly width: number;
  readonly height: number;
}

export interface ScreenshotOptions {
  /** Default: all of it. */
  readonly region?: ScreenRegion;
  /** Scaled down, keeping its shape, until it fits; never scaled up. */
  readonly fit?: { readonly width: number; readonly height: number };
  readonly format?: "png" | "jpeg";
  /** Of JPEG, 1 to 100, default 80. */
  readonly quality?: number;
}

export interface Screenshot {
  readonly bytes: Uint8Array;
  readonly mediaType: "image/png" | "image/jpeg";
  /** Of the picture, after scaling. */
  readonly width: number;
  readonly height: number;
  /** Equal for two pictures of the same options between which nothing on the screen changed. */
  readonly revision: string;
}

export type PointerButton = "left" | "middle" | "right";

/** A window of the desktop, topmost last. */
export interface ScreenWindow extends ScreenRegion {
  /** Of this screen's own making; valid while the window lives. */
  readonly id: string;
  readonly title: string;
  /** The program's name as it tells the desktop; empty where it tells none. */
  readonly program: string;
  readonly focused: boolean;
}

/**
 * A screen with pointer and keyboard, whatever draws it: an X server, a virtual machine, another machine's server.
 * Key names are those of X keysyms (`Return`, `ctrl`, `F5`, `a`); the usual other names are understood too. Rejects
 * with an `AleError` coded `screen-gone` when the screen is lost, `screen-point` for a point outside it, `screen-key`
 * for a key it does not know, `screen-window` for a window that is not there, `screen-stuck` when it does not answer,
 * `screen-refused` when it does not do it at the moment, `screen-unsupported` for what this kind of screen cannot do.
 */
export interface Screen extends AsyncDisposable {
  readonly width: number;
  readonly height: number;
  /** For programs of the machine that are to show on it, such as `DISPLAY`; absent where that is not known. */
  readonly env?: Readonly<Record<string, string>>;
  /** Nothing runs on it, no window manager either: whoever works at it brings that. */
  readonly isBare?: true;
  screenshot(options?: ScreenshotOptions): Promise<Screenshot>;
  cursor(): Promise<ScreenPoint>;
  move(to: ScreenPoint): Promise<void>;
  /** Where the pointer is. */
  button(button: PointerButton, action: "down" | "up"): Promise<void>;
  /** Wheel notches; positive is down and right. */
  scroll(notches: { readonly x: number; readonly y: number }): Promise<void>;
  key(key: string, action: "down" | "up"): Promise<void>;
  /** Types text of any script, new lines as Return. */
  type(text: string): Promise<void>;
  readClipboard(): Promise<string>;
  writeClipboard(text: string): Promise<void>;
  windows(): Promise<readonly ScreenWindow[]>;
  focus(window: string): Promise<void>;
  /**
   * Resolves true when nothing has changed for `quietMs`, false when `limitMs` has passed first. A blinking cursor does not
   * count.
   */
  quiet(options: { readonly quietMs: number; readonly limitMs: number }): Promise<boolean>;
}
