import { sandboxLayout } from "./sandbox-layout.ts";

/** Places of {@link sandboxLayout} as programs of a Windows guest name them. */
export const windowsLayout = {
  home: "C:\\Users\\agent",
  input: "C:\\Users\\agent\\input",
  output: "C:\\Users\\agent\\output",
  budgetFile: "C:\\ale\\run\\budget.json",
} as const;

/**
 * The path of the layout for one that somebody working in Windows gives: with backslashes, with a drive, or already of the
 * layout. A path outside the agent's home keeps its drive.
 */
export function layoutPath(given: string): string {
  const slashes = given.replaceAll("\\", "/");
  const home = windowsLayout.home.replaceAll("\\", "/");
  const start = slashes.slice(0, home.length);
  const next = slashes[home.length];
  if (start.toLowerCase() !== home.toLowerCase() || (next !== undefined && next !== "/")) return slashes;
  return sandboxLayout.home + slashes.slice(home.length);
}
