import { join } from "node:path";

export interface CredentialHints {
  /** `DOCKER_CONFIG`, where it is set: a folder. */
  readonly dockerConfig?: string | undefined;
  /** `REGISTRY_AUTH_FILE`, where it is set. */
  readonly authFile?: string | undefined;
  /** `XDG_RUNTIME_DIR` and `XDG_CONFIG_HOME`, where they are set. */
  readonly runtimeDir?: string | undefined;
  readonly configHome?: string | undefined;
  readonly home: string;
}

/**
 * Where `docker login` and `podman login` keep what one logs in with, in the order in which they are asked; see
 * docker-login(1) and containers-auth.json(5).
 */
export function credentialFiles(hints: CredentialHints): readonly string[] {
  const { dockerConfig, authFile, runtimeDir, configHome = join(hints.home, ".config"), home } = hints;
  return [
    ...(authFile === undefined ? [] : [authFile]),
    join(dockerConfig ?? join(home, ".docker"), "config.json"),
    ...(runtimeDir === undefined ? [] : [join(runtimeDir, "containers", "auth.json")]),
    join(configHome, "containers", "auth.json"),
  ];
}
