import type { Finding } from "../../contract/finding.ts";
import type { HarnessArgument, HarnessFile } from "../../contract/harness-file.ts";
import { nearest } from "../../yaml/nearest.ts";
import type { YamlPlaces } from "../../yaml/yaml-places.ts";
import { placeholdersIn } from "./fill-placeholders.ts";

/** Values that every trial has. */
const always: readonly string[] = ["prompt", "model", "wire", "base_url", "token", "home", "program", "node"];

interface Place {
  readonly path: readonly PropertyKey[];
  readonly text: string;
  /** Left out where a placeholder has no value. */
  readonly optional: boolean;
  /** The text for one MCP server. */
  readonly ofServer?: boolean;
}

/** Placeholders that mean nothing, or may have no value where one is needed. */
export function checkPlaceholders(file: HarnessFile, places: YamlPlaces): readonly Finding[] {
  const wanting = ["effort", ...file.settings.map((name) => `setting_${name}`)];
  return textsOf(file).flatMap(({ path, text, optional, ofServer }) => {
    const known = [
      ...always.filter((name) => name !== "program" || file.install !== undefined),
      ...(ofServer === true ? ["mcp_name", "mcp_url"] : wanting),
      ...(file.mcp === undefined || ofServer === true ? [] : ["mcp_servers"]),
    ];
    return placeholdersIn(text).flatMap(({ name, form }): readonly Finding[] => {
      const told = { severity: "error", ...places.find(path) } as const;
      if (!known.includes(name)) {
        const meant = nearest(name, known);
        const remedy = meant === undefined ? `there are: ${known.join(", ")}` : `did you mean {{${meant}}}?`;
        return [
          { ...told, code: "unknown-placeholder", message: `{{${name}}} is no placeholder here`, remedy },
        ];
      }
      if (form !== undefined && form !== "json") {
        const message = `{{${name}|${form}}} is in no form there is`;
        return [{ ...told, code: "unknown-placeholder", message, remedy: `write {{${name}|json}}` }];
      }
      if (optional || !wanting.includes(name)) return [];
      return [
        {
          ...told,
          code: "placeholder-without-value",
          message: `{{${name}}} has no value for a contestant that gives none`,
          remedy: "put it in env, or in a list of its own within the command",
        },
      ];
    });
  });
}

function textsOf(file: HarnessFile): readonly Place[] {
  return [
    ...argumentsOf(["command"], file.command),
    ...file.before.flatMap((command, index) => argumentsOf(["before", index], command)),
    ...Object.entries(file.env).map(([name, text]) => ({ path: ["env", name], text, optional: true })),
    ...file.files.flatMap(({ path, content }, index) => [
      { path: ["files", index, "path"], text: path, optional: false },
      { path: ["files", index, "content"], text: content, optional: false },
    ]),
    ...(file.mcp === undefined
      ? []
      : [{ path: ["mcp", "each"], text: file.mcp.each, optional: false, ofServer: true }]),
  ];
}

function argumentsOf(path: readonly PropertyKey[], command: readonly HarnessArgument[]): readonly Place[] {
  return command.flatMap((argument, index): readonly Place[] =>
    typeof argument === "string"
      ? [{ path: [...path, index], text: argument, optional: false }]
      : argument.map((text, inner) => ({ path: [...path, index, inner], text, optional: true })),
  );
}
