export interface ScreenFrame {
  /** A JPEG of the whole screen. */
  readonly bytes: Uint8Array;
  /** Equal for frames between which nothing changed. */
  readonly revision: string;
}

/** A screen to be looked at, not to be used. Sizes in pixels. */
export interface ScreenView {
  readonly width: number;
  readonly height: number;
  /**
   * The first frame that is not `after`; `undefined` when nothing has changed for some seconds, or the signal is aborted.
   * Rejects with an `AleError` coded `screen-gone` when the screen is lost.
   */
  frame(after: string | undefined, signal: AbortSignal): Promise<ScreenFrame | undefined>;
}
