import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { AleError } from "../../contract/ale-error.ts";
import { screenInputSchema } from "../../contract/screen-input.ts";
import type { DeskFolder, DeskScreen } from "../../contract/sitting-desk.ts";
import { sittingEndSchema } from "../../contract/sitting-end.ts";
import { answerProblems } from "../answer-problems.ts";
import type { SitFiles } from "../api/sit-view.ts";
import { bodyOf, createPageApp } from "../page-app.ts";
import type { PageSecrets } from "../page-key.ts";
import { screenOver, sendFrame } from "../send-frame.ts";
import type { SitRoom } from "./sit-room.ts";

export interface SitAppOptions {
  readonly room: SitRoom;
  readonly secrets: PageSecrets;
}

/** The most that one file may bring, in bytes. */
const mostUpload = 256 * 1024 * 1024;

const commandSchema = z.strictObject({ line: z.string().min(1).max(100_000) });
const inputsSchema = z.array(screenInputSchema).max(1000);

/** What the page of a sitting asks for. Only the browser that came with the token is answered. */
export function createSitApp({ room, secrets }: SitAppOptions): Hono {
  const app = createPageApp({ name: "sit", secrets, guarded: "/api/sit" });
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
    if (room.view().phase !== "working") return screenOver(context);
    return sendFrame(context, screenOf(room));
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

function screenOf(room: SitRoom): DeskScreen {
  const { screen } = room.desk();
  if (screen !== undefined) return screen;
  throw new AleError({ code: "not-found", message: "this task has no screen" });
}

function tooLarge(): never {
  throw new AleError({
    code: "too-large",
    message: `a file handed in through the page may have at most ${mostUpload / 1024 / 1024} MiB`,
    remedy: "hand in a smaller file, or make it on the machine with a command",
  });
}
