import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { ParquetReply, ParquetTask } from "./parquet-worker.ts";
import type { Cell, ResolvedTableLimits } from "./table.ts";
import { TableProblem } from "./table-problem.ts";

/** Of the worker's heap: a row group is decoded in it whole. */
const heapMegabytes = 1024;

/**
 * The records of a flat Parquet file, the names of its columns first; nested values become JSON text. A damaged file can
 * make the decoder loop or grow without end, so it runs in a worker with limits on memory and on the time for
 * each batch. Throws a `TableProblem` for a file that is damaged or beyond the limits.
 */
export async function* readParquet(path: string, limits: ResolvedTableLimits): AsyncGenerator<Cell[][]> {
  const { maxRows, maxColumns } = limits;
  const task: ParquetTask = { path, maxRows, maxColumns };
  // The built package has the worker as JavaScript.
  const program = new URL(`./parquet-worker${extname(import.meta.url)}`, import.meta.url);
  await using worker = new Worker(program, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  for (;;) {
    const reply = await ask(worker, limits.maxBatchMs);
    if (reply.kind === "end") return;
    if (reply.kind === "problem") throw new TableProblem(reply.message);
    yield reply.kind === "names" ? [[...reply.names]] : reply.rows;
  }
}

async function ask(worker: Worker, maxBatchMs: number): Promise<ParquetReply> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ParquetReply>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", (cause) => {
        reject(new TableProblem("it is damaged, or takes too much memory to decode", { cause }));
      });
      timer = setTimeout(
        () => reject(new TableProblem("it is damaged: decoding it does not end")),
        maxBatchMs,
      );
      worker.postMessage("next");
    });
  } finally {
    clearTimeout(timer);
    worker.removeAllListeners("message");
    worker.removeAllListeners("error");
    // An error after the answer is of a worker that is about to be stopped.
    worker.on("error", () => undefined);
  }
}
