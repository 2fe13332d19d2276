import type { PointerButton, ScreenPoint, ScreenRegion } from "../../sandbox/screen.ts";

/** Something done on a screen, by whoever: a tool's caller, a native computer tool, a person. Places as the model has them. */
export type ScreenAction =
  | { readonly kind: "screenshot"; readonly region?: ScreenRegion }
  | {
      readonly kind: "click";
      /** Absent: where the pointer is. */
      readonly at?: ScreenPoint;
      readonly button: PointerButton;
      readonly times: number;
      /** Keys held meanwhile. */
      readonly modifiers?: readonly string[];
    }
  | { readonly kind: "button"; readonly button: PointerButton; readonly action: "down" | "up" }
  | { readonly kind: "move"; readonly to: ScreenPoint }
  | {
      readonly kind: "drag";
      /** From the first to the last; a single one is where to drag to from where the pointer is. */
      readonly path: readonly ScreenPoint[];
      readonly button: PointerButton;
      readonly modifiers?: readonly string[];
    }
  | {
      readonly kind: "scroll";
      readonly at?: ScreenPoint;
      /** Notches; positive is right and down. */
      readonly x: number;
      readonly y: number;
      readonly modifiers?: readonly string[];
    }
  | { readonly kind: "type"; readonly text: string }
  | { readonly kind: "key"; readonly chord: string; readonly times: number }
  | { readonly kind: "hold"; readonly chord: string; readonly seconds: number }
  /** `untilQuiet`: no longer than it takes the screen to come to rest. */
  | { readonly kind: "wait"; readonly seconds: number; readonly untilQuiet: boolean }
  | { readonly kind: "cursor" }
  | { readonly kind: "screen_size" }
  | { readonly kind: "read_clipboard" }
  | { readonly kind: "write_clipboard"; readonly text: string }
  | { readonly kind: "windows" }
  /** What programs tell assistive programs; `only`: part of a program's name or a window's title. */
  | { readonly kind: "accessibility"; readonly maxItems: number; readonly only?: string }
  | { readonly kind: "focus"; readonly window: string };
