import { systemCode } from "./system-code.ts";

/** The promise's value, or `undefined` when the file or folder it is about is absent; rejects as the promise does otherwise. */
export async function orAbsent<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
