import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { secretForms } from "./secret-forms.ts";

/** The look of a key, for keys whose value is not known. */
export interface SecretPattern {
  readonly name: string;
  /** Matched against bytes read as Latin-1. */
  readonly pattern: RegExp;
  /** Longest match that must be found across a chunk border, in bytes. */
  readonly longest: number;
}

export interface SecretScanOptions {
  /** Secrets by name (`ANTHROPIC_API_KEY`); the names are reported, the values never. */
  readonly values: Readonly<Record<string, string>>;
  readonly patterns: readonly SecretPattern[];
  /** Bytes read at a time; default 1 MiB. */
  readonly chunkBytes?: number;
}

/** Where a secret was seen: what and where, without the secret. */
export interface SecretHit {
  /** Relative to the scanned folder. */
  readonly path: string;
  /** In bytes from the start of the file, or of its path when `where` is `name`. */
  readonly offset: number;
  readonly where: "content" | "name";
  /** Name of the value or of the pattern. */
  readonly secret: string;
}

export interface SecretScan {
  readonly files: number;
  readonly bytes: number;
  readonly hits: readonly SecretHit[];
}

/** Keys of the services a run may talk to, and private keys. */
export const commonSecretPatterns: readonly SecretPattern[] = [
  { name: "sk- API key", pattern: /\bsk-[A-Za-z0-9_-]{20,200}/, longest: 203 },
  { name: "Google API key", pattern: /\bAIza[A-Za-z0-9_-]{35}/, longest: 39 },
  { name: "AWS access key", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/, longest: 21 },
  { name: "GitHub token", pattern: /\bgh[pousr]_[A-Za-z0-9]{36,251}/, longest: 255 },
  { name: "age secret key", pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{58}/, longest: 74 },
  { name: "private key", pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----/, longest: 95 },
];

interface Needle {
  readonly secret: string;
  readonly bytes: Buffer;
}

/**
 * Looks for secrets in every file under a folder, by content and by name, without following links.
 * Streams, so a file's size does not matter; finds what crosses a chunk border; at most one hit per secret and file.
 * Does not look inside compressed files.
 */
export async function scanForSecrets(dir: string, options: SecretScanOptions): Promise<SecretScan> {
  const needles: Needle[] = Object.entries(options.values).flatMap(([secret, value]) =>
    secretForms(value).map((bytes) => ({ secret, bytes })),
  );
  const overlap = Math.max(
    1,
    ...needles.map((needle) => needle.bytes.length),
    ...options.patterns.map((pattern) => pattern.longest + 1),
  );
  const chunkBytes = Math.max(options.chunkBytes ?? 1 << 20, overlap);
  const hits: SecretHit[] = [];
  let files = 0;
  let bytes = 0;
  for (const path of await filesUnder(dir)) {
    const name = relative(dir, path);
    for (const [secret] of findSecrets(Buffer.from(name), needles, options.patterns)) {
      hits.push({ path: name, offset: 0, where: "name", secret });
    }
    files += 1;
    bytes += (await stat(path)).size;
    for (const [secret, offset] of await scanFile(path, needles, options.patterns, { chunkBytes, overlap })) {
      hits.push({ path: name, offset, where: "content", secret });
    }
  }
  return { files, bytes, hits };
}

async function scanFile(
  path: string,
  needles: readonly Needle[],
  patterns: readonly SecretPattern[],
  window: { readonly chunkBytes: number; readonly overlap: number },
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  let held: Buffer = Buffer.alloc(0);
  let start = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: window.chunkBytes })) {
    const view = Buffer.concat([held, chunk as Buffer]);
    for (const [secret, offset] of findSecrets(view, needles, patterns)) {
      if (!found.has(secret)) found.set(secret, start + offset);
    }
    const kept = Math.min(view.length, window.overlap);
    held = view.subarray(view.length - kept);
    start += view.length - kept;
  }
  return found;
}

function findSecrets(
  view: Buffer,
  needles: readonly Needle[],
  patterns: readonly SecretPattern[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { secret, bytes } of needles) {
    const at = view.indexOf(bytes);
    if (at >= 0 && at < (found.get(secret) ?? Number.POSITIVE_INFINITY)) found.set(secret, at);
  }
  if (patterns.length > 0) {
    const text = view.toString("latin1");
    for (const { name, pattern } of patterns) {
      const at = text.search(pattern);
      if (at >= 0) found.set(name, at);
    }
  }
  return found;
}

async function filesUnder(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
