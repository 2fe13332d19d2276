import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dockerContextHost } from "./docker-context.ts";
import { usualSockets } from "./usual-sockets.ts";

const usual = [
  "/run/user/7/docker.sock",
  "/run/user/7/podman/podman.sock",
  "/home/ada/.docker/run/docker.sock",
  "/var/run/docker.sock",
  "/run/podman/podman.sock",
];
const hints = { runtimeDir: "/run/user/7", home: "/home/ada" };

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-contexts-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("this user's daemons are tried before the system's, Docker before Podman", () => {
  expect(usualSockets(hints)).toEqual(usual);
});

test("DOCKER_HOST is the only one, and none where it is another host", () => {
  expect(usualSockets({ ...hints, dockerHost: "unix:///x.sock", contextHost: "unix:///y.sock" })).toEqual([
    "/x.sock",
  ]);
  expect(usualSockets({ ...hints, dockerHost: "tcp://10.0.0.1:2375" })).toEqual([]);
  expect(usualSockets({ ...hints, dockerHost: "" })).toEqual(usual);
});

test("Podman's own variable and Docker's context come first, those of other hosts are passed over", () => {
  const told = { ...hints, containerHost: "unix:///p.sock", contextHost: "unix:///c.sock" };
  expect(usualSockets(told)).toEqual(["/p.sock", "/c.sock", ...usual]);
  const elsewhere = { ...hints, containerHost: "ssh://a@b/run/podman.sock", contextHost: "ssh://a@b" };
  expect(usualSockets(elsewhere)).toEqual(usual);
  expect(usualSockets({ ...hints, contextHost: `unix://${usual[1]}` })).toEqual([
    usual[1],
    usual[0],
    ...usual.slice(2),
  ]);
});

test("the host of the context that docker uses is found as docker keeps it", async () => {
  const write = async (name: string, host: string): Promise<void> => {
    const digest = createHash("sha256").update(name).digest("hex");
    const place = join(folder, "contexts", "meta", digest);
    await mkdir(place, { recursive: true });
    const meta = { Name: name, Metadata: {}, Endpoints: { docker: { Host: host, SkipTLSVerify: false } } };
    await writeFile(join(place, "meta.json"), JSON.stringify(meta));
  };
  expect(dockerContextHost(folder)).toBeUndefined();
  await write("rootless", "unix:///run/user/7/docker.sock");
  await write("desktop-linux", "unix:///home/ada/.docker/desktop/docker.sock");
  await writeFile(join(folder, "config.json"), JSON.stringify({ currentContext: "rootless", auths: {} }));
  expect(dockerContextHost(folder)).toBe("unix:///run/user/7/docker.sock");
  expect(dockerContextHost(folder, "desktop-linux")).toBe("unix:///home/ada/.docker/desktop/docker.sock");
  expect(dockerContextHost(folder, "default")).toBeUndefined();
  expect(dockerContextHost(folder, "gone")).toBeUndefined();
});
