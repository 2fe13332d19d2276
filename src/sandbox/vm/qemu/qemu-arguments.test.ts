import { expect, test } from "vitest";
import { qemuArguments } from "./qemu-arguments.ts";

const machine = { folder: "/m,1", disk: "/m,1/disk.qcow2" };

test("an installation has all its discs as discs: one more disk would be the one the installer wipes", () => {
  const discs = ["/a.iso", "/b,c.iso", "/answers.iso"];
  const shape = { accelerator: "kvm", cpus: 2, memoryMb: 4096 } as const;
  const argv = qemuArguments({ ...machine, shape, boot: { kind: "install", discs } });
  const drives = argv.filter((_, index) => argv[index - 1] === "-drive");
  expect(drives).toEqual([
    "file=/a.iso,media=cdrom,readonly=on",
    "file=/b,,c.iso,media=cdrom,readonly=on",
    "file=/answers.iso,media=cdrom,readonly=on",
    expect.stringContaining("file=/m,,1/disk.qcow2,if=virtio") as string,
  ]);
  expect(argv).not.toContain("-no-reboot");
});

test("a guest that boots from its disk is told the screen's size and that it is a guest, one with our kernel is not", () => {
  const shape = { accelerator: "kvm", cpus: 1, memoryMb: 512 } as const;
  const windows = qemuArguments({ ...machine, shape, boot: { kind: "disk" } }).join(" ");
  const linux = qemuArguments({
    ...machine,
    ...{ shape, boot: { kind: "kernel", kernel: "/vmlinuz", initrd: "/initrd" } },
  }).join(" ");
  expect(windows).toContain("VGA.xres=1280");
  expect(windows).toContain("host,hv_relaxed");
  expect(linux).not.toMatch(/VGA\.xres|hv_/);
});

test("an emulated guest is spared what emulation is slow at, one of the host's processor is not", () => {
  const boot = { kind: "kernel", kernel: "/vmlinuz", initrd: "/initrd" } as const;
  const argumentsOf = (accelerator: "kvm" | "tcg"): string =>
    qemuArguments({ ...machine, boot, shape: { accelerator, cpus: 1, memoryMb: 512 } }).join(" ");
  expect(argumentsOf("tcg")).toMatch(/-cpu max,erms=off,la57=off .* norandmaps /);
  expect(argumentsOf("kvm")).not.toMatch(/erms|norandmaps/);
});
