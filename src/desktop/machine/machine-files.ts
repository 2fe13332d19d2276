/** An entry below a folder. */
export interface FileEntry {
  /** Relative to the folder asked for. */
  readonly path: string;
  readonly type: "file" | "folder" | "link" | "other";
  readonly bytes: number;
}

export interface SearchHit {
  /** Absolute, or as the search began it. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

export interface SearchQuery {
  /** Perl-like regular expression. */
  readonly pattern: string;
  /** Absolute; a file or a folder. */
  readonly path: string;
  /** Of file names, such as `*.csv`. */
  readonly glob?: string;
  readonly limit: number;
}

/**
 * Files of a machine as the agent may use them, with no more rights than the agent has. Paths are absolute. What cannot
 * be done rejects with an `AleError` coded `sandbox-path`.
 */
export interface MachineFiles {
  /** At most so many bytes from the start. */
  read(path: string, maxBytes: number): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }>;
  /** Replaces the file, making its folders. */
  write(path: string, content: string): Promise<void>;
  /** Sorted by path; at most `limit`. */
  list(path: string, depth: number, limit: number): Promise<readonly FileEntry[]>;
  search(query: SearchQuery): Promise<readonly SearchHit[]>;
}
