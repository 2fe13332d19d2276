import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Debian's compiler, whose programs start in the Wine of the same release. */
export const go = "/usr/lib/go-1.19/bin/go";

/** What every call of the compiler is given. @param folder for what it keeps. */
export function goEnvironment(folder: string): Readonly<Record<string, string>> {
  return {
    PATH: "/usr/bin:/bin",
    HOME: folder,
    GOOS: "windows",
    GOARCH: "amd64",
    CGO_ENABLED: "0",
    GOFLAGS: "-mod=mod -trimpath",
    GOPROXY: "off",
    GOTOOLCHAIN: "local",
    GOCACHE: join(folder, "go-cache"),
  };
}

/** Compiles the program that does inside a machine what a test asks for. Gives its path. */
export async function buildProbe(folder: string): Promise<string> {
  const sources = fileURLToPath(new URL("probe/", import.meta.url));
  const target = join(folder, "probe.exe");
  await run(go, ["build", "-buildvcs=false", "-o", target, "."], {
    cwd: sources,
    env: goEnvironment(folder),
  });
  return target;
}
