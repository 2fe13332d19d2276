import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { orAbsent } from "../../files/or-absent.ts";

/** Options that only an image of Windows has, as typed. */
export interface DiscOptions {
  readonly iso?: string;
  readonly drivers?: string;
  readonly edition?: string;
  readonly productKey?: string;
}

/** Absolute paths of the discs that Windows is installed from. */
export interface Discs {
  readonly iso: string;
  readonly drivers: string;
}

const flags = {
  iso: "--iso",
  drivers: "--drivers",
  edition: "--edition",
  productKey: "--product-key",
} as const;
const example = "ale sandboxes build windows --iso Windows.iso --drivers virtio-win.iso";

/**
 * Looks at the options of Windows before anything is built; `undefined` for another image. Throws `usage` where another image is given one,
 * `missing-option` where Windows lacks a disc, `no-such-file` naming every disc that is not there.
 */
export async function checkDiscOptions(
  image: string,
  options: DiscOptions,
  cwd: string,
): Promise<Discs | undefined> {
  const given = (["iso", "drivers", "edition", "productKey"] as const).filter(
    (name) => options[name] !== undefined,
  );
  if (image !== "windows") {
    if (given.length === 0) return undefined;
    throw new AleError({
      code: "usage",
      message: `${given.map((name) => flags[name]).join(" and ")} can be given for the image windows only, not for ${image}`,
      remedy: example,
    });
  }
  if (options.iso === undefined || options.drivers === undefined) {
    throw new AleError({
      code: "missing-option",
      message: "Windows is installed from its own disc, with the drivers of a second one",
      remedy: example,
    });
  }
  const discs = { iso: resolve(cwd, options.iso), drivers: resolve(cwd, options.drivers) };
  const problems: string[] = [];
  for (const name of ["iso", "drivers"] as const) {
    const flag = flags[name];
    const path = options[name];
    const found = await orAbsent(stat(discs[name]));
    if (found === undefined) problems.push(`${flag} ${path} is not there`);
    else if (!found.isFile()) problems.push(`${flag} ${path} is not a file`);
  }
  if (problems.length === 0) return discs;
  throw new AleError({
    code: "no-such-file",
    message: problems.join("; "),
    remedy: "correct the paths: docs/guide/machines.md says which discs they are",
  });
}
