import { timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";

/** Random texts of a page that one browser may open; nobody can guess them. */
export interface PageSecrets {
  /** In the page's address, good once. */
  readonly token: string;
  /** What the browser that came first is known by afterwards. */
  readonly session: string;
}

/** Who may open it: the first who comes with the token. */
export interface PageKey {
  /** Takes the token and gives the browser its cookie; false for a wrong or a used one. */
  enter(context: Context, token: string): boolean;
  isKnown(context: Context): boolean;
}

const cookieSeconds = 24 * 60 * 60;

/** @param page its name, and the path that its cookie is for. */
export function createPageKey(
  { token, session }: PageSecrets,
  page: { readonly name: string; readonly path: string },
): PageKey {
  let isUsed = false;
  // Browsers keep the cookies of every port of a host together.
  const cookie = (context: Context): string =>
    `ale-${page.name}-${context.req.header("Host")?.split(":").at(-1) ?? "0"}`;
  return {
    enter(context, given) {
      if (isUsed || !areEqual(given, token)) return false;
      isUsed = true;
      setCookie(context, cookie(context), session, {
        path: page.path,
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
