import type { TaskManifest } from "./task-manifest.ts";

/** Whether the task is to be done at a screen. */
export function wantsDesktop({ interface: channels }: Pick<TaskManifest, "interface">): boolean {
  return channels.some((channel) => channel === "desktop" || channel === "browser");
}
