import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

export const repositoryRoot: string = dirname(import.meta.dirname);

/** A source file with what it imports: repository-relative paths for our own, names for packages. */
export interface SourceFile {
  readonly path: string;
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

const specifierPattern = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(["'])([^"'\n]+)\1/g;
const commentPattern = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;

/** Reads every TypeScript source below a folder, tests left out. */
export async function readSources(folder: string): Promise<readonly SourceFile[]> {
  const entries = await readdir(join(repositoryRoot, folder), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return await Promise.all(paths.map(readSource));
}

async function readSource(path: string): Promise<SourceFile> {
  const text = withoutComments(await readFile(path, "utf8"));
  const specifiers = [...text.matchAll(specifierPattern)].map((match) => match[2] ?? "");
  const imports = specifiers
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => relative(repositoryRoot, resolve(dirname(path), specifier)));
  // Names of packages are in lower case; anything else stands in the text of a template.
  const packages = specifiers.filter((specifier) => /^[a-z@]/.test(specifier)).map(packageName);
  return { path: relative(repositoryRoot, path), imports: unique(imports), packages: unique(packages) };
}

/** Source text with its comments taken out, as far as a pattern can tell. */
export function withoutComments(text: string): string {
  return text.replaceAll(commentPattern, "");
}

function packageName(specifier: string): string {
  if (specifier.startsWith("node:")) return specifier;
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)];
}
