import type { Told } from "../../served/machine-channel.ts";
import { accepted, type MachineClient } from "../../served/machine-client.ts";

/** Runs a command to its end before there is a sandbox, its output left aside. Answers how it ended, or why it did not start. */
export async function runOnce(
  client: MachineClient,
  user: "agent" | "root",
  argv: readonly string[],
): Promise<Told> {
  const request = { op: "run", argv: [...argv], user, cwd: "/ale", env: {}, network: "sandbox" };
  const channel = client.channel({ ...request, stdin: false });
  channel.stdout.resume();
  channel.stderr.resume();
  return accepted(await channel.answer);
}
