import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { Harness } from "../harness.ts";
import type { HarnessStore } from "../install/harness-store.ts";
import { checkSettings } from "./check-settings.ts";
import type { CliProgram } from "./cli-program.ts";
import { launchProgram } from "./launch-program.ts";

export interface CliHarnessOptions {
  readonly program: CliProgram;
  readonly store: HarnessStore;
  /** A Node program on the host, version 24, shown inside for harnesses that are scripts. */
  readonly nodeBinary: string;
}

/** Where a harness's packages are shown inside. */
export function programFolder(name: string): string {
  return `/opt/ale/${name}`;
}

/** A command line harness: its packages mounted read-only, run inside the sandbox as the agent. */
export function createCliHarness({ program, store, nodeBinary }: CliHarnessOptions): Harness {
  const { name, summary, wires } = program;
  const version = async (): Promise<string> =>
    (await store.find(name))?.version ??
    (await store.pinned(name))?.version ??
    (program.inImage === true ? "of the image" : "unknown");
  return {
    name,
    summary,
    wires,
    runsOn: ["linux"],
    claimsAllCalls: program.claimsAllCalls ?? true,
    version,
    async preflight(contestant) {
      const findings = [...checkSettings(program, contestant)];
      if (contestant.model === undefined) {
        findings.push({
          severity: "error",
          code: "model-missing",
          message: `${contestant.name}: ${name} drives a model, and none is named`,
          remedy: "name one with --model, or with model in exam.yaml; ale models ls lists them",
        });
      }
      if (program.inImage !== true && (await store.find(name)) === undefined) {
        findings.push({
          severity: "error",
          code: "harness-not-installed",
          message: `${name} is not installed on this host`,
          remedy: `run: npx ale agents install ${name}`,
        });
      }
      return findings;
    },
    async needs() {
      const installed = await store.find(name);
      return {
        mounts: [
          ...(installed === undefined ? [] : [{ source: installed.dir, target: programFolder(name) }]),
          { source: nodeBinary, target: sandboxLayout.node },
        ],
        env: {},
      };
    },
    launch: async (session) =>
      launchProgram(program, { folder: programFolder(name), version: await version() }, session),
  };
}
