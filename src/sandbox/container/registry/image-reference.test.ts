import { expect, test } from "vitest";
import { imageReference } from "./image-reference.ts";

test.each([
  ["python", "docker.io", "library/python", "python", "latest", false],
  ["python:3.12", "docker.io", "library/python", "python", "3.12", false],
  ["someone/thing", "docker.io", "someone/thing", "someone/thing", "latest", false],
  ["docker.io/someone/thing:1", "docker.io", "someone/thing", "docker.io/someone/thing", "1", false],
  ["ghcr.io/x/y:1", "ghcr.io", "x/y", "ghcr.io/x/y", "1", false],
  ["localhost/x", "localhost", "x", "localhost/x", "latest", false],
  ["127.0.0.1:5000/x", "127.0.0.1:5000", "x", "127.0.0.1:5000/x", "latest", false],
  ["127.0.0.1:5000/x/y:2", "127.0.0.1:5000", "x/y", "127.0.0.1:5000/x/y", "2", false],
  ["a.b/x@sha256:0f", "a.b", "x", "a.b/x", "sha256:0f", true],
  ["a.b:1/x:2@sha256:0f", "a.b:1", "x", "a.b:1/x", "sha256:0f", true],
])("%s is taken apart as daemons do", (image, registry, repository, name, version, pinned) => {
  expect(imageReference(image)).toEqual({ registry, repository, name, version, pinned });
});
