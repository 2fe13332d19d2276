import { randomUUID } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { AleError } from "../../contract/ale-error.ts";
import { workflowIdSchema } from "../../contract/ids.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { instructionTemplate } from "./instruction-template.ts";
import { mainTemplate } from "./main-template.ts";
import { manifestTemplate } from "./manifest-template.ts";

export interface ScaffoldOptions {
  /** `domain/name`. */
  readonly id: string;
  /** Folder of tasks: the package becomes `<dir>/<domain>/<name>`. */
  readonly dir: string;
  /** What the sample work hands in; default `csv`. */
  readonly kind?: "csv" | "json";
  /** Default: a random one. */
  readonly canary?: string;
}

const schemaPath = fileURLToPath(new URL("../../../schemas/task.schema.json", import.meta.url));

/**
 * Writes a new package and returns its folder: a small whole task that works, in which `[[fill: …]]` marks what the
 * author must write; `check` reports every mark that is left. Throws an `AleError`: `bad-task-id`, `already-there`.
 */
export async function scaffoldTask(options: ScaffoldOptions): Promise<string> {
  const { id, kind = "csv" } = options;
  const parsed = workflowIdSchema.safeParse(id);
  if (!parsed.success) {
    throw new AleError({
      code: "bad-task-id",
      message: `${id} cannot be a task's id: it ${parsed.error.issues[0]?.message}`,
      remedy: "use lower-case letters, digits and underscores, with one slash",
      fields: { id },
    });
  }
  const target = join(options.dir, id);
  await makeFolder(target);
  if ((await readdir(target)).length > 0) {
    throw new AleError({
      code: "already-there",
      message: `${target} is not empty`,
      remedy: "choose another name, or remove the folder first",
    });
  }
  const output = `totals.${kind}`;
  const canary = options.canary ?? `ale-canary-${randomUUID()}`;
  const schema = relative(resolve(target), schemaPath).replaceAll("\\", "/");
  await writeFile(join(target, "task.yaml"), manifestTemplate({ id, output, kind, canary, schema }));
  await writeFile(join(target, "instruction.md"), instructionTemplate(output, kind));
  await writeFile(join(target, "main.ts"), mainTemplate(output, kind));
  return target;
}
