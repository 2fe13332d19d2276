import { expect, test } from "vitest";
import { AleError } from "../../../contract/ale-error.ts";
import type { Engine } from "../engine.ts";
import { imageReference } from "./image-reference.ts";
import { pullFailure } from "./pull-failure.ts";

const podman = { facts: { name: "podman" } } as Engine;
const image = "reg.test:5000/team/x:1";
const failure = (told: string, problem?: AleError): AleError =>
  pullFailure(podman, image, imageReference(image), told, problem);

/** As Docker 20.10, Podman 4.3 and Docker's own registry put it. */
const words: Readonly<Record<string, readonly string[]>> = {
  "no-image": [
    "manifest for reg.test:5000/team/x:1 not found: manifest unknown: manifest unknown",
    "name unknown: repository name not known",
    "reading manifest 2 in x: manifest unknown",
  ],
  "image-denied": [
    'Head "http://127.0.0.1:5000/v2/team/x/manifests/1": no basic auth credentials',
    "pull access denied for x, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    "unable to retrieve auth token: invalid username/password: unauthorized: unknown user",
  ],
  "registry-unreachable": [
    'Get "http://127.0.0.1:9/v2/": dial tcp 127.0.0.1:9: connect: connection refused',
    'Get "https://reg.test/v2/": dial tcp: lookup reg.test: no such host',
    'Get "https://reg.test/v2/": x509: certificate signed by unknown authority',
    'Get "https://reg.test/v2/": context deadline exceeded',
  ],
  "registry-busy": [
    "toomanyrequests: You have reached your pull rate limit.",
    "too many requests to registry",
  ],
  "image-broken": [
    "filesystem layer verification failed for digest sha256:00",
    "unexpected EOF",
    "happened during read: Digest did not match, expected sha256:00, got sha256:01",
  ],
  "image-of-other-machine": [
    "no matching manifest for linux/amd64 in the manifest list entries",
    'no image found in image index for architecture amd64, variant "", OS linux',
  ],
  "disk-full": [
    "failed to register layer: Error processing tar file(exit status 1): write /a: no space left on device",
    "unexpected EOF: no space left on device",
  ],
  "image-pull": ["the daemon has the hiccups"],
};

for (const [code, told] of Object.entries(words)) {
  test(`${code} is known by what daemons say`, () => {
    for (const text of told) {
      const error = failure(text);
      expect(error).toMatchObject({ code, fields: { image } });
      expect(error.message).toContain(text);
      expect(error.remedy).toBeDefined();
    }
  });
}

test("the daemon's own permissions are no matter of logins", () => {
  expect(failure("mkdir /var/lib/docker/tmp: permission denied").code).toBe("image-pull");
});

test("of Podman's words those are told that say why, not which steps led there", () => {
  const why = 'Get "http://reg.test:5000/v2/": dial tcp 127.0.0.1:5000: connect: connection refused';
  const told = `initializing source docker://${image}: pinging container registry reg.test:5000: ${why}`;
  const error = failure(told);
  expect(error.message).toBe(`The daemon does not reach the registry reg.test:5000: ${why}`);
  expect(error.code).toBe("registry-unreachable");
});

test("addresses are told without who asks, and without what would open them", () => {
  const told = 'Get "https://ada:word@blobs.test/x/y?X-Amz-Signature=s3cret&a=b": EOF; http://reg.test:5/v2/';
  const { message } = failure(told);
  expect(message).toContain('Get "https://blobs.test/x/y?…": EOF; http://reg.test:5/v2/');
  expect(message).not.toMatch(/word|s3cret/);
});

test("who was refused because a login could not be read is told of that instead", () => {
  const problem = new AleError({ code: "registry-credentials", message: "config.json …", remedy: "mend it" });
  expect(failure("unauthorized", problem)).toMatchObject({ remedy: "mend it" });
  expect(failure("unauthorized", problem).message).toContain("config.json …");
  expect(failure("manifest unknown", problem).message).not.toContain("config.json …");
});
