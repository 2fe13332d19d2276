/** A harness program that is on this host. */
export interface InstalledHarness {
  /** As contestants name it. */
  readonly name: string;
  /** Of its main package, as pinned. */
  readonly version: string;
  /** Of the lock it was installed from: its address in the store. */
  readonly digest: string;
  /** Host folder with `node_modules`; never changed once it is there. */
  readonly dir: string;
}

/** A harness program as it is pinned. */
export interface PinnedHarness {
  readonly name: string;
  /** npm package of the program itself. */
  readonly package: string;
  readonly version: string;
  /** Absent for a declared program that was never locked on this host. */
  readonly digest?: string;
}

export interface InstallProgress {
  readonly name: string;
  readonly version: string;
  readonly state: "waiting" | "installing" | "installed";
}

/** Programs of harnesses on this host, each installed once from its lock, addressed by the lock's content. */
export interface HarnessStore {
  /** What is pinned under this name; `undefined` for a name that is not. */
  pinned(name: string): Promise<PinnedHarness | undefined>;
  /** `undefined` while it is not installed. */
  find(name: string): Promise<InstalledHarness | undefined>;
  /**
   * Installs it if it is not there; safe beside another process that does the same. Rejects with an `AleError` coded
   * `harness-install` with npm's own words, or `unknown-harness`.
   */
  install(name: string, onProgress?: (progress: InstallProgress) => void): Promise<InstalledHarness>;
  /** Everything installed, with its size in bytes. */
  list(): Promise<readonly (InstalledHarness & { readonly bytes: number })[]>;
  /**
   * Keeps these programs, those of them that are installed, from being pruned until disposed of or this process ends. A store
   * that cannot be written to is left as it is.
   */
  hold(names: Iterable<string>): Promise<AsyncDisposable>;
  /** Removes what no current pin names and no process holds. */
  prune(): Promise<PrunedHarnesses>;
}

/** A process that runs an exam with an installed program. */
export interface HarnessUser {
  readonly host: string;
  readonly pid: number;
  /** Host path of its note, which can be removed by hand when that process of another host is no more. */
  readonly note: string;
}

export interface PrunedHarnesses {
  readonly removed: readonly InstalledHarness[];
  /** No pin names them, but they are in use. */
  readonly kept: readonly (InstalledHarness & { readonly users: readonly HarnessUser[] })[];
}
