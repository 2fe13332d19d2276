import { spawn } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../../contract/ale-error.ts";
import { readLines } from "./image-recipe.ts";

const builder = "/usr/bin/mmdebstrap";
const suite = "bookworm";

export interface DebianBuild {
  readonly packages: readonly string[];
  /** The script that is run last, inside. */
  readonly finish: string;
  /** An empty folder of ours. */
  readonly work: string;
  readonly onLine: (line: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** Whether images can be made here from Debian packages alone. */
export function hasDebianBuilder(): Promise<boolean> {
  return access(builder).then(
    () => true,
    () => false,
  );
}

/** Makes a root file system of Debian packages, without any registry. */
export async function buildWithDebian(
  build: DebianBuild,
): Promise<{ readonly tarball: string; readonly installed: readonly string[] }> {
  if (!(await hasDebianBuilder())) {
    throw new AleError({
      code: "missing-program",
      message: "the program mmdebstrap, which makes images from Debian packages, is not installed",
      remedy: "apt-get install mmdebstrap, or build with --method dockerfile",
    });
  }
  const tarball = join(build.work, "image.tar");
  const lock = join(build.work, "packages.lock");
  await run(build, [
    "--variant=minbase",
    `--include=${build.packages.join(",")}`,
    '--aptopt=Acquire::Languages "none"',
    `--customize-hook=copy-in ${build.finish} /tmp`,
    '--customize-hook=chroot "$1" sh /tmp/finish.sh',
    `--customize-hook=download /usr/share/ale/packages.lock ${lock}`,
    "--skip=cleanup/reproducible",
    suite,
    tarball,
  ]);
  return { tarball, installed: readLines(await readFile(lock, "utf8")) };
}

function run(build: DebianBuild, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(builder, args, {
      cwd: build.work,
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8", TMPDIR: build.work },
      stdio: ["ignore", "ignore", "pipe"],
      ...(build.signal === undefined ? {} : { signal: build.signal }),
    });
    let last = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split(/[\r\n]+/).filter((part) => part.trim() !== "")) {
        if (line.startsWith("E:")) last = line;
        build.onLine(line);
      }
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`mmdebstrap ended with ${code}${last === "" ? "" : `: ${last}`}`));
    });
  });
}
