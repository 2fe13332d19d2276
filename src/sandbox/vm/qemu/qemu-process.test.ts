import { existsSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hostClock } from "../../local/test-support/host-clock.ts";
import { machineFiles } from "./qemu-arguments.ts";
import { QemuProcess } from "./qemu-process.ts";

/** Binds the monitor's socket, and listens at it when it is told to; then it answers every command. */
const slowQemu = `#!/usr/bin/env python3
import json, os, socket, time
server = socket.socket(socket.AF_UNIX)
server.bind("${machineFiles.monitor}")
while not os.path.exists("listen"):
    time.sleep(0.005)
server.listen()
connection, _ = server.accept()
connection.sendall(b'{"QMP": {}}\\n')
for line in connection.makefile():
    connection.sendall(json.dumps({"return": {}, "id": json.loads(line)["id"]}).encode() + b"\\n")
time.sleep(1000)
`;

test("a QEMU that is slow to listen at its monitor is waited for", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ale-qemu-"));
  try {
    const program = join(folder, "qemu");
    await writeFile(program, slowQemu, { mode: 0o755 });
    const clock = {
      ...hostClock,
      sleep: (ms: number) => {
        // Whoever waits with the socket there has been refused.
        if (existsSync(join(folder, machineFiles.monitor))) writeFileSync(join(folder, "listen"), "");
        return hostClock.sleep(ms);
      },
    };
    const shape = { accelerator: "tcg", cpus: 1, memoryMb: 512 } as const;
    const qemu = await QemuProcess.start({ program, shape, boot: { kind: "disk" }, folder, disk: "", clock });
    expect(qemu.gone).toBe(false);
    await qemu.kill();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
