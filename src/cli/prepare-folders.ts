import { join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import type { CliContext } from "./cli-context.ts";

/**
 * Makes the folders that machines and instances are kept in, so that one that cannot be made is told before anything is
 * begun. Throws `folder-not-made`.
 */
export async function prepareFolders({ folders }: Pick<CliContext, "folders">): Promise<void> {
  await makeFolder(join(folders.state, "sandboxes"), { mode: 0o700 });
  await makeFolder(folders.cache);
}
