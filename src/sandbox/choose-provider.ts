import { AleError } from "../contract/ale-error.ts";
import type { Finding } from "../contract/finding.ts";
import type { ReapOptions, SandboxListing, SandboxProvider, SandboxSpec } from "./provider.ts";
import type { Sandbox } from "./sandbox.ts";

/** Which provider makes a machine, and why. */
export interface ProviderChoice {
  readonly provider: SandboxProvider;
  /** In a few words, to follow the provider's name: `the task asks for Windows`. */
  readonly reason: string;
}

export interface ChoosingProviderOptions {
  /** By name, the preferred first. */
  readonly providers: ReadonlyMap<string, SandboxProvider>;
  /** Told each choice once, with its reason. */
  readonly onChoice?: (choice: ProviderChoice) => void;
}

/** What each need can be met by; no other provider is taken instead, however well it works. */
const able = {
  windows: ["vm"],
  gpu: ["container", "vm"],
  image: ["container", "vm"],
} as const;

/**
 * A provider that leaves every machine to one of others, by what the machine is to be and what works here. A need is met
 * in full or not at all: a task that names an image, a graphics processor or Windows never gets a machine without.
 */
export function createChoosingProvider(options: ChoosingProviderOptions): SandboxProvider {
  return new ChoosingProvider(options);
}

class ChoosingProvider implements SandboxProvider {
  readonly name = "auto";
  readonly #options: ChoosingProviderOptions;
  readonly #working: Map<string, Promise<boolean>> = new Map();
  /** By kind of machine; who makes one goes on making them, so that an exam's machines are alike. */
  readonly #makers: Map<string, Promise<SandboxProvider | undefined>> = new Map();
  readonly #told: Set<string> = new Set();

  constructor(options: ChoosingProviderOptions) {
    this.#options = options;
  }

  async preflight(spec?: SandboxSpec): Promise<readonly Finding[]> {
    if (spec === undefined) return this.#general();
    const choice = await this.#choose(spec);
    return choice.provider.preflight(spec);
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const { provider } = await this.#choose(spec);
    return provider.create(spec, signal);
  }

  async chosenFor(spec: SandboxSpec): Promise<string> {
    return (await this.#choose(spec)).provider.name;
  }

  async list(): Promise<readonly SandboxListing[]> {
    const lists = [];
    for (const provider of this.#options.providers.values()) lists.push(await provider.list());
    return lists.flat();
  }

  async reap(options: ReapOptions = {}): Promise<readonly SandboxListing[]> {
    const lists = [];
    for (const provider of this.#options.providers.values()) lists.push(await provider.reap(options));
    return lists.flat();
  }

  /** Of this host in general only what keeps every provider from working; the rest is said of the machines asked for. */
  async #general(): Promise<readonly Finding[]> {
    const findings: Finding[] = [];
    for (const provider of this.#options.providers.values()) {
      const found = await provider.preflight();
      if (found.every((finding) => finding.severity !== "error")) return [];
      findings.push(...found);
    }
    return findings;
  }

  async #choose(spec: SandboxSpec): Promise<ProviderChoice> {
    const choice = await this.#match(spec);
    const line = `${choice.provider.name}: ${choice.reason}`;
    if (!this.#told.has(line)) {
      this.#told.add(line);
      this.#options.onChoice?.(choice);
    }
    return choice;
  }

  async #match(spec: SandboxSpec): Promise<ProviderChoice> {
    if (spec.os === "windows") return this.#among(able.windows, "a task asks for Windows", spec);
    if ((spec.gpus ?? 0) > 0) return this.#among(able.gpu, "a task asks for a graphics processor", spec);
    if (spec.image !== undefined)
      return this.#among(able.image, `a task asks for the image ${spec.image}`, spec);
    const names = [...this.#options.providers.keys()];
    for (const [index, name] of names.entries()) {
      if (!(await this.#works(name))) continue;
      const passed = names.slice(0, index);
      const reason = passed.length === 0 ? "it works here" : `${passed.join(" and ")} cannot be had here`;
      return { provider: this.#provider(name), reason };
    }
    return { provider: this.#provider(names[0] ?? ""), reason: "nothing works here" };
  }

  /** The first that can make such a machine, or else the first there is: its findings say what is missing. */
  async #among(names: readonly string[], reason: string, spec: SandboxSpec): Promise<ProviderChoice> {
    const present = names.filter((name) => this.#options.providers.has(name));
    const provider = (await this.#makerOf(present, spec)) ?? this.#options.providers.get(present[0] ?? "");
    if (provider !== undefined) return { provider, reason };
    throw new AleError({
      code: "sandbox-create",
      message: `${reason}, and only ${names.join(" or ")} gives that`,
      remedy: "leave the task out with --exclude",
    });
  }

  /** Asked once for each kind of machine. That nobody can is asked anew: an image may have been built meanwhile. */
  #makerOf(names: readonly string[], spec: SandboxSpec): Promise<SandboxProvider | undefined> {
    const { os, gpus, image, cpus, memoryMb, diskMb, network, labels } = spec;
    const kind = JSON.stringify([names, os, gpus, image, cpus, memoryMb, diskMb, network, labels.role]);
    const known = this.#makers.get(kind);
    if (known !== undefined) return known;
    // A path that is to be shown on one of them says nothing of the others.
    const maker = this.#firstAble(names, { ...spec, mounts: [] });
    this.#makers.set(kind, maker);
    const forget = (): void => void this.#makers.delete(kind);
    maker.then((found) => found ?? forget(), forget);
    return maker;
  }

  async #firstAble(names: readonly string[], spec: SandboxSpec): Promise<SandboxProvider | undefined> {
    for (const name of names) {
      const provider = this.#provider(name);
      const findings = await provider.preflight(spec);
      if (findings.every((finding) => finding.severity !== "error")) return provider;
    }
    return undefined;
  }

  #works(name: string): Promise<boolean> {
    let works = this.#working.get(name);
    if (works === undefined) {
      works = this.#provider(name)
        .preflight()
        .then((findings) => findings.every((finding) => finding.severity !== "error"));
      this.#working.set(name, works);
    }
    return works;
  }

  #provider(name: string): SandboxProvider {
    const provider = this.#options.providers.get(name);
    if (provider !== undefined) return provider;
    throw new AleError({ code: "unknown-provider", message: `there is no sandbox provider called ${name}` });
  }
}
