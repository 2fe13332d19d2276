/** What is known of something in a sandbox before it is copied out; links are not followed. */
export interface SourceStats {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly bytes: number;
  /** Bytes that take room; fewer than `bytes` where there are holes. */
  readonly storedBytes: number;
  readonly mode: number;
  /** Another one after every change of the file's content. */
  readonly version: string;
}

/**
 * A handle on something in a tree whose inhabitants may be hostile: it stays the same thing wherever it is moved, and
 * no name is looked up again.
 */
export interface DownloadSource extends AsyncDisposable {
  readonly stats: SourceStats;
  /** Names in this folder, as bytes: they need not be UTF-8. */
  names(): Promise<readonly Buffer[]>;
  /** Something directly in this folder; `undefined` when it is gone. */
  child(name: Buffer): Promise<DownloadSource | undefined>;
  /** This regular file, open. Rejects when it cannot be read. */
  open(): Promise<SourceFile>;
}

export interface SourceFile extends AsyncDisposable {
  /** At most `length` bytes from the position; none at the end. */
  read(position: number, length: number): Promise<Buffer>;
  /** {@link SourceStats.version}, now. */
  version(): Promise<string>;
}
