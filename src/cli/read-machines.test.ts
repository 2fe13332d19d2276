import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseMachinesFile, readMachines } from "./read-machines.ts";

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "ale-machines-"));
});

afterAll(() => rm(cwd, { recursive: true, force: true }));

const folders = { cache: "/none", state: "/none", config: "/none" };

describe("machines.yaml", () => {
  test("names machines; keys come from files and variables, relative to it", async () => {
    await writeFile(join(cwd, "id"), "PRIVATE");
    await writeFile(
      join(cwd, "machines.yaml"),
      [
        "schema: ale/machines@1",
        "machines:",
        `  - { name: one, kind: ssh, address: 10.0.0.5, key_file: id, host_key: "SHA256:${"a".repeat(43)}" }`,
        "  - name: two",
        "    kind: cua",
        "    address: http://10.0.0.6:8000",
        "    key_env: CUA_KEY",
        "    image: office",
        "    reset: { on: here, argv: [virsh, snapshot-revert, two, clean] }",
      ].join("\n"),
    );
    expect(readMachines({ cwd, folders, environment: { CUA_KEY: "secret" } })).toEqual([
      {
        kind: "ssh",
        name: "one",
        address: "10.0.0.5",
        port: 22,
        user: "root",
        privateKey: "PRIVATE",
        hostKey: `SHA256:${"a".repeat(43)}`,
      },
      {
        kind: "cua",
        name: "two",
        address: "http://10.0.0.6:8000",
        key: "secret",
        image: "office",
        reset: { on: "here", argv: ["virsh", "snapshot-revert", "two", "clean"], limitMs: 300_000 },
      },
    ]);
    expect(() => readMachines({ cwd, folders, environment: {} })).toThrow(
      "CUA_KEY, which holds the key of two",
    );
  });

  test("a key file that is not there is told with its machine and the file that names it", async () => {
    const folder = await mkdtemp(join(cwd, "keyless-"));
    const machine = "{ name: lab-1, kind: ssh, address: x, key_file: gone }";
    await writeFile(join(folder, "machines.yaml"), `schema: ale/machines@1\nmachines:\n  - ${machine}\n`);
    expect(() => readMachines({ cwd: folder, folders, environment: {} })).toThrow(
      `${join(folder, "machines.yaml")}: key_file of lab-1, ${join(folder, "gone")}, cannot be read`,
    );
  });

  test("absent means no machines", () => {
    expect(readMachines({ cwd: join(cwd, "nowhere"), folders, environment: {} })).toEqual([]);
  });

  test("a misspelt key is told with its place and the nearest", () => {
    const text =
      "schema: ale/machines@1\nmachines:\n  - name: a\n    kind: ssh\n    adress: x\n    key_file: k\n";
    expect(() => parseMachinesFile(text, "machines.yaml")).toThrow(
      /machines\.yaml:5.*adress.*did you mean address/s,
    );
  });

  test("a name given twice, and a kind there is not, are refused", () => {
    const machine = "{ name: a, kind: ssh, address: x, key_file: k }";
    const twice = `schema: ale/machines@1\nmachines:\n  - ${machine}\n  - ${machine}\n`;
    expect(() => parseMachinesFile(twice, "m")).toThrow("there is a machine a already");
    expect(() => parseMachinesFile(twice.replace("kind: ssh", "kind: rdp"), "m")).toThrow(
      "machines[0].kind is rdp, but must be ssh or cua",
    );
  });
});
