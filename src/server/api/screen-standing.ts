/** Whether the screen of an attempt can be seen now, and why not. */
export type ScreenStanding = {
  /** The server's clock, in milliseconds since the Unix epoch. */
  readonly now: number;
} & (
  | { readonly state: "shown"; readonly width: number; readonly height: number }
  /** The task is not done at a screen. */
  | { readonly state: "none" }
  /** There is one while the agent works: not yet, or not any more. */
  | { readonly state: "away" }
  /** Conducted on another machine, whose screens are seen there. */
  | { readonly state: "elsewhere"; readonly host: string }
  | { readonly state: "ended" }
  /** No process conducts the run any more, and the attempt has no end. */
  | { readonly state: "lost" }
);
