import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { type ReportedBoard, reportedBoardSchema } from "../../contract/reported-board.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { orAbsent } from "../../files/or-absent.ts";
import { readJsonFile } from "../../record/read-json-file.ts";
import { createRedactor } from "../../record/redactor.ts";
import { writeRecordFile } from "../../record/write-record-file.ts";

/**
 * Keeps an imported board as `<dir>/<name>.json`. The same content again changes nothing; other content under a taken name
 * is refused with `board-exists`.
 */
export async function storeReportedBoard(
  dir: string,
  board: ReportedBoard,
): Promise<{ readonly path: string; readonly kept: "new" | "already there" }> {
  const path = join(resolve(dir), `${board.name}.json`);
  const before = await readJsonFile(path, reportedBoardSchema);
  if (before.kind === "value") {
    const { source, tasks } = before.value;
    if (source.digest === board.source.digest && tasks === board.tasks)
      return { path, kept: "already there" };
    throw new AleError({
      code: "board-exists",
      message: `${path} holds another import, of ${source.file} (${source.digest.slice(0, 19)})`,
      remedy: "give this one a name of its own with --name",
      fields: { path },
    });
  }
  await makeFolder(resolve(dir));
  await writeRecordFile(path, reportedBoardSchema, board, createRedactor([]));
  return { path, kept: "new" };
}

/**
 * The imported board of this name, or, without a name, the one imported last. Throws `unknown-board`, or `board-damaged`
 * for a file that is not one.
 */
export async function readReportedBoard(dir: string, name?: string): Promise<ReportedBoard> {
  const files = ((await orAbsent(readdir(resolve(dir)))) ?? [])
    .filter((file) => file.endsWith(".json"))
    .sort();
  const wanted = name === undefined ? files : files.filter((file) => file === `${name}.json`);
  const boards: ReportedBoard[] = [];
  for (const file of wanted) {
    const read = await readJsonFile(join(resolve(dir), file), reportedBoardSchema);
    if (read.kind === "damaged") {
      throw new AleError({
        code: "board-damaged",
        message: read.finding.message,
        remedy: "import it again: npx ale board import FILE",
        fields: { path: join(dir, file) },
      });
    }
    if (read.kind === "value") boards.push(read.value);
  }
  const [last] = boards.sort((one, other) => other.importedAt - one.importedAt);
  if (last !== undefined) return last;
  throw new AleError({
    code: "unknown-board",
    message: name === undefined ? `no board was imported to ${dir}` : `there is no board ${name} in ${dir}`,
    remedy: files.length === 0 ? "import one: npx ale board import FILE" : `there are ${files.join(", ")}`,
    fields: { dir },
  });
}
