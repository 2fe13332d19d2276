/** How a tool's call reaches the machine or the world. `other`: none of these, such as plans and notes. */
export type CallChannel = "screen" | "shell" | "file" | "network" | "other";

/** Every channel, in the order screens list them. */
export const callChannels: readonly CallChannel[] = ["screen", "shell", "file", "network", "other"];

/** Words of tools that see or act on a screen, a browser's among them. */
const screenWords = [
  ...["screen", "screenshot", "desktop", "computer", "mouse", "click", "double_click", "drag", "scroll"],
  ...["keyboard", "press_key", "type_text", "browser", "playwright", "navigate"],
];

/** Names of tools, of the harnesses known and of house servers, as patterns of one channel each; the first to fit tells. */
const patterns: readonly (readonly [CallChannel, RegExp])[] = [
  ["screen", new RegExp(`(^|[^a-z])(${screenWords.join("|")})([^a-z]|$)`)],
  [
    "shell",
    /(^|[_.])(bash|shell|exec|exec_command|terminal|local_shell|run|background|command)(_|$)|run_(shell_)?command/,
  ],
  ["other", /(^|_)(todo|plan|think|task|memory|goal)s?(_|$)/],
  ["network", /web[-_]?(search|fetch)|(^|_)(fetch|browse|http|google)(_|$)/],
  [
    "file",
    /(^|_)(read|write|edit|patch|glob|grep|ls|list|find|search|replace|upload|view|image)|_file|^notebook/,
  ],
];

/** The screen's own tools, as they are called where a server's name is not part of a tool's. */
const screenTools: ReadonlySet<string> = new Set([
  ...["screenshot", "click", "double_click", "move", "drag", "scroll", "type", "key", "hold", "wait"],
  ...["cursor", "screen_size", "clipboard", "windows", "accessibility_tree"],
]);

/** The channel of a tool by its name, with which every harness says what it is for. */
export function callChannel(tool: string): CallChannel {
  // WebFetch, apply_patch and mcp__ale-screen__click in one form.
  const name = tool.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  if (screenTools.has(name)) return "screen";
  return patterns.find(([, pattern]) => pattern.test(name))?.[0] ?? "other";
}
