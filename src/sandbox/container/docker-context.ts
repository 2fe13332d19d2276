import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const configSchema = z.looseObject({ currentContext: z.string().optional() });
const contextSchema = z.looseObject({
  Endpoints: z.looseObject({ docker: z.looseObject({ Host: z.string().optional() }).optional() }),
});

/**
 * Host of the daemon that `docker` speaks with: of the context that `DOCKER_CONTEXT` names or `docker context use` has chosen.
 * `undefined` for the default one, and for what cannot be read.
 *
 * @param folder Docker's settings: `DOCKER_CONFIG`, or `.docker` at home
 * @param named `DOCKER_CONTEXT`, where it is set
 */
export function dockerContextHost(folder: string, named?: string): string | undefined {
  const chosen = named || configSchema.safeParse(contentOf(join(folder, "config.json"))).data?.currentContext;
  if (chosen === undefined || chosen === "" || chosen === "default") return undefined;
  // A context's folder is called after its name's digest.
  const digest = createHash("sha256").update(chosen).digest("hex");
  const meta = contentOf(join(folder, "contexts", "meta", digest, "meta.json"));
  return contextSchema.safeParse(meta).data?.Endpoints.docker?.Host;
}

function contentOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
