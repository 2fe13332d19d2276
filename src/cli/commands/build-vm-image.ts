import { join, resolve } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { buildLinuxImage } from "../../sandbox/vm/image/build-linux-image.ts";
import type { VmImageFacts } from "../../sandbox/vm/image/vm-image.ts";
import { buildWindowsImage } from "../../sandbox/vm/windows/build-windows-image.ts";
import type { CliContext } from "../cli-context.ts";
import { npmProgram } from "../create-store.ts";
import { packageRoot } from "../package-info.ts";
import { fetchWindowsNode } from "./fetch-windows-node.ts";

export interface BuildVmImageOptions {
  readonly iso?: string;
  readonly drivers?: string;
  readonly edition?: string;
  readonly productKey?: string;
}

/** Images of virtual machines, by the names `ale sandboxes build` takes for them. */
export const vmImageNames: readonly string[] = ["vm-linux", "windows"];

/** Builds an image of virtual machines. Throws `missing-option` where Windows lacks a disc. */
export async function buildVmImage(
  context: CliContext,
  name: string,
  extraPackages: readonly string[],
  options: BuildVmImageOptions,
): Promise<VmImageFacts> {
  const common = {
    imagesDir: join(packageRoot, "images"),
    cacheDir: context.folders.cache,
    onLine: (line: string) => void context.err.write(`${line}\n`),
    signal: context.interrupted,
  };
  if (name === "vm-linux") return buildLinuxImage({ ...common, extraPackages });
  const { iso, drivers, edition, productKey } = options;
  if (iso === undefined || drivers === undefined) {
    throw new AleError({
      code: "missing-option",
      message: "Windows is installed from its own disc, with the drivers of a second one",
      remedy: "ale sandboxes build windows --iso Windows.iso --drivers virtio-win.iso",
    });
  }
  const nodeProgram = await fetchWindowsNode(
    npmProgram(context),
    context.folders.cache,
    process.versions.node,
  );
  return buildWindowsImage({
    ...{ ...common, nodeProgram },
    clock: context.clock,
    iso: resolve(context.cwd, iso),
    driversIso: resolve(context.cwd, drivers),
    accelerator: "kvm",
    ...(edition === undefined ? {} : { edition }),
    ...(productKey === undefined ? {} : { productKey }),
  });
}
