import { AleError } from "../../../contract/ale-error.ts";
import type { Clock } from "../../../contract/clock.ts";
import { MachineClient } from "../../served/machine-client.ts";
import type { QemuProcess } from "../qemu/qemu-process.ts";
import { runOnce } from "./run-once.ts";

const askEveryMs = 1000;

/**
 * The link to our program in a Windows that boots, once the account `agent` is logged on and can run commands. Rejects with
 * `guest-silent` after the limit, in milliseconds.
 */
export async function openBootedWindows(
  qemu: Pick<QemuProcess, "port">,
  clock: Clock,
  limitMs: number,
  signal?: AbortSignal,
): Promise<MachineClient> {
  const end = clock.monotonic() + limitMs;
  const port = qemu.port("server");
  const over = new AbortController();
  const stop = (): void => void port.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  // QEMU keeps what we say until the guest's program opens its end.
  const late = clock.sleep(limitMs, over.signal).then(stop, () => undefined);
  let why = "its program does not answer";
  try {
    const client = await MachineClient.open(port);
    while (clock.monotonic() < end) {
      const told = await runOnce(client, "agent", ["cmd", "/c", "exit 0"]);
      if (told["failed"] === undefined) return client;
      why = String(told["failed"]);
      await clock.sleep(askEveryMs, signal);
    }
    client.close();
  } catch (error) {
    signal?.throwIfAborted();
    if (clock.monotonic() < end) throw error;
  } finally {
    over.abort();
    await late;
    signal?.removeEventListener("abort", stop);
  }
  throw new AleError({
    code: "guest-silent",
    message: `Windows was not ready within ${Math.round(limitMs / 1000)} s: ${why}.`,
    remedy:
      "Look at the guest's screen: QEMU serves it by RFB on screen.sock in the machine's folder. What Windows said when it was set up is in the guest's C:\\ale\\setup.log.",
  });
}
