import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { challenge, isAllowed, type RegistryAuth, tokenFor } from "./registry-auth.ts";
import type { RegistryImage, RegistryManifest } from "./registry-image.ts";

/** What goes wrong with a layer: cut in its midst, other bytes than its digest says, or silence in its midst. */
export type LayerFault = "cut" | "wrong-digest" | "stall";

/** A registry on the loopback, after the OCI distribution specification 1.0 as far as reading goes. */
export interface RegistryDouble extends AsyncDisposable {
  /** Host and port: what names of its images begin with. */
  readonly address: string;
  /** Method and path of each call, in order. */
  readonly calls: readonly string[];
  auth: RegistryAuth | undefined;
  /** Calls that are refused as too many. */
  busy: boolean;
  /** By digest. */
  readonly faults: Map<string, LayerFault>;
  /** Resolves when a layer has fallen silent. */
  readonly stalled: Promise<void>;
  /** Puts the image into the repository; the tag is moved when it was another's. */
  publish(repository: string, tag: string, image: RegistryImage): void;
}

interface Repository {
  readonly tags: Map<string, string>;
  readonly manifests: Map<string, RegistryManifest>;
  readonly blobs: Map<string, Buffer>;
}

export async function startRegistry(port = 0): Promise<RegistryDouble> {
  const repositories = new Map<string, Repository>();
  const calls: string[] = [];
  let tellStalled = (): void => undefined;
  const double = {
    address: "",
    calls,
    auth: undefined as RegistryAuth | undefined,
    busy: false,
    faults: new Map<string, LayerFault>(),
    stalled: new Promise<void>((resolve) => {
      tellStalled = resolve;
    }),
    publish(name: string, tag: string, image: RegistryImage): void {
      const repository = repositories.get(name) ?? {
        tags: new Map(),
        manifests: new Map(),
        blobs: new Map(),
      };
      repositories.set(name, repository);
      repository.tags.set(tag, image.digest);
      for (const [digest, manifest] of image.manifests) repository.manifests.set(digest, manifest);
      for (const [digest, bytes] of image.blobs) repository.blobs.set(digest, bytes);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, "close").catch(() => undefined);
    },
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://double").pathname;
    calls.push(`${request.method} ${path}`);
    if (double.busy) return refuse(response, 429, "TOOMANYREQUESTS", "too many requests");
    if (path === "/token") {
      const body = tokenFor(request, double.auth);
      return body === undefined
        ? refuse(response, 401, "UNAUTHORIZED", "unknown user")
        : tell(response, body);
    }
    const [, name = "", kind = "", reference = ""] =
      /^\/v2\/(?:(.+)\/(manifests|blobs|tags)\/([^/]+))?$/.exec(path) ?? [];
    if (!isAllowed(request, double.auth) && double.auth !== undefined) {
      const header = challenge(double.auth, `http://${double.address}`, name);
      response.setHeader("www-authenticate", header);
      return refuse(response, 401, "UNAUTHORIZED", "authentication required");
    }
    if (path === "/v2/") return tell(response, {});
    const repository = repositories.get(name);
    if (repository === undefined) return refuse(response, 404, "NAME_UNKNOWN", "repository name not known");
    if (kind === "tags") return tell(response, { name, tags: [...repository.tags.keys()] });
    if (kind === "manifests") return tellManifest(request, response, repository, reference);
    const blob = repository.blobs.get(reference);
    if (blob === undefined) return refuse(response, 404, "BLOB_UNKNOWN", "blob unknown to registry");
    if (double.faults.get(reference) === "stall") tellStalled();
    tellBlob(request, response, reference, blob, double.faults.get(reference));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  double.address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return double;
}

function tellManifest(
  request: IncomingMessage,
  response: ServerResponse,
  { tags, manifests }: Repository,
  reference: string,
): void {
  const digest = tags.get(reference) ?? reference;
  const manifest = manifests.get(digest);
  if (manifest === undefined) {
    refuse(response, 404, "MANIFEST_UNKNOWN", "manifest unknown");
    return;
  }
  response.writeHead(200, {
    "content-type": manifest.mediaType,
    "content-length": manifest.bytes.length,
    "docker-content-digest": digest,
  });
  response.end(request.method === "HEAD" ? undefined : manifest.bytes);
}

function tellBlob(
  request: IncomingMessage,
  response: ServerResponse,
  digest: string,
  blob: Buffer,
  fault: LayerFault | undefined,
): void {
  const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
  const bytes = (fault === "wrong-digest" ? Buffer.alloc(blob.length, 7) : blob).subarray(from);
  response.writeHead(from > 0 ? 206 : 200, {
    "content-type": "application/octet-stream",
    "content-length": bytes.length,
    "accept-ranges": "bytes",
    "docker-content-digest": digest,
    ...(from > 0 ? { "content-range": `bytes ${from}-${blob.length - 1}/${blob.length}` } : {}),
  });
  if (request.method === "HEAD") response.end();
  else if (fault === "cut" || fault === "stall") {
    response.write(bytes.subarray(0, bytes.length / 2), () => {
      if (fault === "cut") response.destroy();
    });
  } else response.end(bytes);
}

function tell(response: ServerResponse, body: object): void {
  response.setHeader("docker-distribution-api-version", "registry/2.0");
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ errors: [{ code, message, detail: null }] }));
}
