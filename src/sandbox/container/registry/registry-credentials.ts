import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { AleError } from "../../../contract/ale-error.ts";
import { hubRegistry, type ImageReference } from "./image-reference.ts";

/** What a daemon shows the registry, as the Engine API takes it. */
export type RegistryCredentials =
  | { readonly username: string; readonly password: string; readonly serveraddress: string }
  | { readonly identitytoken: string; readonly serveraddress: string };

const fileSchema = z.looseObject({
  auths: z
    .record(z.string(), z.looseObject({ auth: z.string().optional(), identitytoken: z.string().optional() }))
    .optional(),
  credHelpers: z.record(z.string(), z.string()).optional(),
  credsStore: z.string().optional(),
});
type CredentialFile = z.infer<typeof fileSchema>;

const answerSchema = z.looseObject({ Username: z.string(), Secret: z.string() });

/** As Docker calls its own registry. */
const hubAddress = "https://index.docker.io/v1/";
const helperPatienceMs = 30_000;

/**
 * What this user has logged in to the image's registry with, from the first of the files that knows it: written there, or kept
 * by the helper it names. `undefined`: nothing, and the registry is asked without. Throws an `AleError` coded
 * `registry-credentials`, which never holds what was found.
 */
export async function registryCredentials(
  image: ImageReference,
  files: readonly string[],
): Promise<RegistryCredentials | undefined> {
  for (const path of files) {
    const file = await readCredentialFile(path);
    const found = file === undefined ? undefined : await credentialsIn(path, file, image);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function readCredentialFile(path: string): Promise<CredentialFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return undefined;
    throw unreadable(path, message);
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    // Without the cause: it would show what is in there.
    throw unreadable(path, "it is no such JSON");
  }
}

function unreadable(path: string, why: string): AleError {
  return new AleError({
    code: "registry-credentials",
    message: `${path}, where logins to registries are kept, cannot be read: ${why}.`,
    remedy: "mend it, or move it away and log in again",
    fields: { path },
  });
}

async function credentialsIn(
  path: string,
  file: CredentialFile,
  { registry, repository }: ImageReference,
): Promise<RegistryCredentials | undefined> {
  const serveraddress = registry === hubRegistry ? hubAddress : registry;
  const helper = file.credHelpers?.[registry] ?? file.credHelpers?.[serveraddress] ?? file.credsStore;
  if (helper !== undefined && helper !== "") {
    const kept = await askHelper(path, helper, serveraddress);
    if (kept !== undefined) return kept;
  }
  for (const key of keysOf(registry, repository)) {
    const entry = Object.entries(file.auths ?? {}).find(([name]) => plainHost(name) === key)?.[1];
    if (entry?.identitytoken) return { identitytoken: entry.identitytoken, serveraddress };
    if (!entry?.auth) continue;
    const [username = "", password = ""] = Buffer.from(entry.auth, "base64").toString().split(/:(.*)/s);
    return { username, password: password.replace(/\0+$/, ""), serveraddress };
  }
  return undefined;
}

/** Podman keeps logins also for a part of a registry: the closest counts. */
function keysOf(registry: string, repository: string): readonly string[] {
  const parts = repository.split("/");
  const scoped = parts.map((_, index) => [registry, ...parts.slice(0, parts.length - index)].join("/"));
  return [...scoped, registry, ...(registry === hubRegistry ? ["index.docker.io"] : [])];
}

/** Older files have whole addresses. */
function plainHost(name: string): string {
  return name.replace(/^https?:\/\//, "").replace(/\/(v[12]\/?)?$/, "");
}

/** Protocol of docker-credential-helpers: the address on standard input, JSON on standard output. */
async function askHelper(
  path: string,
  helper: string,
  serveraddress: string,
): Promise<RegistryCredentials | undefined> {
  const program = `docker-credential-${helper}`;
  const answer: HelperAnswer = /^[\w.-]+$/.test(helper)
    ? await runHelper(program, serveraddress)
    : { kind: "failed", text: "that is no program's name" };
  if (answer.kind === "answered") {
    const told = answerSchema.safeParse(jsonOf(answer.text)).data;
    if (told === undefined || told.Secret === "") return undefined;
    // A helper's name for what is a token.
    if (told.Username === "<token>") return { identitytoken: told.Secret, serveraddress };
    return { username: told.Username, password: told.Secret, serveraddress };
  }
  if (answer.text.includes("credentials not found")) return undefined;
  throw new AleError({
    code: "registry-credentials",
    message: `${program}, which ${path} names for ${serveraddress}, does not answer: ${answer.text}`,
    remedy: `install ${program}, or remove it from ${path} and log in again`,
    fields: { path, program },
  });
}

type HelperAnswer = { readonly kind: "answered" | "failed"; readonly text: string };

function runHelper(program: string, serveraddress: string): Promise<HelperAnswer> {
  return new Promise((resolve) => {
    const child = execFile(program, ["get"], { timeout: helperPatienceMs }, (error, stdout, stderr) => {
      if (error === null) resolve({ kind: "answered", text: stdout });
      else resolve({ kind: "failed", text: refusalIn(stdout) || stderr.trim() || helperProblem(error) });
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(serveraddress);
  });
}

/** Refusals come on standard output, by custom, in a line; anything else there may be a login. */
function refusalIn(stdout: string): string {
  const text = stdout.trim();
  return /[\n{}"]/.test(text) ? "" : text;
}

/** Without the arguments and output that Node's own message repeats. */
function helperProblem({ code, killed }: { readonly code?: unknown; readonly killed?: boolean }): string {
  if (code === "ENOENT") return "there is no such program";
  return killed ? "it took too long" : `it ended with ${String(code)}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
