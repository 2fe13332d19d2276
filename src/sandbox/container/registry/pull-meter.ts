import type { PullProgress } from "../container-options.ts";

/** A line of what a daemon tells while it fetches. */
export interface PullEvent {
  readonly id?: string;
  readonly status?: string;
  readonly error?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
}

/** Adds up layers. Unpacking, of which daemons tell in the same way, is no fetching: it would count backwards. */
export class PullMeter {
  readonly #image: string;
  readonly #onPull: (progress: PullProgress) => void;
  readonly #layers: Map<string, { readonly current: number; readonly total: number }> = new Map();

  constructor(image: string, onPull: (progress: PullProgress) => void) {
    this.#image = image;
    this.#onPull = onPull;
  }

  take({ id, status = "", progressDetail }: PullEvent): void {
    if (id === undefined) return;
    const { current, total } = progressDetail ?? {};
    const known = this.#layers.get(id);
    if (/^(Download complete|Pull complete)/.test(status) && known !== undefined) {
      if (known.current === known.total) return;
      this.#layers.set(id, { current: known.total, total: known.total });
    } else if (
      status.startsWith("Downloading") &&
      current !== undefined &&
      total !== undefined &&
      total > 0
    ) {
      this.#layers.set(id, { current: Math.min(current, total), total });
    } else return;
    const all = [...this.#layers.values()];
    this.#onPull({
      image: this.#image,
      bytes: all.reduce((sum, layer) => sum + layer.current, 0),
      totalBytes: all.reduce((sum, layer) => sum + layer.total, 0),
    });
  }
}
