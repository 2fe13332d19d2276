import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AleError } from "../../../contract/ale-error.ts";
import { parseJson } from "../../../contract/json-fields.ts";
import type { GuestBoot } from "../qemu/qemu-arguments.ts";

/** What is written down of a built image, in `image.json` beside its files. */
export interface VmImageFacts {
  readonly schema: "ale/vm-image@1";
  readonly name: string;
  readonly os: "linux" | "windows";
  /** Of its contents: packages with their versions, or the disk itself. */
  readonly digest: string;
  /** `name=version` of all that is installed, sorted; empty for Windows. */
  readonly packages: readonly string[];
  readonly boot: "kernel" | "disk";
  /** Bytes of each of its other files: one that was copied by halves is no image. */
  readonly files: Readonly<Record<string, number>>;
}

const factsSchema: z.ZodType<VmImageFacts> = z.strictObject({
  schema: z.literal("ale/vm-image@1"),
  name: z.string().min(1),
  os: z.enum(["linux", "windows"]),
  digest: z.string().min(1),
  packages: z.array(z.string()),
  boot: z.enum(["kernel", "disk"]),
  files: z.record(z.string(), z.int()),
});

/** A built image: a read-only disk, and how it is started. */
export interface VmImage extends VmImageFacts {
  readonly disk: string;
  readonly start: GuestBoot;
}

/** The folder of an image of ours. */
export function imageFolder(cacheDir: string, name: string): string {
  return join(cacheDir, "vm", "images", name);
}

/** The sizes of an image's files, which lie in the folder. */
export async function sizesOf(folder: string, names: readonly string[]): Promise<Record<string, number>> {
  const sizes = names.map(async (name) => [name, (await stat(join(folder, name))).size] as const);
  return Object.fromEntries(await Promise.all(sizes));
}

/** The image of the name; `undefined` when it has not been built here. Rejects with `vm-image` where it is damaged. */
export async function findVmImage(cacheDir: string, name: string): Promise<VmImage | undefined> {
  if (!/^[a-z0-9][a-z0-9.-]*$/.test(name)) return undefined;
  const folder = imageFolder(cacheDir, name);
  let text: string;
  try {
    text = await readFile(join(folder, "image.json"), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const facts = factsSchema.safeParse(parseJson(text));
  const damaged = (what: string): AleError =>
    new AleError({ code: "vm-image", message: `${folder}: ${what}.`, remedy: `ale sandboxes build ${name}` });
  if (!facts.success) throw damaged("image.json does not describe an image of this version");
  for (const [file, bytes] of Object.entries(facts.data.files)) {
    const found = (await stat(join(folder, file)).catch(() => undefined))?.size;
    if (found === undefined) throw damaged(`${file} is not there`);
    if (found !== bytes) throw damaged(`${file} has ${found} bytes and should have ${bytes}`);
  }
  const start: GuestBoot =
    facts.data.boot === "kernel"
      ? { kind: "kernel", kernel: join(folder, "vmlinuz"), initrd: join(folder, "initrd") }
      : { kind: "disk" };
  return { ...facts.data, disk: join(folder, "base.qcow2"), start };
}
