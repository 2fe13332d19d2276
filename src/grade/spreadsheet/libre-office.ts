import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { access, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { AleError } from "../../contract/ale-error.ts";
import { makeFolder } from "../../files/make-folder.ts";

export interface LibreOfficeOptions {
  /** A folder of the grader's own for profile, home and results. */
  readonly scratch: string;
  /** For one conversion, default 120,000 ms. */
  readonly timeoutMs?: number;
  /** Name or path of the program, default `soffice`. */
  readonly program?: string;
}

export type Conversion =
  | { readonly kind: "converted"; readonly path: string }
  | { readonly kind: "failed"; readonly reason: string };

export type Conversions =
  | { readonly kind: "converted"; readonly paths: readonly string[] }
  | { readonly kind: "failed"; readonly reason: string };

const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/libreoffice/program";

/**
 * Loads a document in LibreOffice with every formula recalculated, and saves it as another format. Macros, active
 * content and the update of links are switched off; profile and home lie within `scratch`. A failure is the
 * document's: when a plain document fails as well, an `AleError` coded `libreoffice-broken` is thrown instead, and one
 * coded `program-missing` without the program.
 *
 * @param format of the result: `xlsx`, `ods`, `pdf`, `docx`…
 */
export async function convertByLibreOffice(
  path: string,
  format: string,
  options: LibreOfficeOptions,
): Promise<Conversion> {
  const converted = await convertAllByLibreOffice([path], format, options);
  return converted.kind === "failed" ? converted : { kind: "converted", path: converted.paths[0] as string };
}

/**
 * Converts several documents in one run of the program, which costs little more than one. Their names must differ
 * before the ending. Failed when any of them is; else as {@link convertByLibreOffice}.
 */
export async function convertAllByLibreOffice(
  paths: readonly string[],
  format: string,
  options: LibreOfficeOptions,
): Promise<Conversions> {
  const converted = await convertOnce(paths, format, options);
  if (converted.kind === "converted") return converted;
  const plain = join(options.scratch, "plain.csv");
  await writeFile(plain, "1,2\n");
  const control = await convertOnce([plain], "xlsx", options);
  if (control.kind === "converted") return converted;
  throw new AleError({
    code: "libreoffice-broken",
    message: `LibreOffice does not convert even a plain document: ${control.reason}.`,
    remedy: "Check that it runs in the verifier's image, with 1 GB of memory and a writable scratch folder.",
    fields: { program: options.program ?? "soffice", scratch: options.scratch },
  });
}

async function convertOnce(
  paths: readonly string[],
  format: string,
  options: LibreOfficeOptions,
): Promise<Conversions> {
  const { scratch, timeoutMs = 120_000, program = "soffice" } = options;
  const [profile, results] = [join(scratch, "profile"), join(scratch, "converted")];
  await makeFolder(join(profile, "user"));
  await makeFolder(results);
  await writeFile(join(profile, "user", "registrymodifications.xcu"), settings());
  const child = spawn(
    program,
    [
      `-env:UserInstallation=${pathToFileURL(profile).href}`,
      "--headless",
      "--norestore",
      "--nologo",
      "--nolockcheck",
      "--convert-to",
      format,
      "--outdir",
      results,
      ...paths,
    ],
    {
      cwd: scratch,
      // A group of its own, since the program is a script that starts others.
      detached: true,
      stdio: "ignore",
      env: { PATH: searchPath, HOME: scratch, TMPDIR: scratch, LANG: "C.UTF-8", SAL_USE_VCLPLUGIN: "svp" },
    },
  );
  const ended = await endOf(child, timeoutMs, program);
  if (ended !== undefined) return { kind: "failed", reason: ended };
  const made = paths.map((path) => join(results, `${basename(path, extname(path))}.${format}`));
  try {
    await Promise.all(made.map((path) => access(path)));
    return { kind: "converted", paths: made };
  } catch {
    return { kind: "failed", reason: "LibreOffice could not load it" };
  }
}

/** Why the program did not end well, or `undefined`. */
async function endOf(child: ChildProcess, timeoutMs: number, program: string): Promise<string | undefined> {
  let late = false;
  const stop = setTimeout(() => {
    late = true;
    killGroup(child);
  }, timeoutMs);
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    if (late) return `LibreOffice took longer than ${timeoutMs} ms`;
    return code === 0 ? undefined : `LibreOffice ended with status ${code ?? "of a signal"}`;
  } catch (cause) {
    throw new AleError({
      code: "program-missing",
      message: `The program ${program} cannot be started.`,
      remedy:
        "Install LibreOffice Calc where graders run, and declare `soffice` among the grader's programs.",
      fields: { program },
      cause,
    });
  } finally {
    clearTimeout(stop);
    killGroup(child);
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The profile's settings: recalculate always, run nothing, fetch nothing. */
function settings(): string {
  const items = [
    item("Calc/Formula/Load", "OOXMLRecalcMode", "0"),
    item("Calc/Formula/Load", "ODFRecalcMode", "0"),
    item("Calc/Content/Update", "Link", "2"),
    item("Common/Security/Scripting", "MacroSecurityLevel", "3"),
    item("Common/Security/Scripting", "DisableMacrosExecution", "true"),
    item("Common/Security/Scripting", "DisableActiveContent", "true"),
    item("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
${items.join("\n")}
</oor:items>
`;
}

function item(path: string, name: string, value: string): string {
  return `<item oor:path="/org.openoffice.Office.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;
}
