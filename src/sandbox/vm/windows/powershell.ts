import { Buffer } from "node:buffer";

/**
 * A command that runs a script of PowerShell's, whatever is in it: base64 of UTF-16, which no quoting on the way changes.
 * What it would show of its progress is left out.
 */
export function powershell(script: string): readonly string[] {
  const whole = `$ProgressPreference = 'SilentlyContinue'\n${script}`;
  const encoded = Buffer.from(whole, "utf16le").toString("base64");
  return [
    "powershell",
    "-NoProfile",
    "-NonInteractive",
    "-ExecutionPolicy",
    "Bypass",
    "-EncodedCommand",
    encoded,
  ];
}
