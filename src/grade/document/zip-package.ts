import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { type Entry, type Options, open as openZip, type ZipFile } from "yauzl";
import { PackageProblem, type XmlHandler, XmlScanner } from "./xml-scanner.ts";

export interface PackageLimits {
  /** Of the file itself, default 256 MiB. */
  readonly maxBytes?: number;
  /** Of all that is unpacked from it, default 512 MiB. */
  readonly maxUnpackedBytes?: number;
}

const open = promisify(openZip) as (path: string, options: Options) => Promise<ZipFile>;
const maxEntries = 20_000;

/**
 * The parts of an office package (DOCX, XLSX, ODS: ZIP files), unpacked as they are read and never to disk. Sizes are
 * checked before and while unpacking. Every method throws a `PackageProblem` for what is wrong with the file.
 */
export class ZipPackage implements Disposable {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #left: number;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, maxUnpackedBytes: number) {
    this.#zip = zip;
    this.#entries = entries;
    this.#left = maxUnpackedBytes;
  }

  static async open(path: string, limits: PackageLimits = {}): Promise<ZipPackage> {
    const maxBytes = limits.maxBytes ?? 256 * 1024 ** 2;
    let zip: ZipFile;
    try {
      const found = await stat(path);
      if (!found.isFile()) throw new PackageProblem("it is not a regular file");
      if (found.size > maxBytes) throw new PackageProblem(`it is larger than ${maxBytes} bytes`);
      zip = await open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
    } catch (cause) {
      if (cause instanceof PackageProblem) throw cause;
      const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
      throw new PackageProblem(missing ? "it is missing" : "it is not a sound ZIP package", { cause });
    }
    try {
      return new ZipPackage(zip, await listEntries(zip), limits.maxUnpackedBytes ?? 512 * 1024 ** 2);
    } catch (cause) {
      zip.close();
      if (cause instanceof PackageProblem) throw cause;
      throw new PackageProblem("its list of parts is damaged", { cause });
    }
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The text of an UTF-8 or UTF-16 part, in pieces. */
  async *text(name: string): AsyncGenerator<string> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new PackageProblem(`it has no part ${name}`);
    if (entry.uncompressedSize > this.#left) throw new PackageProblem("it unpacks to too much");
    this.#left -= entry.uncompressedSize;
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    try {
      const stream = await promisify(this.#zip.openReadStream.bind(this.#zip) as OpenStream)(entry);
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
        yield decoder.decode(chunk, { stream: true });
      }
    } catch (cause) {
      throw new PackageProblem(`its part ${name} is damaged`, { cause });
    }
  }

  /** Reads an XML part through a handler. */
  async scan(name: string, handler: XmlHandler): Promise<void> {
    const scanner = new XmlScanner(handler);
    for await (const piece of this.text(name)) scanner.write(piece);
    scanner.end();
  }

  [Symbol.dispose](): void {
    this.#zip.close();
  }
}

type OpenStream = (
  entry: Entry,
  callback: (error: Error | null, stream: NodeJS.ReadableStream) => void,
) => void;

async function listEntries(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > maxEntries) throw new PackageProblem(`it has ${zip.entryCount} parts`);
  const entries = new Map<string, Entry>();
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      zip.once("entry", resolve);
      zip.once("end", () => resolve(undefined));
      zip.once("error", reject);
      zip.readEntry();
    });
    zip.removeAllListeners();
    if (entry === undefined) return entries;
    if (entry.isEncrypted()) throw new PackageProblem("it is encrypted");
    const name = entry.fileName.replace(/^\//, "");
    if (entries.has(name)) throw new PackageProblem("it has two parts of one name");
    entries.set(name, entry);
  }
}

function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  return head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : "utf-8";
}
