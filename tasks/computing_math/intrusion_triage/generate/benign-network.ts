import type { Random } from "ale/contract/random";
import { servers } from "../network.ts";
import { clientHello, tlsRecords } from "../wire/payloads.ts";
import type { Cast } from "./cast.ts";
import type { SshHost, World } from "./world.ts";

const sites = [
  "mail.corp.example",
  "www.news.example",
  "cdn.video.example",
  "docs.office.example",
  "time.corp.example",
];

/** Name lookups, workstations' browsing, the nightly backup, administrators' logins and the internet's guessing. */
export function benignNetwork(random: Random, world: World, cast: Cast): void {
  lookups(random, world, cast);
  backups(world, cast);
  administration(random, world, cast);
  guessing(random, world, cast);
}

function lookups(random: Random, world: World, { workstations }: Cast): void {
  const addresses = sites.map((_site, index) => `192.0.2.${index + 10}`);
  const hosts = [...workstations.map(({ ip }) => ip), servers.app01, servers.db01, servers.files01];
  for (let index = 0; index < 1500; index++) {
    const client = random.pick(hosts);
    const site = random.integer(0, sites.length - 1);
    const time = world.start + random.next() * 71_000;
    const end = world.capture.dns(time, client, sites[site] as string, addresses[site] as string);
    if (random.next() > 0.25 || !client.startsWith("10.20.8.")) continue;
    const turns = [
      { from: "client" as const, data: clientHello(sites[site] as string, world.bytes(32)) },
      { from: "server" as const, data: tlsRecords(world.bytes(random.integer(900, 4000))) },
      { from: "client" as const, data: tlsRecords(world.bytes(random.integer(200, 900))) },
    ];
    world.capture.tcp({ time: end, client, server: addresses[site] as string, port: 443, turns });
    world.filter(end, "ALLOW", client, addresses[site] as string, 443);
  }
  for (let index = 0; index < 380; index++) {
    const hash = world.bytes(20).toString("hex");
    const name = `${hash}.${world.bytes(12).toString("hex")}.l.avlookup.example`;
    const client = random.pick([...workstations.map(({ ip }) => ip), servers.db01]);
    world.capture.dns(world.start + random.next() * 71_000, client, name);
  }
}

function backups(world: World, { vault }: Cast): void {
  const begin = world.start + 16 * 3600;
  const dump = [{ from: "client" as const, data: world.bytes(900_000) }];
  world.capture.tcp({ time: begin, client: servers.db01, server: servers.backup01, port: 8730, turns: dump });
  for (let part = 0; part < 3; part++) {
    const time = begin + 600 + part * 120;
    const turns = [
      { from: "client" as const, data: clientHello("vault.safekeep.example", world.bytes(32)) },
      { from: "server" as const, data: tlsRecords(world.bytes(1200)) },
      { from: "client" as const, data: tlsRecords(world.bytes(800_000)) },
    ];
    world.capture.tcp({ time, client: servers.backup01, server: vault, port: 443, turns });
    world.filter(time, "ALLOW", servers.backup01, vault, 443);
  }
}

function administration(random: Random, world: World, { admins, workstations }: Cast): void {
  const desks = workstations.slice(6, 9).map(({ ip }) => ip);
  for (let index = 0; index < 26; index++) {
    const who = index % admins.length;
    const time = world.start + (0.5 + index * 0.74) * 3600 + random.integer(0, 900);
    const user = admins[who] as string;
    const desk = desks[who] as string;
    world.ssh({ host: "bastion", address: servers.bastion, time, ip: desk, user, result: "publickey" });
    const host: SshHost = index % 3 === 0 ? "db01" : "app01";
    const onward = { host, address: servers[host], ip: servers.bastion } as const;
    const account = host === "db01" ? "dbadmin" : user;
    if (index % 5 === 2) {
      for (let miss = 0; miss < 3; miss++) {
        world.ssh({ ...onward, time: time + 40 + miss * 8, user: account, result: "failed" });
      }
    }
    world.ssh({
      ...onward,
      time: time + 90,
      user: account,
      result: index % 5 === 2 ? "password" : "publickey",
    });
    world.filter(time + 89, "ALLOW", servers.bastion, servers[host], 22);
    const sudo = `sudo:    ${account} : TTY=pts/0 ; PWD=/home/${account} ; USER=root ; COMMAND=`;
    world.syslog(host, time + 130, `${sudo}/usr/bin/systemctl status postgresql`);
  }
  const early = world.start + 2.2 * 3600;
  const carol = "sudo:    carol : TTY=pts/1 ; PWD=/home/carol ; USER=root ; COMMAND=";
  world.syslog("app01", early, `${carol}/usr/bin/tee /etc/cron.d/logrotate-shop`);
  world.syslog("app01", early + 60, `${carol}/usr/sbin/useradd -m report`);
  world.syslog(
    "app01",
    early + 60.2,
    "useradd[1877]: new user: name=report, UID=1007, GID=1007, home=/home/report, shell=/bin/bash",
  );
  for (const host of ["bastion", "web01", "app01", "db01"] as const) {
    for (let quarter = 0; quarter < 80; quarter++) {
      const time = world.start + quarter * 900 + 1;
      const pid = random.integer(2000, 32_000);
      world.syslog(
        host,
        time,
        `CRON[${pid}]: pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)`,
      );
      world.syslog(host, time + 1, `CRON[${pid}]: pam_unix(cron:session): session closed for user root`);
    }
  }
}

function guessing(random: Random, world: World, { guessers }: Cast): void {
  const names = ["root", "admin", "oracle", "test", "ubuntu", "git", "postgres"];
  for (const ip of guessers) {
    const begin = world.start + random.next() * 60_000;
    for (let index = 0; index < random.integer(30, 90); index++) {
      const time = begin + index * random.integer(4, 30);
      const user = random.pick(names);
      const result = user === "root" ? "failed" : "invalid";
      world.ssh({ host: "bastion", address: servers.bastion, time, ip, user, result, capture: index < 6 });
    }
    for (let port = 20; port < 26; port++) world.filter(begin - 60 + port, "DROP", ip, servers.bastion, port);
  }
}
