import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SolveContext } from "ale/task";
import { type Incident, isoTime } from "../incident.ts";
import type { Params } from "../params.ts";
import { findLeak } from "./find-leak.ts";
import { type Packet, readCapture, registered, serverName } from "./read-capture.ts";
import { type LogLine, leaseHolder, readAccess, readAuth } from "./read-logs.ts";
import { type Notes, readNotes } from "./read-notes.ts";

interface Finding {
  readonly event: string;
  readonly host: string;
  readonly time: number;
  readonly file: string;
  readonly line: number;
}

/** Follows the intruder from the first probe to the last packet, stage by stage. */
export function solve({ input, output }: SolveContext<Params>): void {
  const notes = readNotes(input);
  const packets = readCapture(join(input, "capture.pcap"));
  const year = new Date((packets[0] as Packet).time * 1000).getUTCFullYear();
  const address = (host: string): string => notes.hosts.get(host) as string;
  const hostOf = new Map([...notes.hosts].map(([host, ip]) => [ip, host]));
  const findings: Finding[] = [];
  const fromLine = (event: string, host: string, { time, file, line }: LogLine): void => {
    findings.push({ event, host, time, file, line });
  };
  const fromPacket = (event: string, host: string, { time, number }: Packet): void => {
    findings.push({ event, host, time, file: "capture.pcap", line: number });
  };

  // 1. Who probed ports and paths, apart from the ordered scan.
  const web = address("web01");
  const probes = portScan(packets, web, notes);
  fromPacket("port_scan", "web01", probes[0] as Packet);
  const scout = (probes[0] as Packet).from;
  const access = readAccess(input);
  const searches = access.filter(({ ip, status }) => ip === scout && status === 404);
  fromLine("web_scan", "web01", searches[0] as LogLine);

  // 2. A script among the uploads that runs commands, and how it got there.
  const commands = access.filter(
    ({ target, status }) => status === 200 && /^\/media\/uploads\/[^?]+\.php\?/.test(target),
  );
  const shell = commands[0] as (typeof commands)[0];
  const uploaded = access.findLast(
    ({ ip, method, time }) => ip === scout && method === "POST" && time <= shell.time,
  ) as LogLine;
  fromLine("webshell_upload", "web01", uploaded);
  fromLine("webshell_command", "web01", shell);
  const operators = new Set(commands.map(({ ip }) => ip));

  // 3. Logins from servers that nobody logs in from, host by host.
  const accounts: string[] = [];
  const compromised = ["web01"];
  const app = readAuth(input, "app01", year, notes);
  const guess = app.find(
    ({ text }) => text.includes("Failed password") && text.includes(`from ${web} `),
  ) as LogLine;
  const login = app.find(({ text }) => text.includes("Accepted") && text.includes(`from ${web} `)) as LogLine;
  fromLine("ssh_bruteforce", "app01", guess);
  fromLine("ssh_login", "app01", login);
  const user = userOf(login);
  accounts.push(`${user}@app01`);
  compromised.push("app01");
  const persistence = findPersistence(app, user);
  fromLine("persistence", "app01", persistence.line);
  const db = readAuth(input, "db01", year, notes);
  const onward = db.find(
    ({ text }) => text.includes("Accepted") && text.includes(`from ${address("app01")} `),
  ) as LogLine;
  fromLine("lateral_movement", "db01", onward);
  accounts.push(`${userOf(onward)}@db01`);
  compromised.push("db01");

  // 4. A workstation reached from there, and whom it calls since.
  const hop = packets.find(
    ({ from, to, toPort, isSyn }) => isSyn && from === address("app01") && toPort === 22 && !hostOf.has(to),
  ) as Packet;
  const workstation = leaseHolder(input, hop.to, hop.time, notes);
  fromPacket("lateral_movement", workstation, hop);
  compromised.push(workstation);
  const { calls, domain } = findBeacon(packets, hop);
  fromPacket("c2_beacon", workstation, calls[0] as Packet);
  const command = (calls[0] as Packet).to;

  // 5. What left db01.
  const leak = findLeak(packets, address("db01"), [command]);
  if (leak === undefined) throw new Error("no data left by the channels looked for");
  fromPacket("exfiltration", "db01", leak.first);

  const isTunnel = leak.channel === "dns_tunnel";
  const incident: Incident = {
    attacker_ips: [scout, ...operators, command],
    compromised_hosts: compromised,
    compromised_accounts: accounts,
    initial_vector: "unrestricted_file_upload",
    webshell_path: shell.target.split("?")[0] as string,
    malicious_domains: isTunnel ? [domain, leak.destination] : [domain],
    persistence: { host: "app01", kind: persistence.kind, name: persistence.name },
    exfiltration: { host: "db01", channel: leak.channel, destination: leak.destination, bytes: leak.bytes },
    mitre_techniques: [
      ...["T1595", "T1190", "T1505.003", "T1110", "T1078", "T1021.004", "T1071.001"],
      persistence.kind === "cron_job" ? "T1053.003" : "T1136.001",
      isTunnel ? "T1048" : "T1041",
    ],
    first_activity: isoTime((probes[0] as Packet).time),
    last_activity: isoTime(leak.last.time),
  };
  writeFileSync(join(output, "incident.json"), `${JSON.stringify(incident, null, 2)}\n`);
  const rows = findings
    .toSorted((one, other) => one.time - other.time)
    .map(({ event, host, time, file, line }) => [isoTime(time), event, host, file, line].join(","));
  const header = "time_utc,event,host,evidence_file,evidence_line";
  writeFileSync(join(output, "timeline.csv"), `${[header, ...rows].join("\n")}\n`);
}

