import { timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";

/** Random texts of a sitting; nobody can guess them. */
export interface SitSecrets {
  /** In the page's address, good once. */
  readonly token: string;
  /** What the browser that came first is known by afterwards. */
  readonly session: string;
}

/** Who may sit: the first who comes with the token. */
export interface SitKey {
  /** Takes the token and gives the browser its cookie; false for a wrong or a used one. */
  enter(context: Context, token: string): boolean;
  isKnown(context: Context): boolean;
}

const cookieSeconds = 24 * 60 * 60;

export function createSitKey({ token, session }: SitSecrets): SitKey {
  let isUsed = false;
  // Browsers keep the cookies of every port of a host together.
  const cookie = (context: Context): string =>
    `ale-sit-${context.req.header("Host")?.split(":").at(-1) ?? "0"}`;
  return {
    enter(context, given) {
      if (isUsed || !areEqual(given, token)) return false;
      isUsed = true;
      setCookie(context, cookie(context), session, {
        path: "/api/sit",
        httpOnly: true,
        sameSite: "Strict",
        maxAge: cookieSeconds,
      });
      return true;
    },
    isKnown: (context) => areEqual(getCookie(context, cookie(context)) ?? "", session),
  };
}

function areEqual(given: string, expected: string): boolean {
  const [first, second] = [Buffer.from(given), Buffer.from(expected)];
  return first.length === second.length && timingSafeEqual(first, second);
}
