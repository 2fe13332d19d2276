import type { SandboxSpec } from "../provider.ts";
import { type CreateContext, discard, makeReady, type ReadyContainer } from "./create-container.ts";

/** Started machines of the kind that was last asked for. */
export class ContainerPool implements AsyncDisposable {
  readonly #size: number;
  #kind = "";
  #context: CreateContext | undefined;
  #ready: ReadyContainer[] = [];
  #making = 0;
  #closed = false;
  readonly #work: Set<Promise<void>> = new Set();

  constructor(size: number) {
    this.#size = size;
  }

  /** A machine of this kind, when one stands ready. */
  take(context: CreateContext, spec: SandboxSpec): ReadyContainer | undefined {
    if (kindOf(context, spec) !== this.#kind) return undefined;
    for (let ready = this.#ready.pop(); ready !== undefined; ready = this.#ready.pop()) {
      if (!ready.started.link.gone) return ready;
    }
    return undefined;
  }

  /** Makes more of this kind in the background; those of another are let go. Resolves when the pool is full. */
  async refill(context: CreateContext, spec: SandboxSpec): Promise<void> {
    if (this.#size === 0 || this.#closed) return;
    const kind = kindOf(context, spec);
    if (kind !== this.#kind) {
      for (const ready of this.#ready.splice(0)) this.#track(discard(context, ready));
      this.#kind = kind;
      this.#context = context;
    }
    while (this.#ready.length + this.#making < this.#size) this.#track(this.#make(context, spec, kind));
    await Promise.all(this.#work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#work);
    const context = this.#context;
    if (context === undefined) return;
    await Promise.all(this.#ready.splice(0).map((ready) => discard(context, ready)));
  }

  async #make(context: CreateContext, spec: SandboxSpec, kind: string): Promise<void> {
    this.#making++;
    try {
      const ready = await makeReady(context, spec, undefined);
      if (kind === this.#kind && !this.#closed) this.#ready.push(ready);
      else await discard(context, ready);
    } finally {
      this.#making--;
    }
  }

  /** What cannot be made ahead will fail where it is asked for. */
  #track(work: Promise<void>): void {
    const settled = work.catch(() => undefined).then(() => void this.#work.delete(settled));
    this.#work.add(settled);
  }
}

/** All that a started container cannot change any more. Its environment is not: that comes with every command. */
function kindOf(context: CreateContext, spec: SandboxSpec): string {
  const { labels: _labels, leaseSeconds: _lease, env: _env, ...kind } = spec;
  return JSON.stringify([context.image.id, kind]);
}
