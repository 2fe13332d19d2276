import { createReadStream } from "node:fs";
import { cp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { Decrypter } from "age-encryption";
import { extract } from "tar";
import { AleError } from "../../contract/ale-error.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { nativeFormat } from "../native/native-format.ts";
import { isPublicFile, listPackage } from "../package-files.ts";
import type { TaskPackage } from "../task-package.ts";
import { readSealedIndex, sealedArchiveName } from "./sealed-index.ts";

/**
 * Decrypts a sealed package into `<into>/<domain>/<name>`, readable by its owner alone, and reads it: the result
 * has the same content hash and can be graded. Leaves nothing behind when it fails.
 * @param identity an age secret key, `AGE-SECRET-KEY-1…`, or the text of a key file as `age-keygen` writes it.
 * Throws an `AleError`: `not-sealed`, `bad-identity`, `wrong-key`, `sealed-changed`, `already-there`.
 */
export async function openSealed(task: TaskPackage, identity: string, into: string): Promise<TaskPackage> {
  const { id } = task.manifest;
  const sealed = await readSealedIndex(task.dir);
  if (sealed.kind === "not-sealed") {
    throw new AleError({ code: "not-sealed", message: `${id} in ${task.dir} is not sealed` });
  }
  if (sealed.kind === "malformed")
    throw changedSince(id, sealed.findings.map(({ message }) => message).join("; "));
  const decrypter = decrypterFor(identity);

  const target = join(into, id);
  if ((await stat(target).catch(() => undefined)) !== undefined) {
    throw new AleError({
      code: "already-there",
      message: `${target} is already there`,
      remedy: "open into an empty folder",
    });
  }
  await makeFolder(target, { mode: 0o700 });
  try {
    for (const { path } of (await listPackage(task.dir)).files.filter((file) => isPublicFile(file.path))) {
      await cp(join(task.dir, path), join(target, path));
    }
    await unpack(join(task.dir, sealedArchiveName), decrypter, target, id);
    const outcome = await nativeFormat.read(target);
    if (outcome.kind === "malformed") {
      throw changedSince(id, outcome.findings.map(({ message }) => message).join("; "));
    }
    if (outcome.task.contentHash !== sealed.index.contentHash) {
      throw changedSince(id, "its content does not have the hash it was sealed with");
    }
    return outcome.task;
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw error;
  }
}

async function unpack(archive: string, decrypter: Decrypter, target: string, id: string): Promise<void> {
  const cipher = Readable.toWeb(createReadStream(archive)) as globalThis.ReadableStream<Uint8Array>;
  let plain: ReadableStream<Uint8Array>;
  try {
    plain = (await decrypter.decrypt(cipher)) as unknown as ReadableStream<Uint8Array>;
  } catch (error) {
    throw new AleError({
      code: "wrong-key",
      message: `${id} was not sealed for this key`,
      remedy: "use the identity of one of the recipients it was sealed for",
      fields: { task: id },
      cause: error,
    });
  }
  const filter = (path: string, entry: object): boolean =>
    !isPublicFile(path.replace(/^\.\//, "")) &&
    "type" in entry &&
    (entry.type === "File" || entry.type === "Directory");
  await pipeline(Readable.fromWeb(plain), extract({ cwd: target, strict: true, filter }));
}

function decrypterFor(identity: string): Decrypter {
  const decrypter = new Decrypter();
  try {
    for (const line of identity.split("\n").map((text) => text.trim())) {
      if (line !== "" && !line.startsWith("#")) decrypter.addIdentity(line);
    }
  } catch (error) {
    throw new AleError({
      code: "bad-identity",
      message: "the key given is not an age identity",
      remedy: "give the secret key that age-keygen wrote: it begins with AGE-SECRET-KEY-1",
      cause: error,
    });
  }
  return decrypter;
}

function changedSince(id: string, what: string): AleError {
  return new AleError({
    code: "sealed-changed",
    message: `${id} was changed after it was sealed: ${what}`,
    remedy: "fetch the package again from where it was published",
    fields: { task: id },
  });
}
