import type { HarnessArgument, HarnessFile } from "../../contract/harness-file.ts";
import type { CliLaunch, CliProgram } from "../program/cli-program.ts";
import { fillPlaceholders, type PlaceholderValues } from "./fill-placeholders.ts";
import { readMappedStream } from "./read-mapped-stream.ts";

/** The command line harness that a file describes. */
export function createDeclarativeProgram(file: HarnessFile): CliProgram {
  return {
    name: file.name,
    summary: file.summary,
    wires: file.wires,
    mcp: file.mcp !== undefined,
    settings: file.settings,
    stopGraceMs: file.stop_grace_seconds * 1000,
    ...(file.install === undefined ? { inImage: true } : {}),
    start(launch) {
      const values = valuesOf(file, launch);
      const fill = (text: string): string => fillPlaceholders(text, values) ?? "";
      return {
        argv: fillCommand(file.command, values),
        env: Object.fromEntries(
          Object.entries(file.env).flatMap(([name, text]) => {
            const value = fillPlaceholders(text, values);
            return value === undefined ? [] : [[name, value]];
          }),
        ),
        files: file.files.map(({ path, content }) => ({ path: fill(path), content: fill(content) })),
        before: file.before.map((command) => fillCommand(command, values)),
        ...(file.prompt_on_stdin ? { input: launch.prompt } : {}),
      };
    },
    reader: () => readMappedStream(file.log),
  };
}

function fillCommand(command: readonly HarnessArgument[], values: PlaceholderValues): readonly string[] {
  return command.flatMap((argument) => {
    const texts = typeof argument === "string" ? [argument] : argument;
    const filled = texts.map((text) => fillPlaceholders(text, values));
    return filled.every((text) => text !== undefined) ? filled : [];
  });
}

function valuesOf(file: HarnessFile, launch: CliLaunch): PlaceholderValues {
  const { contestant, effort } = launch;
  const values = new Map<string, string | undefined>([
    ["prompt", launch.prompt],
    ["model", launch.model],
    ["wire", launch.wire],
    ["base_url", launch.baseUrl],
    ["token", launch.token],
    ["home", launch.home],
    ["program", launch.program],
    ["node", launch.node],
    ["effort", effort === undefined ? undefined : (file.efforts[effort] ?? effort)],
    ...file.settings.map((name) => [`setting_${name}`, settingText(contestant.settings[name])] as const),
  ]);
  const { mcp } = file;
  if (mcp !== undefined) {
    const servers = launch.mcp.map(({ name, url }) =>
      fillPlaceholders(mcp.each, new Map([...values, ["mcp_name", name], ["mcp_url", url]])),
    );
    values.set("mcp_servers", servers.join(mcp.join));
  }
  return values;
}

function settingText(value: CliLaunch["contestant"]["settings"][string] | undefined): string | undefined {
  return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
}
