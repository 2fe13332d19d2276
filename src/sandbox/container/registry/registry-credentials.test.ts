import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { credentialFiles } from "./credential-files.ts";
import { imageReference } from "./image-reference.ts";
import { registryCredentials } from "./registry-credentials.ts";

let folder = "";
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-credentials-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileWith(content: string | object): Promise<string> {
  const path = join(folder, `${made++}.json`);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const auth = (user: string): { readonly auth: string } => ({
  auth: Buffer.from(`${user}:word`).toString("base64"),
});

test("the closest part of a registry counts, and the first file that knows it", async () => {
  const podman = await fileWith({
    auths: { "reg.test": auth("all"), "reg.test/team": auth("team"), "reg.test/team/x": auth("own") },
  });
  const docker = await fileWith({ auths: { "https://reg.test/v2/": auth("docker") } });
  const user = async (image: string, files: readonly string[]): Promise<unknown> =>
    (await registryCredentials(imageReference(image), files)) ?? "none";
  expect(await user("reg.test/team/x:1", [podman, docker])).toMatchObject({ username: "own" });
  expect(await user("reg.test/team/y:1", [podman, docker])).toMatchObject({ username: "team" });
  expect(await user("reg.test/teams/x:1", [podman, docker])).toMatchObject({ username: "all" });
  expect(await user("reg.test/team/x:1", [docker, podman])).toMatchObject({ username: "docker" });
  expect(await user("other.test/x:1", [docker, podman])).toBe("none");
});

test("Docker's own registry is found by the address it is kept under", async () => {
  const path = await fileWith({ auths: { "https://index.docker.io/v1/": auth("hub") } });
  expect(await registryCredentials(imageReference("python:3.12"), [path])).toEqual({
    username: "hub",
    password: "word",
    serveraddress: "https://index.docker.io/v1/",
  });
});

test("a token that stands for a login is told as one", async () => {
  const path = await fileWith({ auths: { "reg.test": { auth: "eDo=", identitytoken: "a token" } } });
  expect(await registryCredentials(imageReference("reg.test/x"), [path])).toEqual({
    identitytoken: "a token",
    serveraddress: "reg.test",
  });
});

test("a file that is not JSON is told by its name, without its content", async () => {
  const path = await fileWith('{"auths": {"reg.test": {"auth": "c2VjcmV0"');
  const error = (await registryCredentials(imageReference("reg.test/x"), [path]).catch(
    (problem: unknown) => problem,
  )) as Error;
  expect(error).toMatchObject({ code: "registry-credentials", fields: { path } });
  expect(`${error.message}${String(error.cause)}`).not.toContain("c2VjcmV0");
});

test("a file that cannot be read is told by its name", async () => {
  await expect(registryCredentials(imageReference("reg.test/x"), [folder])).rejects.toMatchObject({
    code: "registry-credentials",
    fields: { path: folder },
  });
});

test("a helper that fails is told by its refusal, never by a login it has printed", async () => {
  const path = await fileWith({ credsStore: "ale-test" });
  const before = process.env["PATH"];
  process.env["PATH"] = `${folder}:${before}`;
  try {
    for (const [printed, told] of [
      ['{"Username": "ada", "Secret": "s3cret"}', "it ended with 3"],
      ["the store is locked", "the store is locked"],
    ] as const) {
      const program = `#!/bin/sh\necho '${printed}'\nexit 3\n`;
      await writeFile(join(folder, "docker-credential-ale-test"), program, { mode: 0o755 });
      const asked = registryCredentials(imageReference("reg.test/x"), [path]);
      await expect(asked).rejects.toThrow(`does not answer: ${told}`);
      await expect(asked).rejects.not.toThrow("s3cret");
    }
  } finally {
    process.env["PATH"] = before;
  }
});

test("a name in the file cannot reach a program elsewhere", async () => {
  const path = await fileWith({ credsStore: "../../tmp/evil" });
  await expect(registryCredentials(imageReference("reg.test/x"), [path])).rejects.toThrow(
    "that is no program's name",
  );
});

test("logins are looked for where docker and podman keep them", () => {
  expect(credentialFiles({ home: "/home/ada" })).toEqual([
    "/home/ada/.docker/config.json",
    "/home/ada/.config/containers/auth.json",
  ]);
  expect(
    credentialFiles({
      home: "/h",
      dockerConfig: "/d",
      authFile: "/a.json",
      runtimeDir: "/r",
      configHome: "/c",
    }),
  ).toEqual(["/a.json", "/d/config.json", "/r/containers/auth.json", "/c/containers/auth.json"]);
});
