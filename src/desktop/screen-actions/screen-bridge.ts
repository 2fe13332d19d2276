import type { Clock } from "../../contract/clock.ts";
import type { PictureSize } from "../../sandbox/frame/fitted-size.ts";
import type { Screenshot, ScreenshotOptions } from "../../sandbox/screen.ts";
import type { AccessibilityReader } from "../accessibility/read-accessibility-tree.ts";
import type { AgentTool } from "../tools/agent-tool.ts";
import type { ActionOutcome } from "./perform-action.ts";
import type { ScreenAction } from "./screen-action.ts";
import type { Coordinates, ScreenSpace } from "./screen-space.ts";

/** An action that has been taken. */
export interface ScreenActionEvent {
  /** 1-based, in the order taken. */
  readonly number: number;
  /** When it began, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly wallMs: number;
  readonly action: ScreenAction;
  /** Why it could not be taken; absent when it was. */
  readonly failure?: string;
  /** Programs with windows when it was done, each once, and the one whose window had the focus. */
  readonly programs: readonly string[];
  readonly focus?: string;
  /** Where thumbnails are asked for: just before, and when the screen had come to rest or the next action began. */
  readonly before?: Screenshot;
  readonly after?: Screenshot;
}

export interface ScreenBridgeOptions {
  readonly clock: Clock;
  /** Default `pixels`: those of the pictures the model is sent. */
  readonly coordinates?: Coordinates;
  /** Pictures for the model are scaled down to fit; default 1280 × 800. */
  readonly fit?: PictureSize;
  /** Default PNG. */
  readonly format?: ScreenshotOptions["format"];
  /** Offers the tool `accessibility_tree`, which asks this. */
  readonly accessibility?: AccessibilityReader;
  /** Told of each action, in order, when its `after` is there. */
  readonly onAction?: (event: ScreenActionEvent) => void;
  /** Takes thumbnails of this size, without making the agent wait for them. */
  readonly thumbnails?: PictureSize;
}

/** A screen as agents use it: one action at a time, each told of. Disposing waits for the last to be told. */
export interface ScreenBridge extends AsyncDisposable {
  readonly space: ScreenSpace;
  /** The same as tools, for models and MCP servers. */
  readonly tools: readonly AgentTool[];
  /** Rejects as the screen does, with the signal's reason when aborted. */
  run(action: ScreenAction, signal: AbortSignal): Promise<ActionOutcome>;
}
