import { createHash } from "node:crypto";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { canonicalJson } from "../../contract/canonical-json.ts";
import type { HarnessInstall } from "../../contract/harness-file.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { type HarnessPin, readPinAt } from "./read-pin.ts";
import { type NpmProgram, runNpm } from "./run-npm.ts";

/** Folder of the pin that a declared installation has on this host, once it was locked. */
export function declaredPinDir(storeDir: string, name: string, install: HarnessInstall): string {
  const digest = createHash("sha256")
    .update(canonicalJson({ ...install }))
    .digest("hex");
  return join(storeDir, "pins", `${name}-${install.version}-${digest.slice(0, 12)}`);
}

/**
 * Asks the registry once what a declared package needs, and keeps the answer as a pin: from then on it is installed as
 * locked. Throws `harness-install` in npm's words, or when the package is not the one whose integrity is declared.
 */
export async function lockDeclared(
  npm: NpmProgram,
  storeDir: string,
  name: string,
  install: HarnessInstall,
): Promise<HarnessPin> {
  const dir = declaredPinDir(storeDir, name, install);
  await makeFolder(join(storeDir, "pins"));
  const partial = await mkdtemp(join(storeDir, "pins", "partial-"));
  try {
    const manifest = {
      name: `ale-harness-${name}`,
      private: true,
      dependencies: { [install.npm]: install.version },
      allowScripts: Object.fromEntries(install.scripts.map((script) => [script, true])),
    };
    await writeFile(join(partial, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    const end = await runNpm(npm, ["install", "--package-lock-only", "--ignore-scripts"], partial);
    if (end.kind === "failed") {
      throw new AleError({
        code: "harness-install",
        message: `${name} (${install.npm} ${install.version}) could not be pinned; npm says:\n${end.words}`,
        remedy:
          "see that the package and version are in the registry, and that this host reaches it; then run it again",
        fields: { harness: name, package: install.npm, version: install.version },
      });
    }
    const pin = await readPinAt(partial, name);
    if (install.integrity !== undefined && pin?.integrity !== install.integrity) {
      throw new AleError({
        code: "harness-install",
        message: `${name}: the registry's ${install.npm} ${install.version} is ${pin?.integrity ?? "without an integrity"}, not ${install.integrity}`,
        remedy: "do not install it before you know why; correct install.integrity if it was mistyped",
        fields: { harness: name, package: install.npm, version: install.version },
      });
    }
    await rename(partial, dir).catch((error: NodeJS.ErrnoException) => {
      // Another process locked the same meanwhile: its pin is as good.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return (await readPinAt(dir, name)) as HarnessPin;
}
