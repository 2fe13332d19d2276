import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const specSchema = z.looseObject({
  kind: z.string(),
  devices: z.array(z.looseObject({ name: z.union([z.string(), z.number()]) })),
});

/**
 * Full names of the graphics processors that the host's descriptions of devices hold, one a processor, as
 * `nvidia.com/gpu=0`; see the Container Device Interface, SPEC.md. What cannot be read names none.
 */
export async function cdiGpus(folders: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((entry) => /\.(json|ya?ml)$/.test(entry)).sort()) {
      const spec = specSchema.safeParse(await contentOf(join(folder, name))).data;
      if (spec === undefined || !spec.kind.endsWith("/gpu")) continue;
      // Beside each there are names for all at once, and for the same by another way.
      const numbered = spec.devices
        .map((device) => String(device.name))
        .filter((device) => /^\d+$/.test(device));
      for (const device of numbered) found.add(`${spec.kind}=${device}`);
    }
  }
  return [...found].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

async function contentOf(path: string): Promise<unknown> {
  try {
    return parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}
