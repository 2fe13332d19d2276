import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

/** An image as a registry keeps it: documents and layers, each under the digest of its bytes. */
export interface RegistryImage {
  /** Of the manifest, or of the index where it is in one: what a name with `@` ends in. */
  readonly digest: string;
  /** Of the configuration: what a daemon calls the image's id. */
  readonly id: string;
  readonly manifests: ReadonlyMap<string, RegistryManifest>;
  readonly blobs: ReadonlyMap<string, Buffer>;
  /** Digests of the layers, the lowest first. */
  readonly layers: readonly string[];
}

export interface RegistryManifest {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export interface RegistryImageOptions {
  /** Archives (tar), the lowest first. */
  readonly layers: readonly Buffer[];
  readonly env?: readonly string[];
  /** In an index, for one architecture; `undefined`: the manifest alone. */
  readonly architectureOfIndex?: string;
}

const types = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
};

export function digestOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Makes an image after the OCI image specification 1.0. */
export function registryImage(options: RegistryImageOptions): RegistryImage {
  const blobs = new Map<string, Buffer>();
  const manifests = new Map<string, RegistryManifest>();
  const add = (mediaType: string, bytes: Buffer): Descriptor => {
    const digest = digestOf(bytes);
    blobs.set(digest, bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const layers = options.layers.map((archive) => add(types.layer, gzipSync(archive, { level: 1 })));
  const architecture = options.architectureOfIndex ?? hostArchitecture;
  const config = add(
    types.config,
    json({
      architecture,
      os: "linux",
      config: { Env: [...(options.env ?? ["PATH=/usr/bin:/bin"])] },
      rootfs: { type: "layers", diff_ids: options.layers.map(digestOf) },
    }),
  );
  const addManifest = (mediaType: string, content: object): string => {
    const bytes = json({ schemaVersion: 2, mediaType, ...content });
    manifests.set(digestOf(bytes), { mediaType, bytes });
    return digestOf(bytes);
  };
  let digest = addManifest(types.manifest, { config, layers });
  if (options.architectureOfIndex !== undefined) {
    const size = manifests.get(digest)?.bytes.length ?? 0;
    const platform = { architecture, os: "linux" };
    const entry = { mediaType: types.manifest, digest, size, platform };
    digest = addManifest(types.index, { manifests: [entry] });
  }
  return { digest, id: config.digest, manifests, blobs, layers: layers.map((layer) => layer.digest) };
}

/** As Go, and so every registry, calls it. */
export const hostArchitecture: string = process.arch === "x64" ? "amd64" : process.arch;

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
