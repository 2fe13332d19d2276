import { existsSync } from "node:fs";
import type Docker from "dockerode";
import { AleError } from "../../contract/ale-error.ts";
import { type EngineFacts, engineFacts } from "./engine-facts.ts";

/** A daemon that answers. */
export interface Engine {
  readonly docker: Docker;
  readonly socket: string;
  readonly facts: EngineFacts;
}

/** Connects to the first of the sockets that answers. Throws an `AleError` coded `no-container-daemon`. */
export async function connectEngine(sockets: readonly string[]): Promise<Engine> {
  const { default: Engine } = await import("dockerode");
  const failures: string[] = [];
  for (const socket of sockets.filter((path) => existsSync(path))) {
    const docker = new Engine({ socketPath: socket });
    try {
      return { docker, socket, facts: await engineFacts(docker) };
    } catch (error) {
      failures.push(`${socket}: ${reason(error)}`);
    }
  }
  const denied = failures.some((failure) => failure.includes("EACCES"));
  throw new AleError({
    code: "no-container-daemon",
    message:
      failures.length > 0
        ? `no Docker or Podman daemon answers: ${failures.join("; ")}`
        : `there is no socket of Docker or Podman${sockets.length === 0 ? "" : `: ${sockets.join(", ")}`}`,
    remedy: denied
      ? "add this user to the group docker, or use rootless Podman: systemctl --user start podman.socket"
      : "start Docker, or systemctl --user start podman.socket; or name the socket in DOCKER_HOST as unix:///path",
  });
}

/** What a failed call says, without the client's own preamble. */
export function reason(error: unknown): string {
  const told = (error as { readonly json?: { readonly message?: string } }).json?.message;
  return told ?? (error as Error).message;
}

/** The status of a refused call; `undefined` for other errors. */
export function statusOf(error: unknown): number | undefined {
  return (error as { readonly statusCode?: number }).statusCode;
}
