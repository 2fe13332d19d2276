/** Id of the plugin, in its manifest and in OpenClaw's configuration. */
export const streamPluginId = "ale-stream";

/**
 * A plugin of ours for OpenClaw, whose one turn otherwise says nothing before its end: each message of the session becomes
 * a line of JSON on standard output just before it is kept. Nothing is changed. It runs inside OpenClaw, so that
 * everything it needs is in it.
 */
const source = `import { writeSync } from "node:fs";

function tell(line) {
  const bytes = Buffer.from(JSON.stringify(line) + "\\n");
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") return;
    }
  }
}

export default {
  id: "${streamPluginId}",
  name: "Stream",
  description: "Tells each message as it comes.",
  register(api) {
    api.on("before_message_write", ({ message, sessionKey }, context) =>
      tell({ type: "message", sessionKey: sessionKey ?? context?.sessionKey, message }),
    );
    api.on("agent_end", ({ success, error }, { sessionId, sessionKey }) =>
      tell({ type: "agent_end", sessionId, sessionKey, success, error }),
    );
  },
};
`;

/** Its files, by name, in a folder of its own. */
export const streamPluginFiles: Readonly<Record<string, string>> = {
  "index.mjs": source,
  "openclaw.plugin.json": JSON.stringify({
    id: streamPluginId,
    name: "Stream",
    description: "Tells each message as it comes.",
    activation: { onStartup: true },
    configSchema: { type: "object", additionalProperties: false },
  }),
  "package.json": JSON.stringify({
    name: streamPluginId,
    version: "1.0.0",
    type: "module",
    openclaw: { extensions: ["./index.mjs"] },
  }),
};
