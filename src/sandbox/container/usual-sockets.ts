import { join } from "node:path";

export interface SocketHints {
  /** `DOCKER_HOST`, where it is set. */
  readonly dockerHost?: string | undefined;
  /** `CONTAINER_HOST`, where it is set: Podman's. */
  readonly containerHost?: string | undefined;
  /** Host of the context that `docker` uses; see `dockerContextHost`. */
  readonly contextHost?: string | undefined;
  /** `XDG_RUNTIME_DIR`, or where the system puts it. */
  readonly runtimeDir?: string | undefined;
  readonly home?: string | undefined;
}

/**
 * Where a daemon may listen, first what the user says: Docker's and Podman's own sockets, this user's before the system's.
 * A `DOCKER_HOST` that is no unix socket gives none: machines are shown folders of this host, which another host has not. For
 * the same reason contexts of other hosts, which `docker` is switched between, are passed over.
 */
export function usualSockets(hints: SocketHints): readonly string[] {
  if (hints.dockerHost !== undefined && hints.dockerHost !== "") return socketOf(hints.dockerHost);
  const own = hints.runtimeDir;
  const sockets = [
    ...socketOf(hints.containerHost),
    ...socketOf(hints.contextHost),
    ...(own === undefined ? [] : [join(own, "docker.sock"), join(own, "podman", "podman.sock")]),
    ...(hints.home === undefined ? [] : [join(hints.home, ".docker", "run", "docker.sock")]),
    "/var/run/docker.sock",
    "/run/podman/podman.sock",
  ];
  return [...new Set(sockets)];
}

function socketOf(host = ""): readonly string[] {
  return host.startsWith("unix://") ? [host.slice("unix://".length)] : [];
}
