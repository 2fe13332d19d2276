import type { Screenshot } from "../sandbox/screen.ts";

/** What a desktop is made as. */
export interface DesktopOptions {
  /** Pixels; default 1280 × 800. */
  readonly width?: number;
  readonly height?: number;
  /** Dots per inch that programs are told; default 96. */
  readonly dpi?: number;
  /** The display's number; default 1. */
  readonly display?: number;
  /** Node inside the sandbox, 20 or newer (24 from a checkout); default `sandboxLayout.node`. */
  readonly node?: string;
  /**
   * Whether the way to the sandbox is so slow that pixels are better packed before they are sent. Default false: on this
   * machine packing takes longer than sending.
   */
  readonly isFar?: boolean;
  /** Lets programs tell what they show (AT-SPI), where the machine has it; default false. */
  readonly accessibility?: boolean;
  /** Told what the screen shows when the desktop does not come up. */
  readonly onFailure?: (shot: Screenshot) => void;
}

export interface ResolvedDesktopOptions {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  readonly display: number;
  readonly node: string;
  readonly isFar: boolean;
  readonly accessibility: boolean;
}
