import { promisify } from "node:util";
import { type Entry, fromFd, type Options, type ZipFile } from "yauzl";
import { type ArchiveGuard, ArchiveRefusal, MemberDigest } from "./archive-guard.ts";

const openZip: (descriptor: number, options: Options) => Promise<ZipFile> = promisify(fromFd);

/** Reads every member of a ZIP file through the guard. The descriptor stays open. */
export async function readZip(descriptor: number, guard: ArchiveGuard): Promise<void> {
  const zip = await openZip(descriptor, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
  for await (const entry of entriesOf(zip)) await readMember(zip, entry, guard);
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const next = await new Promise<Entry | undefined>((resolve, reject) => {
      zip.once("entry", resolve);
      zip.once("end", () => resolve(undefined));
      zip.once("error", reject);
      zip.readEntry();
    });
    zip.removeAllListeners();
    if (next === undefined) return;
    yield next;
  }
}

async function readMember(zip: ZipFile, entry: Entry, guard: ArchiveGuard): Promise<void> {
  const path = guard.admit(entry.fileName);
  if (entry.fileName.endsWith("/")) {
    if (path !== "") guard.keep({ type: "folder", path });
    return;
  }
  if (!entry.canDecodeFileData()) {
    throw new ArchiveRefusal("unreadable", "A member is encrypted or packed by an unknown method.");
  }
  const fileType = (entry.externalFileAttributes >>> 16) & 0o170000;
  const isLink = fileType === 0o120000;
  if (fileType !== 0 && fileType !== 0o100000 && !isLink) {
    throw new ArchiveRefusal("special-file", "A member is a device, pipe or socket.");
  }
  if (isLink && entry.uncompressedSize > 4096) {
    throw new ArchiveRefusal("link-out", "A link's target is longer than 4096 bytes.");
  }
  guard.announce(entry.uncompressedSize);
  const stream = await promisify(zip.openReadStream.bind(zip) as OpenStream)(entry);
  const digest = new MemberDigest(guard);
  const target: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    digest.take(chunk);
    if (isLink) target.push(chunk);
  }
  if (isLink) guard.keepLink(path, Buffer.concat(target).toString("utf8"), "member");
  else guard.keep(digest.finish(path));
}

type OpenStream = (
  entry: Entry,
  callback: (error: Error | null, stream: NodeJS.ReadableStream) => void,
) => void;
