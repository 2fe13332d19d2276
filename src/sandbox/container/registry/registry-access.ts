import { AleError } from "../../../contract/ale-error.ts";
import type { ImageReference } from "./image-reference.ts";
import { type RegistryCredentials, registryCredentials } from "./registry-credentials.ts";

/** What a registry is asked with. */
export interface RegistryAccess {
  readonly credentials: RegistryCredentials | undefined;
  /** Why logins could not be read: no reason to give up, for many images need none. */
  readonly problem: AleError | undefined;
}

/** @param files see {@link registryCredentials} */
export async function registryAccess(
  reference: ImageReference,
  files: readonly string[],
): Promise<RegistryAccess> {
  try {
    return { credentials: await registryCredentials(reference, files), problem: undefined };
  } catch (error) {
    if (!AleError.isInstance(error)) throw error;
    return { credentials: undefined, problem: error };
  }
}
