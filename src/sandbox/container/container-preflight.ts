import { existsSync } from "node:fs";
import type { Clock } from "../../contract/clock.ts";
import type { Finding } from "../../contract/finding.ts";
import type { SandboxSpec } from "../provider.ts";
import type { Engine } from "./engine.ts";
import { gpuFindings } from "./gpu-findings.ts";
import { imageFindings } from "./image-findings.ts";
import { diskKind } from "./machine-config.ts";

export interface ContainerPreflight {
  readonly image: string;
  /** `undefined`: one of the image, in general. */
  readonly spec: SandboxSpec | undefined;
  readonly credentialFiles: readonly string[];
  readonly clock: Clock;
}

/** What stands between this daemon and a machine. */
export async function preflightContainer(
  engine: Engine,
  options: ContainerPreflight,
): Promise<readonly Finding[]> {
  const { spec } = options;
  return [
    ...limitFindings(engine),
    ...(await imageFindings(engine, options)),
    ...(spec === undefined ? [] : specFindings(engine, spec)),
  ];
}

function limitFindings({ facts }: Engine): readonly Finding[] {
  const findings: Finding[] = [];
  const names = { memory: "memory", cpu: "processor time", pids: "number of processes" };
  const loose = (["memory", "cpu", "pids"] as const).filter((limit) => !facts.limits[limit]);
  if (loose.length > 0) {
    findings.push({
      severity: "warning",
      code: "limits-not-enforced",
      message: `${facts.name} cannot enforce limits on ${loose.map((limit) => names[limit]).join(", ")}.`,
      remedy:
        "Delegate the control groups to this user's systemd (Delegate=cpu memory pids), which needs their version 2; or sit trials that may take too much with a daemon of root's.",
    });
  }
  if (!facts.hasBridge) {
    findings.push({
      severity: "warning",
      code: "no-bridge",
      message: `${facts.name} has no bridge: machines with an open network use this host's own, its loopback too, and a task's set-up has none.`,
      remedy: "Start the daemon without --bridge=none.",
    });
  }
  if (facts.hasBridge && !facts.lendsBridge) {
    findings.push({
      severity: "warning",
      code: "no-network-for-setup",
      message: `${facts.name} cannot lend the network to the set-up of a task whose machine has none.`,
      remedy: "Use Docker for tasks whose set-up fetches something.",
    });
  }
  return findings;
}

function specFindings({ facts }: Engine, spec: SandboxSpec): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (severity: Finding["severity"], code: string, message: string, remedy: string): void => {
    findings.push({ severity, code, message, remedy });
  };
  findings.push(...gpuFindings(facts, spec.gpus ?? 0));
  for (const mount of spec.mounts.filter((entry) => !existsSync(entry.source))) {
    add(
      "error",
      "mount-absent",
      `${mount.source}, to be shown as ${mount.target}, does not exist.`,
      "Create it, or correct the path.",
    );
  }
  const hostMb = Math.floor(facts.memoryBytes / 1024 / 1024);
  if (spec.memoryMb > hostMb) {
    add(
      "warning",
      "memory",
      `The machine is to have ${spec.memoryMb} MiB, the daemon's host has ${hostMb}.`,
      "Use a larger host.",
    );
  }
  if (diskKind(spec, facts) === "unlimited") {
    add(
      "warning",
      "disk-not-limited",
      `A disk of ${spec.diskMb} MiB is too large to be kept in memory, and ${facts.storageDriver} holds a machine to no size.`,
      "Give the task a smaller disk, or use the provider vm.",
    );
  }
  return findings;
}
