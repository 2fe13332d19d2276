import type { ScreenActionLine } from "../../contract/screen-action-line.ts";
import type { ScreenActionEvent } from "../screen-actions/screen-bridge.ts";

const longestTextKept = 10_000;

/** An action that was taken as plain data, thumbnails left out. A long text keeps its beginning and says how long it was. */
export function actionData(event: ScreenActionEvent): Omit<ScreenActionLine, "before" | "after"> {
  const { number, at, wallMs, action, failure, programs, focus } = event;
  const plain = JSON.parse(JSON.stringify(action)) as ScreenActionLine["action"];
  const { text } = plain as { readonly text?: string };
  const shortened =
    text === undefined || text.length <= longestTextKept
      ? plain
      : { ...plain, text: text.slice(0, longestTextKept), textLength: text.length };
  return {
    number,
    at,
    wallMs,
    action: shortened,
    programs,
    ...(failure === undefined ? {} : { failure }),
    ...(focus === undefined ? {} : { focus }),
  };
}
