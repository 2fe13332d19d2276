/**
 * The Debian package of a whole program, for that of its form without windows: what `-nogui` gives the whole gives too, and
 * only one of them can be installed. Any other name stays.
 */
export function wholePackage(name: string): string {
  return name.replace(/-nogui$/, "");
}
