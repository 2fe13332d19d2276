import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { type Engine, reason, statusOf } from "./engine.ts";
import { StewardLink } from "./steward-link.ts";

/** A container that runs, with its first process at the other end of the link. */
export interface StartedContainer {
  readonly containerId: string;
  readonly link: StewardLink;
  /** Kernel, architecture and name of its system. */
  readonly system: readonly string[];
}

/** Creates, joins and starts a container. Rejects with what the daemon said, and leaves nothing behind. */
export async function startContainer(
  engine: Engine,
  config: Docker.ContainerCreateOptions,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<StartedContainer> {
  signal?.throwIfAborted();
  const container = await engine.docker.createContainer(config);
  let link: StewardLink | undefined;
  const abort = (): void => link?.close();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    signal?.throwIfAborted();
    const stream = await container.attach({
      stream: true,
      stdin: true,
      stdout: true,
      stderr: true,
      hijack: true,
    });
    link = new StewardLink(stream as Duplex);
    signal?.throwIfAborted();
    await container.start();
    signal?.throwIfAborted();
    return { containerId: container.id, link, system: await link.begun };
  } catch (error) {
    link?.close();
    await removeContainer(engine, container.id, clock);
    signal?.throwIfAborted();
    throw explain(error);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** Ends and removes a container and its own volumes; absent is fine. Resolves when it is gone. */
export async function removeContainer(engine: Engine, containerId: string, clock: Clock): Promise<void> {
  const container = engine.docker.getContainer(containerId);
  for (let round = 0; round < 3000; round++) {
    try {
      await container.remove({ force: true, v: true });
      return;
    } catch (error) {
      // Another removal is under way: its own, when it has ended by itself.
      if (statusOf(error) === 404) return;
      if (!isUnderWay(error)) throw error;
    }
    await clock.sleep(10);
  }
  throw new AleError({
    code: "sandbox-stuck",
    message: `The daemon does not let go of container ${containerId}.`,
    remedy: `docker rm --force ${containerId}`,
  });
}

/** Docker says so by the status; Podman trips over a container that is just ending. */
function isUnderWay(error: unknown): boolean {
  return statusOf(error) === 409 || /state improper|could not be stopped|being removed/.test(reason(error));
}

/** Why a start fails in words that help, where the daemon's own do not. */
function explain(error: unknown): unknown {
  const told = reason(error);
  const say = (message: string, remedy: string): AleError =>
    new AleError({ code: "sandbox-create", message, remedy, cause: error });
  if (/\/usr\/bin\/(perl|env)|\/run\/ale/.test(told) && /no such file|not found/i.test(told)) {
    return say(
      `The image has no Perl, which a machine's first process needs: ${told}`,
      "Add the package perl-base (Debian) or perl to the image.",
    );
  }
  if (/could not select device driver|unresolvable CDI devices/i.test(told)) {
    return say(
      `The daemon has no such graphics processor: ${told}`,
      "Install the NVIDIA Container Toolkit and restart the daemon.",
    );
  }
  if (/no space left/i.test(told)) {
    return say(`The daemon's disk is full: ${told}`, "docker system prune, or ale sandboxes prune");
  }
  return error;
}
