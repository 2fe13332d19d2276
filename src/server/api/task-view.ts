import type { TaskManifest } from "../../contract/task-manifest.ts";

/** A workflow in the gallery. */
export interface TaskSummary {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly domain: string;
  readonly subfield: string;
  readonly subfieldName: string;
  readonly tier: TaskManifest["tier"];
  readonly os: string;
  readonly channels: readonly string[];
  readonly software: readonly string[];
  readonly minutes: number;
  readonly instances: number;
  readonly pool: TaskManifest["pool"];
}

export interface TaskList {
  readonly tasks: readonly TaskSummary[];
  /** Private workflows that only maintainers see. */
  readonly hidden: number;
}

/** One workflow: its manifest without what only maintainers need, and its instances as agents get them. */
export interface TaskCard {
  readonly summary: TaskSummary;
  readonly manifest: Omit<TaskManifest, "canary" | "instances">;
  readonly contentHash: string;
  readonly instances: readonly {
    readonly id: string;
    /** Only for maintainers: an instance is made from it, and it may tell the answer. */
    readonly seed?: number;
    /** Only for maintainers, for the same reason. */
    readonly params?: TaskManifest["instances"][number]["params"];
    /** Absent where it cannot be read. */
    readonly instruction?: string;
  }[];
}
