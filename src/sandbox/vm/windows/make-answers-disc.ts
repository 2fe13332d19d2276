import { randomBytes } from "node:crypto";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../../contract/ale-error.ts";
import { runTool } from "../qemu/host-programs.ts";

export interface AnswersDiscOptions {
  /** The recipe, `vm-windows/`. */
  readonly recipe: string;
  /** Our program for Windows guests, on this host. */
  readonly serveProgram: string;
  /** Node for Windows, on this host. */
  readonly nodeProgram: string;
  /** As the installation disc names it. */
  readonly edition: string;
  readonly productKey?: string;
  /** An empty folder to lay it out in. */
  readonly folder: string;
}

/**
 * Lays out the installer's answers and what is copied to `C:\ale`, and makes a disc (ISO 9660 with Joliet) of it: a disc,
 * because Windows counts disks, and the answers name the first. Passwords are drawn for it and kept nowhere else. Answers
 * its path. Rejects with an `AleError` coded `image-build` or `missing-program`.
 */
export async function makeAnswersDisc(options: AnswersDiscOptions): Promise<string> {
  const { recipe, serveProgram, nodeProgram, edition, productKey, folder } = options;
  const tree = join(folder, "answers");
  const setup = join(tree, "ale", "setup");
  await mkdir(setup, { recursive: true, mode: 0o700 });
  const answers = fillAnswers(await readFile(join(recipe, "autounattend.xml"), "utf8"), {
    password: newPassword(),
    administratorPassword: newPassword(),
    edition,
    productKey: productKey ?? "",
  });
  await writeFile(join(tree, "autounattend.xml"), answers, { mode: 0o600 });
  for (const file of ["SetupComplete.cmd", "finish.ps1"]) {
    await writeFile(join(setup, file), windowsLines(await readFile(join(recipe, file), "utf8")));
  }
  await cp(serveProgram, join(tree, "ale", "ale-serve.exe"));
  await mkdir(join(tree, "ale", "node", "bin"), { recursive: true });
  await cp(nodeProgram, join(tree, "ale", "node", "bin", "node.exe"));
  const disc = join(folder, "answers.iso");
  await runTool("xorrisofs", ["-quiet", "-V", "ALE", "-J", "-r", "-o", disc, tree], "image-build");
  await rm(tree, { recursive: true });
  return disc;
}

/** Answers of the installer, filled in; the recipe names each `{{so}}`. An empty product key is left out. */
export function fillAnswers(text: string, values: Readonly<Record<string, string>>): string {
  const filled = text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    const safe = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    return name === "productKey" && safe !== "" ? `<Key>${safe}</Key>` : safe;
  });
  // The comment at the top names them, too: what is between elements must not be left over.
  const left = /<[^!<>]*>\{\{(\w+)\}\}/.exec(filled);
  if (left === null) return filled;
  throw new AleError({
    code: "image-build",
    message: `The installer's answers lack ${left[1]}.`,
    remedy: "Take {{so}} out of autounattend.xml in images/vm-windows, or use that of this release.",
  });
}

/** Of every kind of character that a policy may ask for. */
function newPassword(): string {
  return `Aa1-${randomBytes(18).toString("base64url")}`;
}

function windowsLines(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}
