import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AleError } from "../../../contract/ale-error.ts";
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
}

const factsSchema: z.ZodType<VmImageFacts> = z.strictObject({
  schema: z.literal("ale/vm-image@1"),
  name: z.string().min(1),
  os: z.enum(["linux", "windows"]),
  digest: z.string().min(1),
  packages: z.array(z.string()),
  boot: z.enum(["kernel", "disk"]),
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

/** The image of the name; `undefined` when it has not been built here. */
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
  const facts = factsSchema.safeParse(JSON.parse(text));
  if (!facts.success) {
    throw new AleError({
      code: "vm-image",
      message: `${join(folder, "image.json")} does not describe an image of this version.`,
      remedy: `ale sandboxes build ${name}`,
    });
  }
  const start: GuestBoot =
    facts.data.boot === "kernel"
      ? { kind: "kernel", kernel: join(folder, "vmlinuz"), initrd: join(folder, "initrd") }
      : { kind: "disk" };
  return { ...facts.data, disk: join(folder, "base.qcow2"), start };
}
