import { expect, test } from "vitest";
import type { SettingValue } from "../../contract/contestant.ts";
import { claudeCodeProgram } from "../claude-code/claude-code-program.ts";
import { checkSettings, knownSettings } from "./check-settings.ts";

function findings(settings: Readonly<Record<string, SettingValue>>, mcp = true) {
  return checkSettings(
    { ...claudeCodeProgram, settings: ["web_search"], mcp },
    { name: "c", harness: "claude-code", settings },
  );
}

test("a program that is given our servers knows the setting accessibility, true or false; others refuse it", () => {
  expect(findings({ accessibility: true, web_search: true })).toEqual([]);
  expect(findings({ accessibility: "yes" })).toMatchObject([{ code: "bad-setting", severity: "error" }]);
  expect(findings({ accessibility: true }, false)).toMatchObject([
    { code: "unknown-setting", remedy: "take one of: web_search" },
  ]);
  expect(findings({ accesibility: true })).toMatchObject([
    { code: "unknown-setting", remedy: "take one of: web_search, accessibility" },
  ]);
  expect(knownSettings({ settings: [], mcp: true })).toEqual(["accessibility"]);
});
