import { Buffer } from "node:buffer";
import { AleError } from "../../../contract/ale-error.ts";

/**
 * All that is different in writing for Windows, in one place: argument vectors become one line, paths have drives and
 * backslashes, PowerShell has quotes and an encoding of its own, and lines end in two characters.
 */

/**
 * One command line from which `CommandLineToArgvW` and the C runtime take these very arguments ("Parsing C command-line
 * arguments", Microsoft). The program's own name may hold no quote.
 */
export function windowsCommandLine(argv: readonly string[]): string {
  return argv.map((word, index) => (index === 0 ? programWord(word) : argumentWord(word))).join(" ");
}

function programWord(word: string): string {
  if (word.includes('"') || word === "") throw unusable(word, "is not the name of a program");
  return /[\s]/.test(word) ? `"${word}"` : word;
}

function argumentWord(word: string): string {
  if (word.includes("\0")) throw unusable(word, "holds a zero byte");
  if (word !== "" && !/[\s"]/.test(word)) return word;
  // Backslashes are themselves, but before a quote each must be written twice.
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

/** A string of PowerShell's in which nothing is special: quotes of every kind it knows are written twice. */
export function powershellLiteral(text: string): string {
  if (text.includes("\0")) throw unusable(text, "holds a zero byte");
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
}

/** The arguments that make PowerShell run a script, whatever is in it: base64 of UTF-16, which nothing on the way changes. */
export function powershellArguments(script: string): readonly string[] {
  const encoded = Buffer.from(script, "utf16le").toString("base64");
  return ["-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-EncodedCommand", encoded];
}

/** Where the folders of every sandbox lie in a Windows guest. */
const folders: readonly (readonly [posix: string, windows: string])[] = [
  ["/home/agent", "C:\\Users\\agent"],
  ["/tmp", "C:\\Windows\\Temp"],
  ["/run/ale", "C:\\ale\\run"],
  ["/ale", "C:\\ale"],
];

/** Characters no name may hold, and names no file may have, in Windows ("Naming Files, Paths, and Namespaces"). */
const forbidden = /[<>:"|?*\\\p{Cc}]/u;
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

/** The guest's path for a path of the layout. Throws an `AleError` coded `sandbox-path` for one Windows cannot have. */
export function windowsPath(path: string): string {
  if (/^[A-Za-z]:\\/.test(path)) return path;
  const found = folders.find(([posix]) => path === posix || path.startsWith(`${posix}/`));
  if (found === undefined) throw unusable(path, "is in none of the folders a Windows guest has");
  const names = path
    .slice(found[0].length)
    .split("/")
    .filter((name) => name !== "" && name !== ".");
  for (const name of names) {
    if (forbidden.test(name) || reserved.test(name) || /[ .]$/.test(name)) {
      throw unusable(path, `cannot be in Windows, because of ${JSON.stringify(name)}`);
    }
  }
  return [found[1], ...names].join("\\");
}

/** The path of the layout for a path of the guest's; as it is where the layout has none. */
export function posixPath(path: string): string {
  const lower = path.toLowerCase();
  const found = folders
    .toSorted(([, a], [, b]) => b.length - a.length)
    .find(([, windows]) => {
      const root = windows.toLowerCase();
      return lower === root || lower.startsWith(`${root}\\`);
    });
  if (found === undefined) return path;
  return found[0] + path.slice(found[1].length).replaceAll("\\", "/");
}

/** What PowerShell wrote, as text: lines end in one character. */
export function windowsText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8").replaceAll("\r\n", "\n");
}

function unusable(text: string, what: string): AleError {
  return new AleError({ code: "sandbox-path", message: `${JSON.stringify(text)} ${what}.` });
}
