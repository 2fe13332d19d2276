// Builds the browser client into a folder: `served/` for `ale serve` (modules, parts loaded when needed), `exported/`
// (one classic script and one style sheet, which also a page from disk may load). Run as `build-web.ts FOLDER`.
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { build, type InlineConfig } from "vite";

const root = join(import.meta.dirname, "..");

const common: InlineConfig = {
  root: join(root, "src", "web"),
  base: "./",
  configFile: false,
  envFile: false,
  logLevel: "error",
  define: { "process.env.NODE_ENV": '"production"' },
};

/** Builds both forms of the client into `folder`, which is made anew. */
export async function buildWeb(folder: string): Promise<void> {
  // Vite takes it from here whether JSX is compiled for development.
  process.env["NODE_ENV"] = "production";
  const draft = `${resolve(folder)}.${process.pid}.partial`;
  await mkdir(dirname(draft), { recursive: true });
  await build({
    ...common,
    define: { ...common.define, hasMeshes: "true" },
    build: { outDir: join(draft, "served"), target: "es2023", modulePreload: false },
  });
  await build({
    ...common,
    define: { ...common.define, hasMeshes: "false" },
    build: {
      outDir: join(draft, "exported"),
      target: "es2023",
      cssCodeSplit: false,
      lib: {
        entry: "main.tsx",
        formats: ["iife"],
        name: "aleViewer",
        fileName: () => "app.js",
        cssFileName: "app",
      },
    },
  });
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder).catch(async (error: unknown) => {
    // Another process was faster, with the same sources.
    await rm(draft, { recursive: true, force: true });
    if ((await readdir(folder)).length === 0) throw error;
  });
}

if (import.meta.main) {
  const folder = process.argv[2];
  if (folder === undefined) {
    process.stderr.write("usage: build-web.ts FOLDER\n");
    process.exit(2);
  }
  await buildWeb(folder);
}
