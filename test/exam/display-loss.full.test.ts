import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { known } from "../../src/contract/absence.ts";
import type { HarnessSession } from "../../src/harness/harness.ts";
import { frameFromPicture } from "../../src/sandbox/frame/rgb-frame.ts";
import { providerIn } from "../../src/sandbox/local/test-support/conformance-target.ts";
import type { Mount, SandboxProvider } from "../../src/sandbox/provider.ts";
import { type SatAttempt, sitFixtureOnRecord, sumScript } from "../support/provider-exam.ts";
import { harnessOf, quiet } from "../support/trial-rig.ts";

const isRoot = process.getuid?.() === 0;

/** In place of the display server: runs the real one until the file is there, then fails as a server does by itself. */
const failingServer = `#!/bin/bash
/opt/display/Xvfb "$@" &
until [ -e /tmp/fail ]; do sleep 0.1; done
kill $!
wait
echo "Fatal server error: out of memory" >&2
exit 1
`;

/** Speaks X to the display itself, to have it for itself (GrabServer) from then on. */
const grab = `
import socket, struct, time
link = socket.socket(socket.AF_UNIX)
link.connect("/tmp/.X11-unix/X1")
link.sendall(struct.pack("<BxHHHHxx", 108, 11, 0, 0, 0))
head = link.recv(8, socket.MSG_WAITALL)
link.recv(4 * struct.unpack("<H", head[6:8])[0], socket.MSG_WAITALL)
link.sendall(struct.pack("<BxH", 36, 1) + struct.pack("<BxH", 43, 1))
link.recv(32, socket.MSG_WAITALL)
print("grabbed", flush=True)
time.sleep(3600)
`;

let dir: string;
let made = 0;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-display-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** One attempt at the fixture task at a screen, on a machine with more mounted on it. */
async function sitAtScreen(
  work: (session: HarnessSession) => Promise<void>,
  mounts: readonly Mount[] = [],
): Promise<SatAttempt> {
  const provider = providerIn(join(dir, `state-${++made}`));
  const furnished: SandboxProvider = {
    name: provider.name,
    preflight: provider.preflight.bind(provider),
    list: provider.list.bind(provider),
    reap: provider.reap.bind(provider),
    create: (spec, signal) => provider.create({ ...spec, mounts: [...spec.mounts, ...mounts] }, signal),
  };
  const harness = harnessOf(async (session) => {
    await work(session);
    return { kind: "completed", ...quiet };
  });
  const [attempt, ...others] = await sitFixtureOnRecord({
    dir: join(dir, `exam-${made}`),
    provider: furnished,
    contestant: { harness: "scripted" },
    harnesses: [harness],
    atScreen: true,
  });
  expect(others).toEqual([]);
  expect(await provider.list()).toEqual([]);
  return attempt ?? expect.fail("no attempt");
}

/** The picture of the record shows a desktop: its size, and more than one colour. */
async function expectPicture({ dir: record, result }: SatAttempt): Promise<void> {
  const { path, width, height } = result.lastScreen ?? expect.fail("no picture in the result");
  expect([width, height]).toEqual([1280, 800]);
  const { pixels } = await frameFromPicture(await readFile(join(record, path)));
  expect(new Set(pixels).size).toBeGreaterThan(5);
}

describe.skipIf(!isRoot)("a trial whose display is lost", () => {
  test("by the display's own failure ends at once as an environment's error, with the last picture", async () => {
    const server = join(dir, "failing-server");
    await writeFile(server, failingServer, { mode: 0o755 });
    const attempt = await sitAtScreen(
      async ({ sandbox, signal }) => {
        const over = new Promise<void>((resolve) =>
          signal.addEventListener("abort", () => resolve(), { once: true }),
        );
        await sandbox.exec(["sh", "-c", sumScript]);
        await sandbox.exec(["touch", "/tmp/fail"]);
        await over;
      },
      [
        { source: "/usr/bin/Xvfb", target: "/opt/display/Xvfb" },
        { source: server, target: "/usr/bin/Xvfb" },
      ],
    );
    expect(attempt.result).toMatchObject({ status: "env_error", score: { known: false } });
    expect(attempt.result.reason).toContain("out of memory");
    await expectPicture(attempt);
  });

  test("because the agent killed it is the agent's error, and what it left is graded", async () => {
    const attempt = await sitAtScreen(async ({ sandbox }) => {
      await sandbox.exec(["pkill", "-KILL", "Xvfb"]);
      await sandbox.exec(["sh", "-c", sumScript]);
    });
    expect(attempt.result).toMatchObject({
      status: "agent_error",
      score: known(1),
      channels: { required: { state: "bypassed", channel: "desktop" } },
    });
    expect(attempt.result.reason).toContain("display server");
    await expectPicture(attempt);
  });

  test("because a program of the agent's has grabbed it is the agent's error too", async () => {
    const attempt = await sitAtScreen(async ({ sandbox }) => {
      await sandbox.exec(["sh", "-c", sumScript]);
      const grabbing = await sandbox.spawn(["python3", "-c", grab]);
      await once(grabbing.stdout, "data");
    });
    expect(attempt.result).toMatchObject({ status: "agent_error", score: known(1) });
    expect(attempt.result.reason).toContain("grabbed the whole display");
  });

  test("before it was there, a program being missing, names the program", async () => {
    const absent = join(dir, "absent");
    await writeFile(absent, "", { mode: 0o644 });
    const { result } = await sitAtScreen(
      () => Promise.reject(new RangeError("the agent has no screen to come to")),
      [{ source: absent, target: "/usr/bin/openbox" }],
    );
    expect(result).toMatchObject({ status: "env_error", failedPhase: "agent" });
    expect(result.reason).toContain("there is no program openbox");
  });

  test("before it was there, no window manager having come, shows what the screen showed", async () => {
    const broken = join(dir, "broken");
    await writeFile(broken, "#!/bin/sh\nexit 3\n", { mode: 0o755 });
    const attempt = await sitAtScreen(
      () => Promise.reject(new RangeError("the agent has no screen to come to")),
      [{ source: broken, target: "/usr/bin/openbox" }],
    );
    expect(attempt.result).toMatchObject({ status: "env_error", failedPhase: "agent" });
    expect(attempt.result.reason).toContain("window manager");
    expect(attempt.result.lastScreen).toMatchObject({ width: 1280, height: 800 });
  });
});
