import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { AleError } from "../../contract/ale-error.ts";
import { screenInputSchema } from "../../contract/screen-input.ts";
import type { DeskFolder, DeskScreen } from "../../contract/sitting-desk.ts";
import { sittingEndSchema } from "../../contract/sitting-end.ts";
import { answerProblems } from "../answer-problems.ts";
import type { SitFiles } from "../api/sit-view.ts";
import { createSitKey, type SitSecrets } from "./sit-key.ts";
import type { SitRoom } from "./sit-room.ts";

export interface SitAppOptions {
  readonly room: SitRoom;
  readonly secrets: SitSecrets;
}

/** The most that one file may bring, in bytes. */
const mostUpload = 256 * 1024 * 1024;

const enterSchema = z.strictObject({ token: z.string().max(200) });
const commandSchema = z.strictObject({ line: z.string().min(1).max(100_000) });
const inputsSchema = z.array(screenInputSchema).max(1000);

/** What the page of a sitting asks for. Only the browser that came with the token is answered. */
export function createSitApp({ room, secrets }: SitAppOptions): Hono {
  const app = new Hono();
  const key = createSitKey(secrets);
  app.use(async (context, next) => {
    refuseForeign(context);
    await next();
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Cache-Control", "no-store");
    context.header("Referrer-Policy", "no-referrer");
  });
  app.post("/api/sit/enter", async (context) => {
    const { token } = await bodyOf(context, enterSchema);
    if (key.isKnown(context) || key.enter(context, token)) return context.json({ done: true });
    throw strange();
  });
  app.use("/api/sit/*", async (context, next) => {
    if (!key.isKnown(context)) throw strange();
    await next();
  });
  app.get("/api/sit/state", (context) => context.json(room.view()));
  app.get("/api/sit/files", async (context) => {
    const desk = room.desk();
    const [input, output] = await Promise.all([desk.files("input"), desk.files("output")]);
    return context.json({ input, output } satisfies SitFiles);
  });
  app.get("/api/sit/file", async (context) => {
    const folder: DeskFolder = context.req.query("folder") === "output" ? "output" : "input";
    const path = context.req.query("path") ?? "";
    const content = await room.desk().read(folder, path);
    const name = encodeURIComponent(path.split("/").at(-1) ?? "file");
    return new Response(Uint8Array.from(content), {
      headers: {
        "Content-Type": "application/octet-stream",
        "Content-Disposition": `attachment; filename*=UTF-8''${name}`,
      },
    });
  });
  app.put("/api/sit/file", bodyLimit({ maxSize: mostUpload, onError: tooLarge }), async (context) => {
    const content = new Uint8Array(await context.req.arrayBuffer());
    await room.desk().handIn(context.req.query("path") ?? "", content);
    return context.json({ done: true });
  });
  app.delete("/api/sit/file", async (context) => {
    await room.desk().withdraw(context.req.query("path") ?? "");
    return context.json({ done: true });
  });
  app.post("/api/sit/command", async (context) => {
    const { line } = await bodyOf(context, commandSchema);
    return context.json(await room.desk().run(line, context.req.raw.signal));
  });
  app.get("/api/sit/screen", async (context) => {
    // The page asks until it hears that the work is over: that is no fault.
    if (room.view().phase !== "working") return context.body(null, 204, { "X-Over": "true" });
    const frame = await screenOf(room).frame(context.req.query("after"), context.req.raw.signal);
    if (frame === undefined) return context.body(null, 204);
    return new Response(Uint8Array.from(frame.bytes), {
      headers: { "Content-Type": "image/jpeg", "X-Revision": frame.revision },
    });
  });
  app.post("/api/sit/screen", async (context) => {
    await screenOf(room).act(await bodyOf(context, inputsSchema));
    return context.json({ done: true });
  });
  app.post("/api/sit/end", async (context) => {
    room.end(await bodyOf(context, sittingEndSchema));
    return context.json({ done: true });
  });
  app.post("/api/sit/leave", (context) => {
    // Whoever waits for that ends the server: not before the answer is out.
    const { outgoing } = context.env as Partial<HttpBindings>;
    if (outgoing === undefined) room.leave();
    else outgoing.once("finish", () => room.leave());
    return context.json({ done: true });
  });
  answerProblems(app);
  return app;
}

async function bodyOf<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await context.req.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw new AleError({ code: "malformed-request", message: z.prettifyError(parsed.error) });
}

function screenOf(room: SitRoom): DeskScreen {
  const { screen } = room.desk();
  if (screen !== undefined) return screen;
  throw new AleError({ code: "not-found", message: "this task has no screen" });
}

function strange(): AleError {
  return new AleError({
    code: "forbidden",
    message: "this browser was not let in: the address is good once, and has been used or mistyped",
    remedy: "go back to the browser that was first, or stop and start npx ale sit again for a new address",
  });
}

/** A page of another site cannot hide where it comes from. */
function refuseForeign(context: Context): void {
  const origin = context.req.header("Origin");
  if (origin === undefined || origin === `http://${context.req.header("Host")}`) return;
  throw new AleError({ code: "forbidden", message: "requests are taken from this server's own page alone" });
}

function tooLarge(): never {
  throw new AleError({
    code: "too-large",
    message: `a file handed in through the page may have at most ${mostUpload / 1024 / 1024} MiB`,
    remedy: "hand in a smaller file, or make it on the machine with a command",
  });
}