/** The SYNs of the source that tried most ports of the web server and was not ordered to. */
function portScan(packets: readonly Packet[], target: string, { orderedScanner }: Notes): readonly Packet[] {
  const bySource = new Map<string, Packet[]>();
  for (const packet of packets) {
    if (!packet.isSyn || packet.to !== target || packet.from === orderedScanner) continue;
    bySource.set(packet.from, [...(bySource.get(packet.from) ?? []), packet]);
  }
  const ports = (list: readonly Packet[]): number => new Set(list.map(({ toPort }) => toPort)).size;
  return [...bySource.values()].toSorted((one, other) => ports(other) - ports(one))[0] ?? [];
}

function userOf({ text }: LogLine): string {
  return / for (?:invalid user )?(\S+) from /.exec(text)?.[1] ?? "";
}

/** What the intruder's account set up as root to come back. */
function findPersistence(
  lines: readonly LogLine[],
  user: string,
): { readonly line: LogLine; readonly kind: string; readonly name: string } {
  for (const line of lines) {
    if (!line.text.startsWith("sudo:") || !line.text.includes(` ${user} : `)) continue;
    const job = /COMMAND=\S*tee (\/etc\/cron\.d\/\S+)$/.exec(line.text)?.[1];
    if (job !== undefined) return { line, kind: "cron_job", name: job };
    const account = /COMMAND=\S*useradd .*?(\S+)$/.exec(line.text)?.[1];
    if (account !== undefined) return { line, kind: "new_account", name: account };
  }
  throw new Error(`${user} set up nothing to come back by`);
}

/** TLS connections of the workstation, after it was reached, to a server that it calls more often than any other. */
function findBeacon(
  packets: readonly Packet[],
  hop: Packet,
): { readonly calls: readonly Packet[]; readonly domain: string } {
  const calls = new Map<string, Packet[]>();
  const others = new Set<string>();
  for (const packet of packets) {
    const name = serverName(packet);
    if (name === undefined) continue;
    if (packet.from !== hop.to && packet.from.startsWith("10.20.8.")) others.add(name);
    else if (packet.from === hop.to && packet.time > hop.time) {
      calls.set(name, [...(calls.get(name) ?? []), packet]);
    }
  }
  const suspicious = [...calls].filter(([name]) => !others.has(name));
  const [name, list] = suspicious.toSorted((one, other) => other[1].length - one[1].length)[0] ?? ["", []];
  return { calls: list, domain: registered(name) };
}
