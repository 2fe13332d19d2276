import { lstatSync, type Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ChangedPath } from "../sandbox.ts";
import type { Tree } from "./tree.ts";

/** One overlay of a machine. */
export interface Layer {
  /** Where it is mounted, inside. */
  readonly mountPoint: string;
  /** Its upper folder, seen from the host: what was written. */
  readonly upper: string;
  /** Its lower folders, topmost first. */
  readonly lowers: readonly string[];
}

/** Path to what it was: equal strings, unchanged entry. */
export type TreeSnapshot = ReadonlyMap<string, string>;

/** Against a tree made to exhaust us; a machine's disk holds fewer files unless it was filled on purpose. */
const mostEntries = 400_000;

/** Everything in the upper layers. */
export async function snapshotLayers(layers: readonly Layer[]): Promise<TreeSnapshot> {
  const found = new Map<string, string>();
  for (const layer of layers) await visit(layer, "", found);
  return found;
}

async function visit(layer: Layer, folder: string, found: Map<string, string>): Promise<void> {
  const names = await readdir(join(layer.upper, folder)).catch(() => []);
  for (const name of names.sort()) {
    if (found.size >= mostEntries) return;
    const path = join(folder, name);
    const stats = await lstat(join(layer.upper, path)).catch(() => undefined);
    if (stats === undefined) continue;
    const inside = join(layer.mountPoint, path);
    if (isWhiteout(stats)) found.set(inside, "deleted");
    else if (!stats.isDirectory()) found.set(inside, signatureOf(stats));
    else {
      if (!isInLower(layer, path)) found.set(inside, "folder");
      await visit(layer, path, found);
    }
  }
}

/** What differs between the snapshot and now, sorted, at most `limit`. */
export async function changesSince(
  baseline: TreeSnapshot,
  layers: readonly Layer[],
  tree: Tree,
  limit: number,
): Promise<readonly ChangedPath[]> {
  const now = await snapshotLayers(layers);
  const changes = new Map<string, ChangedPath["change"]>();
  for (const [path, signature] of now) {
    if (baseline.get(path) === signature) continue;
    changes.set(path, signature === "deleted" ? "deleted" : "created-or-changed");
  }
  for (const path of baseline.keys()) if (!now.has(path) && isGone(tree, path)) changes.set(path, "deleted");
  return [...changes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([path, change]) => ({ path, change }));
}

/** Overlayfs marks a deleted name with a character device 0/0 (kernel documentation, overlayfs). */
function isWhiteout(stats: Stats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0;
}

function signatureOf(stats: Stats): string {
  return [stats.ino, stats.mode, stats.size, stats.mtimeMs, stats.ctimeMs, stats.uid].join(" ");
}

function isInLower(layer: Layer, path: string): boolean {
  return layer.lowers.some((lower) => lstatSync(join(lower, path), { throwIfNoEntry: false })?.isDirectory());
}

function isGone(tree: Tree, path: string): boolean {
  using entry = tree.open(path, false);
  return entry === undefined;
}
