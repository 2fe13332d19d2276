/** The parts of an image's name in a registry. */
export interface ImageReference {
  /** Host, with its port where one is named; `docker.io` for names without. */
  readonly registry: string;
  readonly repository: string;
  /** Without tag and digest, as it was written. */
  readonly name: string;
  /** Tag, or digest where there is one; `latest` where neither is named: a daemon asked for none fetches every tag. */
  readonly version: string;
  /** The name means the same bytes for ever. */
  readonly pinned: boolean;
}

/** Registry of names that name none, as daemons call it. */
export const hubRegistry = "docker.io";

/** Takes `python`, `ghcr.io/x/y:1`, `localhost:5000/x@sha256:…` apart, by Docker's rules: before the first slash is a host when it has a dot or a port. */
export function imageReference(image: string): ImageReference {
  const at = image.indexOf("@");
  const untilDigest = at < 0 ? image : image.slice(0, at);
  const [, name = untilDigest, tag] = /^(.*?)(?::([^:/]+))?$/.exec(untilDigest) ?? [];
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(slash, 0));
  const hasHost = /[.:]/.test(first) || first === "localhost";
  const path = hasHost ? name.slice(slash + 1) : name;
  const registry = hasHost ? first : hubRegistry;
  return {
    registry: registry === "index.docker.io" ? hubRegistry : registry,
    repository: registry === hubRegistry && !path.includes("/") ? `library/${path}` : path,
    name,
    version: at < 0 ? (tag ?? "latest") : image.slice(at + 1),
    pinned: at >= 0,
  };
}
