import { join } from "node:path";

export interface SocketHints {
  /** `DOCKER_HOST`, where it is set. */
  readonly dockerHost?: string | undefined;
  /** `XDG_RUNTIME_DIR`, where it is set. */
  readonly runtimeDir?: string | undefined;
  readonly home?: string | undefined;
}

/**
 * Where a daemon may listen, first what the user says: Docker's and Podman's own sockets, this user's before the system's.
 * A `DOCKER_HOST` that is no unix socket gives none: machines are shown folders of this host, which another host has not.
 */
export function usualSockets(hints: SocketHints): readonly string[] {
  if (hints.dockerHost !== undefined && hints.dockerHost !== "") {
    return hints.dockerHost.startsWith("unix://") ? [hints.dockerHost.slice("unix://".length)] : [];
  }
  const own = hints.runtimeDir;
  return [
    ...(own === undefined ? [] : [join(own, "docker.sock"), join(own, "podman", "podman.sock")]),
    ...(hints.home === undefined ? [] : [join(hints.home, ".docker", "run", "docker.sock")]),
    "/var/run/docker.sock",
    "/run/podman/podman.sock",
  ];
}
