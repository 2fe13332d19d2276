import { homedir } from "node:os";
import { join } from "node:path";
import { buildLinuxImage } from "../../../src/sandbox/vm/image/build-linux-image.ts";
import { findVmImage } from "../../../src/sandbox/vm/image/vm-image.ts";
import { repositoryRoot } from "../../source-imports.ts";

/** Where images and snapshots are kept between runs of the tests: where the program itself keeps them. */
export const vmCache: string = process.env["ALE_CACHE_DIR"] ?? join(homedir(), ".cache", "ale");

/** Builds the Linux guest when this host has none yet, which takes minutes once. */
export async function haveLinuxImage(): Promise<void> {
  if ((await findVmImage(vmCache, "vm-linux")) !== undefined) return;
  await buildLinuxImage({
    imagesDir: join(repositoryRoot, "images"),
    cacheDir: vmCache,
    onLine: () => undefined,
  });
}
