import { join } from "node:path";
import { buildLinuxImage } from "../../sandbox/vm/image/build-linux-image.ts";
import type { VmImageFacts } from "../../sandbox/vm/image/vm-image.ts";
import { buildWindowsImage } from "../../sandbox/vm/windows/build-windows-image.ts";
import type { CliContext } from "../cli-context.ts";
import { npmProgram } from "../create-store.ts";
import { packageRoot } from "../package-info.ts";
import type { DiscOptions, Discs } from "./check-disc-options.ts";
import { fetchWindowsNode } from "./fetch-windows-node.ts";

/** Images of virtual machines, by the names `ale sandboxes build` takes for them. */
export const vmImageNames: readonly string[] = ["vm-linux", "windows"];

/** Builds an image of virtual machines: Windows where there are discs, as {@link checkDiscOptions} found them. */
export async function buildVmImage(
  context: CliContext,
  extraPackages: readonly string[],
  discs: Discs | undefined,
  options: DiscOptions,
): Promise<VmImageFacts> {
  const common = {
    imagesDir: join(packageRoot, "images"),
    cacheDir: context.folders.cache,
    onLine: (line: string) => void context.err.write(`${line}\n`),
    signal: context.interrupted,
  };
  if (discs === undefined) return buildLinuxImage({ ...common, extraPackages });
  const { edition, productKey } = options;
  const nodeProgram = await fetchWindowsNode(
    npmProgram(context),
    context.folders.cache,
    process.versions.node,
  );
  return buildWindowsImage({
    ...{ ...common, nodeProgram },
    clock: context.clock,
    iso: discs.iso,
    driversIso: discs.drivers,
    accelerator: "kvm",
    ...(edition === undefined ? {} : { edition }),
    ...(productKey === undefined ? {} : { productKey }),
  });
}
