import { randomBytes } from "node:crypto";
import type { PageSecrets } from "../server/page-key.ts";

/** Secrets for one page of one server. */
export function newPageSecrets(): PageSecrets {
  const secret = (): string => randomBytes(24).toString("base64url");
  return { token: secret(), session: secret() };
}
