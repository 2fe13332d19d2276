import type { DownloadSource, SourceStats } from "../files/download-source.ts";
import type { StewardLink } from "./steward-link.ts";

/** What the steward tells of a path it holds open. */
export interface HandleFacts extends SourceStats {
  readonly uid: number;
  /** Seconds since the Unix epoch. */
  readonly modified: number;
}

/** Something in a container, held open inside: no name is looked up again. */
export class StewardHandle implements AsyncDisposable {
  readonly facts: HandleFacts;
  readonly #link: StewardLink;
  readonly #number: number;

  private constructor(link: StewardLink, answer: readonly Buffer[]) {
    this.#link = link;
    this.#number = Number(answer[0]);
    this.facts = factsOf(answer.slice(1));
  }

  /** `undefined` when absent. @param follow whether a final link is followed. */
  static async open(link: StewardLink, path: string, follow: boolean): Promise<StewardHandle | undefined> {
    const answer = await link.ask("F", ["open", path, follow ? 1 : 0]);
    return answer.length === 0 ? undefined : new StewardHandle(link, answer);
  }

  async child(name: Buffer): Promise<StewardHandle | undefined> {
    const answer = await this.#link.ask("F", ["child", this.#number, name]);
    return answer.length === 0 ? undefined : new StewardHandle(this.#link, answer);
  }

  names(): Promise<readonly Buffer[]> {
    return this.#link.ask("F", ["names", this.#number]);
  }

  async read(position: number, length: number): Promise<Buffer> {
    const [bytes = Buffer.alloc(0)] = await this.#link.ask("F", ["read", this.#number, position, length]);
    return bytes;
  }

  async factsNow(): Promise<HandleFacts> {
    return factsOf(await this.#link.ask("F", ["facts", this.#number]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#link.gone) await this.#link.ask("F", ["close", this.#number]);
  }
}

/** The handle as what is copied out; it is closed with that. */
export function openSource(handle: StewardHandle): DownloadSource {
  return {
    stats: handle.facts,
    names: () => handle.names(),
    async child(name) {
      const child = await handle.child(name);
      return child === undefined ? undefined : openSource(child);
    },
    async open() {
      // Fails here when it cannot be read at all.
      await handle.read(0, 0);
      return {
        read: (position, length) => handle.read(position, length),
        version: async () => (await handle.factsNow()).version,
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
    [Symbol.asyncDispose]: () => handle[Symbol.asyncDispose](),
  };
}

function factsOf(answer: readonly Buffer[]): HandleFacts {
  const [kind = "", bytes, stored, mode, uid, modified, version = ""] = answer.map(String);
  return {
    kind: kind === "file" || kind === "folder" || kind === "link" ? kind : "other",
    bytes: Number(bytes),
    storedBytes: Number(stored),
    mode: Number(mode),
    uid: Number(uid),
    modified: Number(modified),
    version,
  };
}
