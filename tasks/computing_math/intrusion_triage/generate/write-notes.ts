import { isoTime } from "../incident.ts";
import { servers } from "../network.ts";
import type { Params } from "../params.ts";
import type { Cast } from "./cast.ts";

/** What the operations team knows: hosts, clocks, and what was ordered. */
export function notes(cast: Cast, params: Params, start: number): string {
  const sign = params.offset_minutes < 0 ? "−" : "+";
  const hours = Math.abs(params.offset_minutes) / 60;
  const rows = Object.entries(servers).map(([name, ip]) => `| ${name} | ${ip} |`);
  const day = (hour: number): string => isoTime(start + hour * 3600);
  return `# Notes of the operations team

## Hosts

| host | address |
|---|---|
${rows.join("\n")}

Workstations have addresses of 10.20.8.0/24 by DHCP (leases in dhcp_leases.csv, local time). dns01 is the resolver of all
internal hosts. web01 serves the shop; the capture was taken behind the TLS terminator, so its traffic is plain HTTP. Uploads
of customers (POST /upload.php) are stored under /media/uploads/.

## Clocks

Local time is UTC${sign}${hours}. Error = the host's clock minus true time, measured when the disks were imaged.

| source | time zone | error |
|---|---|---|
| capture.pcap, firewall.log | UTC | 0 s |
| nginx_access.log | as written in each line | 0 s |
| auth_bastion.log, auth_web01.log | local time | 0 s |
| auth_app01.log | local time | ${params.app01_clock} s |
| auth_db01.log | UTC | ${params.db01_clock} s |
| dhcp_leases.csv | local time | 0 s |

## Known and ordered

- The quarterly vulnerability scan came from ${cast.scanner}, ordered for ${day(1)} to ${day(3)}.
- Every night db01 dumps to backup01 (port 8730), and backup01 uploads to the vault at ${cast.vault}.
- Ticket 4471: carol sets up the account "report" and log rotation for the shop on app01.
- Administrators (${cast.admins.join(", ")}) log in to bastion from their desks and go on from there; dbadmin is their shared
  account on db01. Nobody logs in to a server from another server but bastion.
- Virus scanners look up hashes below avlookup.example.
- The internet guesses passwords at bastion all day; that is not part of any incident unless a guess succeeded.
`;
}

/** `dhcp_leases.csv`, in local time. */
export function leaseTable(cast: Cast, params: Params, start: number): string {
  const local = (hour: number): string =>
    isoTime(start + hour * 3600 + params.offset_minutes * 60)
      .slice(0, 19)
      .replace("T", " ");
  const lines = cast.workstations.flatMap(({ ip, leases }) =>
    leases.map(({ host, mac, fromHour, toHour }) =>
      [ip, mac, host, local(fromHour), local(toHour)].join(","),
    ),
  );
  return `${["ip,mac,hostname,lease_start,lease_end", ...lines.toSorted()].join("\n")}\n`;
}

/** The techniques an analyst chooses from, and when each counts. */
export const techniques = `id,name,counts when
T1595,Active scanning,the intruder probed ports or searched web paths
T1190,Exploit public-facing application,a weakness of a public service gave the first access
T1566,Phishing,a message to a person gave the first access
T1505.003,Web shell,a script on a web server executed the intruder's commands
T1110,Brute force,passwords were guessed and one guess led to a login
T1078,Valid accounts,the intruder logged in with an existing account
T1021.004,Remote services: SSH,the intruder moved between internal hosts by SSH
T1021.001,Remote services: RDP,the intruder moved between internal hosts by remote desktop
T1136.001,Create local account,the intruder added an account to a host
T1053.003,Scheduled task: cron,the intruder scheduled a job with cron
T1098.004,SSH authorized keys,the intruder added a key to an account
T1562.001,Disable security tools,logging or protection was switched off
T1071.001,Web protocols,a compromised host called its command server over HTTP or HTTPS
T1041,Exfiltration over C2 channel,data left to the command server over the protocol that it is called with
T1048,Exfiltration over alternative protocol,data left over another protocol than that of the command server
T1486,Data encrypted for impact,files were encrypted for ransom
`;
