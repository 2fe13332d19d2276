import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Parser } from "tar";
import { packagesLabel } from "../container-fingerprint.ts";
import type { Engine } from "../engine.ts";
import { houseRepository } from "../find-image.ts";
import { readLines } from "./image-recipe.ts";

export interface DaemonBuild {
  readonly engine: Engine;
  /** A folder of ours with Dockerfile, packages.txt and finish.sh. */
  readonly context: string;
  readonly name: string;
  readonly onLine: (line: string) => void;
  /** The label for a list of installed packages. */
  readonly label: (installed: readonly string[]) => string;
}

interface BuildEvent {
  readonly stream?: string;
  readonly error?: string;
}

/** Builds a Dockerfile, then labels the result with what turned out to be installed. */
export async function buildWithDaemon(build: DaemonBuild): Promise<readonly string[]> {
  const draft = `${houseRepository}/${build.name}:unlabelled`;
  await runBuild(build, build.context, draft);
  const installed = readLines(await readLock(build.engine, draft));
  const labelling = join(build.context, "labelling");
  await mkdir(labelling);
  const lines = [
    `FROM ${draft}`,
    `LABEL ${packagesLabel}="${build.label(installed)}"`,
    `LABEL ale.image="${build.name}"`,
  ];
  await writeFile(join(labelling, "Dockerfile"), `${lines.join("\n")}\n`);
  await runBuild(build, labelling, `${houseRepository}/${build.name}:latest`);
  await build.engine.docker.getImage(draft).remove();
  return installed;
}

async function runBuild({ engine, onLine }: DaemonBuild, context: string, tag: string): Promise<void> {
  const src = (await readdir(context, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
  // The daemon's own network, as containers of a build need the mirror.
  const stream = await engine.docker.buildImage({ context, src }, { t: tag, networkmode: "host", rm: true });
  await new Promise<void>((resolve, reject) => {
    const progress = (event: BuildEvent): void => {
      if (event.error !== undefined) reject(new Error(event.error.trim()));
      const line = event.stream?.trim() ?? "";
      if (line !== "") onLine(line);
    };
    engine.docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()), progress);
  });
}

async function readLock(engine: Engine, image: string): Promise<string> {
  const container = await engine.docker.createContainer({ Image: image, Cmd: ["true"] });
  try {
    const archive = await container.getArchive({ path: "/usr/share/ale/packages.lock" });
    const chunks: Buffer[] = [];
    await new Promise<void>((resolve, reject) => {
      const parser = new Parser();
      parser.on("entry", (entry) => entry.on("data", (chunk: Buffer) => chunks.push(chunk)));
      parser.on("end", resolve);
      archive.on("error", reject);
      archive.pipe(parser);
    });
    return Buffer.concat(chunks).toString();
  } finally {
    await container.remove({ force: true });
  }
}
