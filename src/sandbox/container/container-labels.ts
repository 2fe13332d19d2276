import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { processIdentitySchema, sandboxLabelsSchema } from "../label-schemas.ts";
import { isAlive, type ProcessIdentity } from "../process-identity.ts";
import type { SandboxLabels, SandboxListing } from "../provider.ts";

/** Whose a container is. The daemon keeps it as labels, which never change; this host keeps what does. */
export interface ContainerLabel {
  readonly id: string;
  readonly labels: SandboxLabels;
  readonly owner: ProcessIdentity;
  /** The host that the owner runs on: elsewhere its number means nothing. */
  readonly host: string;
  readonly createdAt: number;
  readonly leaseUntil: number;
}

const containerLabelSchema: z.ZodType<ContainerLabel> = z.strictObject({
  id: z.string().min(1),
  labels: sandboxLabelsSchema,
  owner: processIdentitySchema,
  host: z.string(),
  createdAt: z.number(),
  leaseUntil: z.number(),
});

/** Marks a container as one of ours, whoever made it; its value is the {@link ContainerLabel} it began with. */
export const labelKey = "ale.sandbox";

/** For people who look with the daemon's own tools. */
export function readableLabels(label: ContainerLabel): Readonly<Record<string, string>> {
  const { run, trial, attempt, role } = label.labels;
  return {
    [labelKey]: JSON.stringify(label),
    "ale.run": run,
    "ale.trial": trial,
    "ale.attempt": String(attempt),
    "ale.role": role,
  };
}

/** Leases and labels as they are now: a machine made ahead learns late whose it is. */
export class ContainerLabels {
  readonly #folder: string;

  constructor(stateDir: string) {
    this.#folder = join(stateDir, "containers");
  }

  async write(label: ContainerLabel): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#path(label.id);
    await writeFile(`${path}.new`, JSON.stringify(label));
    await rename(`${path}.new`, path);
  }

  async remove(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
  }

  /** What is kept here, or else what the container began with; `undefined` for a label that cannot be read. */
  async read(daemonLabel: string): Promise<ContainerLabel | undefined> {
    const begun = parse(daemonLabel);
    if (begun === undefined) return undefined;
    const text = await readFile(this.#path(begun.id), "utf8").catch(() => "");
    return parse(text) ?? begun;
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

/** @param host this host's name: of an owner elsewhere only the lease tells. */
export function listingOf(label: ContainerLabel, host: string): SandboxListing {
  const { id, labels, createdAt, leaseUntil } = label;
  const ownerAlive = label.host !== host || isAlive(label.owner);
  return { id, provider: "container", labels, createdAt, leaseUntil, ownerAlive };
}

function parse(text: string): ContainerLabel | undefined {
  try {
    const parsed = containerLabelSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
