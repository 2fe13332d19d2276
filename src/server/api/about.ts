/** What the pages need to know of the server, or of the exported folder, they came from. */
export interface About {
  readonly version: string;
  /** Evidence of checks, graders' logs and private tasks are shown, and failures may be labelled. */
  readonly maintainer: boolean;
  /** `exported`: a folder or file on disk, where nothing changes and only what was written is there. */
  readonly mode: "served" | "exported";
  /** When an export was made, in milliseconds since the Unix epoch. */
  readonly exportedAt?: number;
  /** Whether a published board was imported. */
  readonly reported: boolean;
}
