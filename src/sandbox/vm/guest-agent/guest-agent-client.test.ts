import { describe, expect, test } from "vitest";
import { GuestAgentDouble } from "../../../testing/guest-agent/guest-agent-double.ts";
import { hostClock } from "../../local/test-support/host-clock.ts";
import { GuestAgentClient } from "./guest-agent-client.ts";

describe("the guest agent's client", () => {
  test("greets until the guest has booted, and drops what an earlier host asked", async () => {
    const double = new GuestAgentDouble({ silent: 1 });
    const client = new GuestAgentClient(double, hostClock);
    double.push('{"return": 12345}\n');
    await client.greet(60_000);
    expect(await client.command("guest-ping")).toEqual({});
  });

  test("starts a program with its arguments and its input", async () => {
    const double = new GuestAgentDouble();
    const client = new GuestAgentClient(double, hostClock);
    const number = await client.start({ path: "/usr/bin/cat", arguments: ["-"], input: Buffer.from("ü\0") });
    expect(number).toBeGreaterThan(0);
    expect(double.programs).toEqual([{ path: "/usr/bin/cat", arguments: ["-"], input: Buffer.from("ü\0") }]);
  });

  test("says so when the guest never answers, when it refuses, and when its port closes", async () => {
    const double = new GuestAgentDouble({ silent: 1000 });
    const client = new GuestAgentClient(double, hostClock);
    await expect(client.greet(1)).rejects.toMatchObject({ code: "guest-silent" });
    await expect(client.command("guest-none")).rejects.toMatchObject({ code: "guest-command" });
    double.destroy();
    await expect(client.command("guest-ping")).rejects.toMatchObject({ code: "sandbox-gone" });
  });
});
