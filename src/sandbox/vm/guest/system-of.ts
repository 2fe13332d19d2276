import type { VmImage } from "../image/vm-image.ts";
import type { GuestSystem } from "./guest-system.ts";
import { linuxSystem } from "./linux-system.ts";
import { windowsSystem } from "./windows-system.ts";

const systems: Readonly<Record<VmImage["os"], GuestSystem>> = {
  linux: linuxSystem,
  windows: windowsSystem,
};

/** What an image's operating system asks for. */
export function systemOf(os: VmImage["os"]): GuestSystem {
  return systems[os];
}
