import type { Contestant } from "./contestant.ts";

/** Name of the setting by which a contestant may read what programs tell assistive programs (AT-SPI). */
export const accessibilitySetting = "accessibility";

/**
 * Whether the contestant is given the accessibility tree beside the screen. Programs are then started so that they tell it,
 * and a model that reads is not one that only sees: a contestant with it is another one than without.
 */
export function wantsAccessibility({ settings }: Pick<Contestant, "settings">): boolean {
  return settings[accessibilitySetting] === true;
}
