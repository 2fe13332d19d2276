import type { Contestant } from "../../contract/contestant.ts";
import type { Finding } from "../../contract/finding.ts";
import { accessibilitySetting } from "../../contract/wants-accessibility.ts";
import { unknownSettings } from "../unknown-settings.ts";
import type { CliProgram } from "./cli-program.ts";

/** Names of settings that mean something to this program, those that the exam acts on for it included. */
export function knownSettings({ settings, mcp }: Pick<CliProgram, "settings" | "mcp">): readonly string[] {
  // A screen is used over MCP.
  return mcp ? [...settings, accessibilitySetting] : settings;
}

/** Settings of a contestant that would change nothing, and so mislead: unknown ones, and a switch that is neither on nor off. */
export function checkSettings(program: CliProgram, contestant: Contestant): readonly Finding[] {
  const unknown = unknownSettings(contestant, knownSettings(program));
  const accessibility = contestant.settings[accessibilitySetting];
  if (!program.mcp || accessibility === undefined || typeof accessibility === "boolean") return unknown;
  return [
    ...unknown,
    {
      severity: "error",
      code: "bad-setting",
      message: `${contestant.name}: ${accessibilitySetting} is true or false, not ${JSON.stringify(accessibility)}`,
      remedy: `write ${accessibilitySetting}: true in exam.yaml, or --set ${accessibilitySetting}=true`,
    },
  ];
}
