import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { endpointsAt } from "../../gateway/endpoints.ts";
import type { CliFile, CliProgram } from "./cli-program.ts";
import { programFolder } from "./create-cli-harness.ts";

/** A command that starts a program in a machine and asks for its version alone. */
export interface VersionCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Paths are absolute. */
  readonly files: readonly CliFile[];
}

/**
 * As a trial starts it, up to its program, with `--version` after it: every one of them answers that without a model. Its
 * packages must be at {@link programFolder}.
 */
export function versionCommand(program: CliProgram): VersionCommand {
  const [wire = "openai-chat"] = program.wires;
  const folder = programFolder(program.name);
  const { argv, env, files } = program.start({
    contestant: { name: program.name, harness: program.name, settings: {} },
    prompt: "",
    home: sandboxLayout.home,
    program: folder,
    node: sandboxLayout.node,
    model: "none",
    wire,
    baseUrl: endpointsAt("http://127.0.0.1:9")[wire],
    token: "none",
    mcp: [],
    limits: {},
  });
  const at = argv.findIndex((argument) => argument.startsWith(`${folder}/`));
  return {
    argv: [...argv.slice(0, Math.max(0, at) + 1), "--version"],
    env,
    files: files.map(({ path, content }) => ({ path: `${sandboxLayout.home}/${path}`, content })),
  };
}
