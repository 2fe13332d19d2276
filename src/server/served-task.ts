import type { TaskManifest } from "../contract/task-manifest.ts";

/** A workflow as the server needs it: what the reader of task packages gives. */
export interface ServedTask {
  readonly manifest: TaskManifest;
  readonly contentHash: string;
  readonly instances: readonly {
    readonly id: string;
    readonly seed: number;
    readonly params: TaskManifest["instances"][number]["params"];
  }[];
  /** The instruction as the agent gets it; rejects where the package cannot be read. */
  instruction(instanceId: string): Promise<string>;
}

/** The taxonomy as in `data/taxonomy.json`. */
export interface ServedTaxonomy {
  readonly domains: readonly {
    readonly id: string;
    readonly code: string;
    readonly name: string;
    readonly instances: number;
    readonly subfields: readonly { readonly id: string; readonly name: string; readonly instances: number }[];
  }[];
}
