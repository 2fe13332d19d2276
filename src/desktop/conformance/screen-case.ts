import type { Clock } from "../../contract/clock.ts";
import type { Screen, ScreenPoint } from "../../sandbox/screen.ts";

/** What a window was sent. Places are on the screen; buttons are numbered left 1, middle 2, right 3, wheel 4 to 7. */
export type ProbeEvent =
  | ({ readonly kind: "button"; readonly button: number; readonly isDown: boolean } & ScreenPoint)
  /** `key` is the keysym's name, as X has it. */
  | { readonly kind: "key"; readonly key: string; readonly isDown: boolean };

/** A window that tells what it was sent. */
export interface EventProbe extends AsyncDisposable {
  /** Part of its title. */
  readonly title: string;
  events(): Promise<readonly ProbeEvent[]>;
}

/** A window in which one types, and whose text can be read another way. */
export interface TextProbe extends AsyncDisposable {
  /** Part of its title. */
  readonly title: string;
  text(): Promise<string>;
}

/** What a screen's suite is run against: a screen that is at rest between the cases. */
export interface ScreenTarget extends AsyncDisposable {
  readonly screen: Screen;
  readonly clock: Clock;
  /** Opens such a window, gives it the focus, and resolves when it takes input. */
  openEvents(): Promise<EventProbe>;
  openText(): Promise<TextProbe>;
}

/** One behaviour every screen has. */
export interface ScreenCase {
  /** A sentence, unique in the suite; skips name it. */
  readonly name: string;
  /** Throws on a violation, saying what was seen. */
  run(target: ScreenTarget): Promise<void>;
}

/** A behaviour and how it is shown. */
export function behaviour(name: string, run: ScreenCase["run"]): ScreenCase {
  return { name, run };
}
