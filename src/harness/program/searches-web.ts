import type { Contestant } from "../../contract/contestant.ts";

/** Name of the setting by which a contestant is given its provider's own search of the web. */
export const searchSetting = "web_search";

/**
 * Whether the harness may offer tools that its model's provider runs, such as a search of the web. They reach the internet
 * whatever the network of the task's machine, so that they are left out unless the contestant is one with them.
 */
export function searchesWeb({ settings }: Contestant): boolean {
  return settings[searchSetting] === true;
}
