import type { IncomingMessage } from "node:http";

/** Who may read: a user with a password, told at each call or exchanged for a token first. */
export interface RegistryAuth {
  readonly kind: "basic" | "bearer";
  readonly user: string;
  readonly password: string;
}

const token = "token-of-the-double";

/** Whether the call may be answered. */
export function isAllowed(request: IncomingMessage, auth: RegistryAuth | undefined): boolean {
  if (auth === undefined) return true;
  const told = request.headers.authorization ?? "";
  return auth.kind === "bearer" ? told === `Bearer ${token}` : isPassword(told, auth);
}

/** The header that says how to be let in; RFC 7617, and the token specification of the distribution project. */
export function challenge(auth: RegistryAuth, origin: string, repository: string): string {
  if (auth.kind === "basic") return 'Basic realm="registry double"';
  return `Bearer realm="${origin}/token",service="double",scope="repository:${repository}:pull"`;
}

/** What the token's own address answers; `undefined` to who is not known. */
export function tokenFor(request: IncomingMessage, auth: RegistryAuth | undefined): object | undefined {
  if (auth === undefined || !isPassword(request.headers.authorization ?? "", auth)) return undefined;
  return { token, access_token: token, expires_in: 300 };
}

function isPassword(told: string, { user, password }: RegistryAuth): boolean {
  return told === `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
