import type { DeskCommand, DeskFolder } from "../../contract/sitting-desk.ts";
import { ask, askJson } from "../data/requests.ts";

const fileAddress = (folder: DeskFolder, path: string): string =>
  `/api/sit/file?folder=${folder}&path=${encodeURIComponent(path)}`;

/** Address to download a file of the desk from. */
export const downloadAddress: typeof fileAddress = fileAddress;

export async function handIn(path: string, file: File): Promise<void> {
  await ask(fileAddress("output", path), { method: "PUT", body: file });
}

export async function withdraw(path: string): Promise<void> {
  await ask(fileAddress("output", path), { method: "DELETE" });
}

export async function runLine(line: string, signal: AbortSignal): Promise<DeskCommand> {
  const response = await askJson("/api/sit/command", { line }, signal);
  return (await response.json()) as DeskCommand;
}
