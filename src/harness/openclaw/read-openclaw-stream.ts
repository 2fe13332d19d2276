import { fieldAt, numberAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { readPiMessage } from "../pi/read-pi-message.ts";
import { contentParts } from "../trajectory/content-parts.ts";
import { createStreamReader } from "../trajectory/create-stream-reader.ts";
import type { StreamEvent } from "../trajectory/stream-event.ts";
import type { StreamReader } from "../trajectory/stream-reader.ts";
import { noteSession, type StreamState } from "../trajectory/stream-state.ts";

/**
 * What our plugin in OpenClaw tells: its messages as it keeps them, in pi's form, since it is built on pi. After the end
 * of the turn OpenClaw prints the answer once more, over many lines of JSON, which are left to the log.
 */
export function readOpenclawStream(): StreamReader {
  let messages = 0;
  let session: string | undefined;
  let ended = false;

  function takeMessage(event: JsonValue, state: StreamState): readonly StreamEvent[] {
    const message = fieldAt(event, "message");
    const key = textAt(event, "sessionKey");
    session ??= key;
    const role = textAt(message, "role");
    if (role === "assistant") {
      messages += 1;
      const ending = state.ending;
      const told = readPiMessage(message, `message ${messages}`, state, "reasoningTokens");
      if (key === session) return told;
      // A sub-agent's: what it used counts, its end is not the agent's.
      if (ending === undefined) delete state.ending;
      else state.ending = ending;
      return [{ kind: "other", event }];
    }
    if (key !== session) return [{ kind: "other", event }];
    const content = contentParts(fieldAt(message, "content"));
    const call = textAt(message, "toolCallId");
    if (role === "user") return [{ kind: "message", source: "user", content }];
    if (role !== "toolResult" || call === undefined) return [{ kind: "other", event }];
    const exitCode = numberAt(message, "details", "exitCode");
    const failed = fieldAt(message, "isError") === true;
    return [{ kind: "result", call, content, failed, ...(exitCode === undefined ? {} : { exitCode }) }];
  }

  function take(event: JsonValue, state: StreamState): readonly StreamEvent[] {
    const type = textAt(event, "type");
    if (type === "message") return takeMessage(event, state);
    if (type === "agent_end") {
      ended = true;
      noteSession(state, textAt(event, "sessionId"));
    }
    return [{ kind: "other", event }];
  }

  return createStreamReader({ take, skips: (line) => ended && !line.startsWith('{"type":') });
}
