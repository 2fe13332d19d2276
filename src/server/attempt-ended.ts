import { access } from "node:fs/promises";
import { join } from "node:path";
import { orAbsent } from "../files/or-absent.ts";
import { attemptFiles } from "../record/run-layout.ts";

/** Whether an attempt has its result, on the disk now. */
export async function attemptEnded(dir: string): Promise<boolean> {
  return (await orAbsent(access(join(dir, attemptFiles.result)).then(() => true))) === true;
}
