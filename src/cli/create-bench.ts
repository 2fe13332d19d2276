import { access, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import { createTaskBench, type TaskBench, type TaskRuntime } from "../exam/bench/task-bench.ts";
import type { SandboxProvider } from "../sandbox/provider.ts";
import { openSealed } from "../task/seal/open-sealed.ts";
import type { CliContext } from "./cli-context.ts";
import { packageRoot } from "./package-info.ts";

export interface BenchOptions {
  readonly provider: SandboxProvider;
  /** Names this process's sandboxes in listings. */
  readonly run: string;
  /** File with the age identity that opens sealed packages. */
  readonly identityFile?: string | undefined;
}

/** The bench of this process: this package and this Node as the tasks' runtime, instances cached in the user's cache. */
export async function createBench(context: CliContext, options: BenchOptions): Promise<TaskBench> {
  const identity =
    options.identityFile === undefined
      ? undefined
      : await readIdentity(resolve(context.cwd, options.identityFile));
  return createTaskBench({
    provider: options.provider,
    clock: context.clock,
    runtime: await taskRuntime(context),
    cacheDir: join(context.folders.cache, "instances"),
    tempDir: tmpdir(),
    run: options.run,
    ...(identity === undefined ? {} : { unseal: (task, into) => openSealed(task, identity, into) }),
  });
}

async function taskRuntime(context: CliContext): Promise<TaskRuntime> {
  return { packageRoot, nodeModules: await nearestNodeModules(packageRoot), nodeBinary: context.nodeBinary };
}

/** The folder that our own imports come from: beside package.json in a checkout, around us when installed. */
async function nearestNodeModules(from: string): Promise<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules");
    const holdsOurs = await access(join(candidate, "zod")).then(
      () => true,
      () => false,
    );
    if (holdsOurs) return candidate;
    if (folder === dirname(folder)) break;
  }
  throw new AleError({
    code: "incomplete-installation",
    message: `the npm packages that ale needs are not installed near ${from}`,
    remedy: "run npm install there",
  });
}

async function readIdentity(path: string): Promise<string> {
  try {
    const lines = (await readFile(path, "utf8")).split("\n");
    const identity = lines.find((line) => line.startsWith("AGE-SECRET-KEY-"));
    if (identity !== undefined) return identity.trim();
  } catch (error) {
    throw new AleError({
      code: "no-such-file",
      message: `the identity file ${path} cannot be read`,
      remedy: "name the file that age-keygen wrote with --identity",
      cause: error,
    });
  }
  throw new AleError({
    code: "usage",
    message: `${path} holds no age identity`,
    remedy: "it must have a line that begins with AGE-SECRET-KEY-, as age-keygen writes it",
  });
}
