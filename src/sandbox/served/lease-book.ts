import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { processIdentitySchema, sandboxLabelsSchema } from "../label-schemas.ts";
import { isAlive, type ProcessIdentity } from "../process-identity.ts";
import type { ReapOptions, SandboxLabels, SandboxListing } from "../provider.ts";

/** What is kept of a leased or started machine on the host, so that `list` and `reap` work after any death. */
export interface Lease {
  readonly id: string;
  readonly labels: SandboxLabels;
  readonly owner: ProcessIdentity;
  readonly createdAt: number;
  readonly leaseUntil: number;
  /** Name of the attached machine, or of the virtual machine's image. */
  readonly machine: string;
  /** Processes of the host that go with it. */
  readonly processes: readonly ProcessIdentity[];
}

const leaseSchema: z.ZodType<Lease> = z.strictObject({
  id: z.string().min(1),
  labels: sandboxLabelsSchema,
  owner: processIdentitySchema,
  createdAt: z.number(),
  leaseUntil: z.number(),
  machine: z.string(),
  processes: z.array(processIdentitySchema),
});

/** One folder per lease, `lease.json` inside: whatever else belongs to the machine on the host lies beside it. */
export class LeaseBook {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  folderOf(id: string): string {
    return join(this.#folder, id);
  }

  /** Writes the lease, whole or not at all; makes its folder when it has none. */
  async write(lease: Lease): Promise<void> {
    const folder = this.folderOf(lease.id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, "lease.json");
    await writeFile(`${path}.new`, JSON.stringify(lease), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  async remove(id: string): Promise<void> {
    await rm(this.folderOf(id), { recursive: true, force: true });
  }

  /** Every lease, oldest first. A folder without one is being made or removed. */
  async all(): Promise<readonly Lease[]> {
    const ids = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    const leases = await Promise.all(ids.sort().map((id) => this.#read(id)));
    return leases.filter((lease) => lease !== undefined).sort((a, b) => a.createdAt - b.createdAt);
  }

  /** Those whose owner is dead or whose time is over at `now`, or all of them by force. */
  async over({ run, force }: ReapOptions, now: number): Promise<readonly Lease[]> {
    return (await this.all()).filter((lease) => {
      if (run !== undefined && lease.labels.run !== run) return false;
      return force === true || !isAlive(lease.owner) || lease.leaseUntil <= now;
    });
  }

  async #read(id: string): Promise<Lease | undefined> {
    try {
      const text = await readFile(join(this.folderOf(id), "lease.json"), "utf8");
      return leaseSchema.safeParse(JSON.parse(text)).data;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError)
        return undefined;
      throw error;
    }
  }
}

export function listingOf(lease: Lease, provider: string): SandboxListing {
  const { id, labels, createdAt, leaseUntil, owner } = lease;
  return { id, provider, labels, createdAt, leaseUntil, ownerAlive: isAlive(owner) };
}
