import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import type { Finding } from "../../contract/finding.ts";
import { noWindows } from "../no-windows.ts";
import type { SandboxSpec } from "../provider.ts";
import type { Controller } from "./cgroup-roots.ts";
import { type HostTool, HostTools } from "./host-tools.ts";
import type { LocalHost } from "./local-host.ts";
import type { LocalProviderOptions } from "./local-options.ts";
import { runHostProgram } from "./run-host-program.ts";

/** What stands between this host and a local sandbox. */
export async function preflightLocal(
  host: LocalHost,
  options: LocalProviderOptions,
  spec: SandboxSpec | undefined,
): Promise<readonly Finding[]> {
  const missing = missingPrograms(host);
  return [
    ...missing,
    ...rootFindings(options.root),
    ...(missing.length > 0 ? [] : await namespaceFindings(host)),
    ...limitFindings(host),
    ...(spec === undefined ? [] : await specFindings(host, options, spec)),
  ];
}

function missingPrograms(host: LocalHost): readonly Finding[] {
  const needed: readonly HostTool[] = [
    "sh",
    "bwrap",
    "unshare",
    "nsenter",
    "setpriv",
    "setsid",
    "mount",
    "mkfifo",
    "cp",
  ];
  return needed
    .filter((tool) => !host.tools.has(tool))
    .map((tool) => ({
      severity: "error",
      code: "missing-program",
      message: `The program ${tool} is not installed.`,
      remedy: HostTools.remedy(tool),
    }));
}

function rootFindings(root: string | undefined): readonly Finding[] {
  if (root === undefined) return [];
  if (!existsSync(root)) {
    return [{ severity: "error", code: "root-absent", message: `The root folder ${root} does not exist.` }];
  }
  const odd: Finding[] = /[,:\\]/.test(root)
    ? [
        {
          severity: "error",
          code: "root-name",
          message: `The path ${root} holds a comma, colon or backslash, which overlay mounts do not take.`,
          remedy: "Rename the folder.",
        },
      ]
    : [];
  const absent = ["bin/sh", "usr/bin/setpriv", "usr/bin/setsid", "usr/bin/nsenter", "usr/bin/sleep"]
    .filter((path) => !existsSync(join(root, path)))
    .map(
      (path): Finding => ({
        severity: "error",
        code: "root-program",
        message: `The root folder ${root} has no ${path}.`,
        remedy: `Install dash, coreutils and util-linux into it.`,
      }),
    );
  return [...odd, ...absent];
}

/** Tries the kernel, as no list of settings tells for certain. */
async function namespaceFindings(host: LocalHost): Promise<readonly Finding[]> {
  const { tools, abilities } = host;
  const unshare = abilities.privileged ? [] : ["--user", "--map-root-user"];
  const attempt = await runHostProgram([
    ...[tools.path("unshare"), ...unshare, "--mount", tools.path("bwrap")],
    ...[
      "--unshare-all",
      "--unshare-user",
      "--ro-bind",
      "/",
      "/",
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      "/bin/true",
    ],
  ]);
  if (attempt.code === 0) return [];
  return [
    {
      severity: "error",
      code: "namespaces",
      message: `The kernel refuses namespaces to this user: ${attempt.stderr.trim()}`,
      remedy: namespaceRemedy(),
    },
  ];
}

function namespaceRemedy(): string {
  if (existsSync("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")) {
    return "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
  }
  if (existsSync("/proc/sys/kernel/unprivileged_userns_clone")) {
    return "sudo sysctl -w kernel.unprivileged_userns_clone=1";
  }
  return "sudo sysctl -w user.max_user_namespaces=15000; in a container, run it with --privileged";
}

const limitNames: Readonly<Record<Controller, string>> = {
  memory: "memory",
  pids: "number of processes",
  cpu: "processor time",
};

function limitFindings(host: LocalHost): readonly Finding[] {
  const { cgroups, disk, privileged } = host.abilities;
  const held = (controller: Controller): boolean =>
    cgroups.version === 1
      ? cgroups.folders.has(controller)
      : cgroups.version === 2 && cgroups.controllers.has(controller);
  const loose = (["memory", "pids", "cpu"] as const).filter((controller) => !held(controller));
  const findings: Finding[] = [];
  if (loose.length > 0) {
    const why = cgroups.version === "none" ? `: ${cgroups.reason}` : "";
    findings.push({
      severity: "warning",
      code: "limits-not-enforced",
      message: `Limits on ${loose.map((name) => limitNames[name]).join(", ")} cannot be enforced${why}.`,
      remedy: privileged
        ? "Mount the control groups writable; in a container, run it with --privileged."
        : "Start ale through: systemd-run --user --scope -p Delegate=yes ale …",
    });
  }
  if (disk === "memory") {
    findings.push({
      severity: "warning",
      code: "disk-in-memory",
      message: "A sandbox's disk is kept in memory here, because no disk image can be mounted.",
      remedy: privileged ? HostTools.remedy("mkfs.ext4") : "Give tasks small disks, or run ale as root.",
    });
  }
  return findings;
}

async function specFindings(
  host: LocalHost,
  options: LocalProviderOptions,
  spec: SandboxSpec,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const add = (severity: Finding["severity"], code: string, message: string, remedy: string): void => {
    findings.push({ severity, code, message, remedy });
  };
  if (spec.image !== undefined) {
    add(
      "error",
      "image",
      `The local provider has no images, and the task asks for ${spec.image}.`,
      "Use a provider with images.",
    );
  }
  if (spec.os === "windows") {
    findings.push(noWindows("machines of the provider local"));
  }
  if ((spec.gpus ?? 0) > 0) {
    add(
      "error",
      "gpu",
      "The local provider gives no graphics processor.",
      "Use the provider container or vm.",
    );
  }
  for (const mount of spec.mounts.filter((entry) => !existsSync(entry.source))) {
    add(
      "error",
      "mount-absent",
      `${mount.source}, to be shown as ${mount.target}, does not exist.`,
      "Create it, or correct the path.",
    );
  }
  if (spec.diskMb < 4)
    add("error", "disk-too-small", `A disk of ${spec.diskMb} MiB is too small.`, "Give it 4 MiB or more.");
  const memoryMb = Math.floor(totalmem() / 1024 / 1024);
  if (spec.memoryMb > memoryMb) {
    add(
      "warning",
      "memory",
      `The machine is to have ${spec.memoryMb} MiB, this host has ${memoryMb}.`,
      "Use a larger host.",
    );
  }
  if (spec.cpus > availableParallelism()) {
    add(
      "warning",
      "cpus",
      `The machine is to have ${spec.cpus} processors, this host has ${availableParallelism()}.`,
      "Use a larger host.",
    );
  }
  if (host.abilities.disk === "image") {
    const { bavail, bsize } = await statfs(existsSync(options.stateDir) ? options.stateDir : "/");
    const freeMb = Math.floor((bavail * bsize) / 1024 / 1024);
    if (spec.diskMb > freeMb) {
      add(
        "warning",
        "disk",
        `The machine may write ${spec.diskMb} MiB, ${options.stateDir} has ${freeMb} free.`,
        "Free space, or move the state folder.",
      );
    }
  }
  return findings;
}
