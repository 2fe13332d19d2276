import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { processIdentitySchema, sandboxLabelsSchema } from "../label-schemas.ts";
import { isAlive, type ProcessIdentity } from "../process-identity.ts";
import type { SandboxLabels } from "../provider.ts";

/** What is kept of a sandbox on the host, in `machines/<id>/label.json`. */
export interface MachineLabel {
  readonly id: string;
  readonly labels: SandboxLabels;
  readonly owner: ProcessIdentity;
  readonly createdAt: number;
  readonly leaseUntil: number;
  /** Folder of the base tree it stands on, so that no base in use is removed. */
  readonly base: string;
  /** Processes that end the machine when killed: bubblewrap's monitor and the machine's first process. */
  readonly processes: readonly ProcessIdentity[];
  /** Control groups that hold its commands. */
  readonly cgroups: readonly string[];
}

const machineLabelSchema: z.ZodType<MachineLabel> = z.strictObject({
  id: z.string().min(1),
  labels: sandboxLabelsSchema,
  owner: processIdentitySchema,
  createdAt: z.number(),
  leaseUntil: z.number(),
  base: z.string(),
  processes: z.array(processIdentitySchema),
  cgroups: z.array(z.string()),
});

/** The folder of every machine of this provider, each labelled from its first instant. */
export class LabelStore {
  readonly folder: string;

  constructor(stateDir: string) {
    this.folder = join(stateDir, "machines");
  }

  machineFolder(id: string): string {
    return join(this.folder, id);
  }

  /** Makes the machine's folder with its label inside, in one step: no reader sees one without the other. */
  async add(label: MachineLabel): Promise<string> {
    const { pid, startTime } = label.owner;
    const draft = join(this.folder, `.new-${pid}-${startTime ?? ""}-${label.id}`);
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await writeFile(join(draft, "label.json"), JSON.stringify(label));
    await rename(draft, this.machineFolder(label.id));
    return this.machineFolder(label.id);
  }

  /** Replaces the label whole. */
  async update(label: MachineLabel): Promise<void> {
    const path = join(this.machineFolder(label.id), "label.json");
    await writeFile(`${path}.new`, JSON.stringify(label));
    await rename(`${path}.new`, path);
  }

  async read(id: string): Promise<MachineLabel | undefined> {
    let text: string;
    try {
      text = await readFile(join(this.machineFolder(id), "label.json"), "utf8");
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
    const parsed = machineLabelSchema.safeParse(parseJson(text));
    return parsed.success ? parsed.data : undefined;
  }

  async all(): Promise<readonly MachineLabel[]> {
    const ids = (await this.#entries()).filter((name) => !name.startsWith("."));
    const labels = await Promise.all(ids.sort().map((id) => this.read(id)));
    return labels.filter((label) => label !== undefined);
  }

  /** Removes drafts whose maker died before it could label them. */
  async removeDeadDrafts(): Promise<void> {
    for (const name of await this.#entries()) {
      const match = /^\.new-(\d+)-(\d*)-/.exec(name);
      if (match === null) continue;
      const [, pid, startTime] = match;
      const maker = { pid: Number(pid), ...(startTime ? { startTime } : {}) };
      if (!isAlive(maker)) await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }

  async #entries(): Promise<string[]> {
    try {
      return await readdir(this.folder);
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  }
}

/** Anything else that keeps a label from being read must be heard of: its machine would be reaped by nobody. */
function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code));
}

/** True when the label's owner still lives. */
export function ownerAlive(label: MachineLabel): boolean {
  return isAlive(label.owner);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
