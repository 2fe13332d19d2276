import { type Context, Hono } from "hono";
import { z } from "zod";
import { AleError } from "../contract/ale-error.ts";
import { createPageKey, type PageSecrets } from "./page-key.ts";

export interface PageAppOptions {
  /** Of the page and of the command that opens it: `sit`. */
  readonly name: string;
  readonly secrets: PageSecrets;
  /** What only the browser that came with the token may ask for; the cookie is sent with nothing else. */
  readonly guarded: string;
}

const enterSchema = z.strictObject({ token: z.string().max(200) });

/**
 * An app for a page that one browser may open: `POST /api/<name>/enter` takes the token of its address, once, and everything
 * below `guarded` is then answered to that browser alone. Requests from pages of other sites are refused.
 */
export function createPageApp({ name, secrets, guarded }: PageAppOptions): Hono {
  const app = new Hono();
  const key = createPageKey(secrets, { name, path: guarded });
  const strange = (): AleError =>
    new AleError({
      code: "forbidden",
      message: "this browser was not let in: the address is good once, and has been used or mistyped",
      remedy: `go back to the browser that was first, or stop and start npx ale ${name} again for a new address`,
    });
  app.use(async (context, next) => {
    refuseForeign(context);
    await next();
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Cache-Control", "no-store");
    context.header("Referrer-Policy", "no-referrer");
  });
  app.post(`/api/${name}/enter`, async (context) => {
    const { token } = await bodyOf(context, enterSchema);
    if (key.isKnown(context) || key.enter(context, token)) return context.json({ done: true });
    throw strange();
  });
  app.use(`${guarded}/*`, async (context, next) => {
    if (!key.isKnown(context)) throw strange();
    await next();
  });
  return app;
}

/** The JSON that a request brings. Throws `malformed-request`. */
export async function bodyOf<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await context.req.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw new AleError({ code: "malformed-request", message: z.prettifyError(parsed.error) });
}

/** A page of another site cannot hide where it comes from. */
function refuseForeign(context: Context): void {
  const origin = context.req.header("Origin");
  if (origin === undefined || origin === `http://${context.req.header("Host")}`) return;
  throw new AleError({ code: "forbidden", message: "requests are taken from this server's own page alone" });
}
