import { createWriteStream } from "node:fs";
import { cp, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { Encrypter } from "age-encryption";
import { create } from "tar";
import { AleError } from "../../contract/ale-error.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { digestOfFile, digestOfFiles, digestPackageFiles } from "../content-hash.ts";
import { isPublicFile, listFiles, listPackage } from "../package-files.ts";
import type { TaskPackage, TaskVerb } from "../task-package.ts";
import { type SealedIndex, sealedArchiveName, sealedIndexName, stagedFolder } from "./sealed-index.ts";

export interface SealOptions {
  /** age public keys, `age1…`; any one of their identities opens the package. */
  readonly recipients: readonly string[];
  /** Inputs made by `generate`, to lie open beside the sealed part, so that an agent can be given them. */
  readonly stagedInstances: readonly { readonly variant: string; readonly input: string }[];
}

const verbs: readonly TaskVerb[] = ["generate", "setup", "collect", "grade", "solve", "probe"];

/**
 * Writes the package sealed to `<outDir>/<domain>/<name>` and returns that folder: manifest, instruction, input
 * and image stay readable; the program, the reference and everything else go into one archive, encrypted with
 * age as a stream. Throws an `AleError`: `not-sealable`, `bad-recipient`, `already-there`.
 */
export async function sealPackage(task: TaskPackage, options: SealOptions, outDir: string): Promise<string> {
  const { id } = task.manifest;
  if (task.sealed || task.format !== "ale") {
    throw new AleError({
      code: "not-sealable",
      message: `${id} cannot be sealed: ${task.sealed ? "it is sealed already" : `its format is ${task.format}`}`,
      remedy: task.sealed ? "open it first" : "only packages of our own format can be sealed",
    });
  }
  const encrypter = encrypterFor(options.recipients);
  const target = join(outDir, id);
  await refuseExisting(target);
  await makeFolder(dirname(target));
  const draft = `${target}.sealing`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft);
  try {
    await writeSealed(task, options, encrypter, draft);
    await rename(draft, target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
}

async function writeSealed(
  task: TaskPackage,
  options: SealOptions,
  encrypter: Encrypter,
  into: string,
): Promise<void> {
  const { files } = await listPackage(task.dir);
  for (const { path } of files.filter((file) => isPublicFile(file.path))) {
    await cp(join(task.dir, path), join(into, path));
  }
  const staged: Record<string, string> = {};
  for (const { variant, input } of options.stagedInstances) {
    const folder = stagedFolder(into, variant);
    await cp(input, folder, { recursive: true });
    staged[variant] = await digestOfFiles(folder, (await listFiles(folder)).files);
  }

  const hidden = files.filter((file) => !isPublicFile(file.path)).map((file) => `./${file.path}`);
  const archive = join(into, sealedArchiveName);
  const packed = create({ cwd: task.dir, gzip: true, portable: true, noDirRecurse: true }, hidden);
  const plain = Readable.toWeb(Readable.from(packed)) as globalThis.ReadableStream<Uint8Array>;
  const cipher = (await encrypter.encrypt(plain)) as unknown as ReadableStream<Uint8Array>;
  await pipeline(Readable.fromWeb(cipher), createWriteStream(archive));

  const [instance] = task.instances;
  const index: SealedIndex = {
    schema: "ale/sealed@1",
    contentHash: task.contentHash,
    hidden: (await digestPackageFiles(task.dir, files)).hidden,
    verbs: verbs.filter((verb) => instance !== undefined && task.program(verb, instance) !== undefined),
    archive: {
      path: sealedArchiveName,
      bytes: (await stat(archive)).size,
      digest: await digestOfFile(archive),
    },
    staged,
  };
  await writeFile(join(into, sealedIndexName), `${JSON.stringify(index, null, 2)}\n`);
}

function encrypterFor(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter();
  const refuse = (message: string, cause?: unknown): never => {
    throw new AleError({
      code: "bad-recipient",
      message,
      remedy: "give the public key that age-keygen printed: it begins with age1",
      cause,
    });
  };
  if (recipients.length === 0) refuse("a package is sealed for at least one recipient, and none is given");
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      // A secret key given by mistake must not be printed.
      const shown = recipient.toUpperCase().startsWith("AGE-SECRET-KEY") ? "a secret key" : recipient;
      refuse(`${shown} is not an age public key`, error);
    }
  }
  return encrypter;
}

async function refuseExisting(target: string): Promise<void> {
  if ((await stat(target).catch(() => undefined)) === undefined) return;
  throw new AleError({
    code: "already-there",
    message: `${target} is already there`,
    remedy: "seal into another folder, or remove it first",
  });
}
