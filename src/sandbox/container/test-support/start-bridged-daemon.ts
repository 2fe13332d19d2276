import { execFileSync } from "node:child_process";
import { startDaemon, type TestDaemon } from "./start-daemon.ts";

/** A Docker daemon with a bridge, in a network of its own: the host's is not touched. */
export interface BridgedDaemon extends TestDaemon {
  /** The bridge's own address: what machines on it reach first. */
  readonly gateway: string;
  /** What a command begins with that runs where the daemon does. */
  readonly within: readonly string[];
}

const gateway = "10.231.0.1";

export async function startBridgedDaemon(): Promise<BridgedDaemon> {
  const name = `ale-test-${process.pid}`;
  const within = ["nsenter", `--net=/run/netns/${name}`];
  execFileSync("ip", ["netns", "add", name]);
  const remove = (): void => void execFileSync("ip", ["netns", "delete", name]);
  try {
    execFileSync("ip", ["-n", name, "link", "set", "lo", "up"]);
    const pool = "base=10.232.0.0/16,size=26";
    const network = ["--bip", `${gateway}/24`, "--default-address-pool", pool];
    const daemon = await startDaemon({ within, network });
    return {
      ...daemon,
      gateway,
      within,
      async [Symbol.asyncDispose]() {
        await daemon[Symbol.asyncDispose]();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
