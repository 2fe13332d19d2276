import type { Random } from "ale/contract/random";
import type { Cast } from "./cast.ts";
import type { World } from "./world.ts";

export const agents = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/132.0.0.0 Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64; rv:134.0) Gecko/20100101 Firefox/134.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
] as const;

const pages = [
  "/",
  "/catalog",
  "/cart",
  "/static/app.js",
  "/static/style.css",
  "/search?q=lamp",
  "/account",
  "/img/logo.svg",
];

/** The shop's customers, a crawler that meets dead links, and the scan that security ordered. */
export function benignWeb(random: Random, world: World, cast: Cast, count: number): void {
  for (let index = 0; index < count; index++) {
    const ip = random.pick(cast.clients);
    const time = world.start + daily(random) * 3600;
    const agent = agents[Number(ip.split(".")[3]) % agents.length] as string;
    const fate = random.next();
    if (fate < 0.02) {
      const name = `photo_${random.integer(1000, 9999)}.jpg`;
      upload(world, { time, ip, agent, name, content: world.bytes(random.integer(900, 3000)) });
      const target = `/media/uploads/${name}`;
      world.request({ time: time + 2, ip, method: "GET", target, status: 200, bytes: 2900, agent });
    } else if (fate < 0.05) {
      const target = `/catalog/${random.integer(1, 900)}/old`;
      world.request({ time, ip, method: "GET", target, status: 404, bytes: 162, agent });
    } else {
      const target = fate < 0.5 ? random.pick(pages) : `/catalog/${random.integer(1, 900)}`;
      const isFresh = fate > 0.93;
      const bytes = isFresh ? 0 : random.integer(400, 3000);
      world.request({ time, ip, method: "GET", target, status: isFresh ? 304 : 200, bytes, agent });
    }
  }
  const [crawler = ""] = cast.clients;
  for (let index = 0; index < 24; index++) {
    const time = world.start + 3600 * (1 + index * 0.7);
    const agent = "Mozilla/5.0 (compatible; FriendlyBot/2.1)";
    world.request({
      time,
      ip: crawler,
      method: "GET",
      target: `/blog/${index}`,
      status: 404,
      bytes: 162,
      agent,
    });
  }
  orderedScan(random, world, cast);
}

/** Hours since the start: most of the traffic in the middle of the day. */
function daily(random: Random): number {
  return 19.5 * ((random.next() + random.next()) / 2);
}

export function upload(
  world: World,
  file: {
    readonly time: number;
    readonly ip: string;
    readonly agent: string;
    readonly name: string;
    readonly content: Buffer;
    readonly tag?: string;
  },
): void {
  const { time, ip, agent, name, content, tag } = file;
  const head = `------b7\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(head, "latin1"),
    content,
    Buffer.from("\r\n------b7--\r\n", "latin1"),
  ]);
  const marked = tag === undefined ? {} : { tag };
  world.request({
    time,
    ip,
    method: "POST",
    target: "/upload.php",
    status: 200,
    bytes: 58,
    agent,
    body,
    ...marked,
  });
}

function orderedScan(random: Random, world: World, { scanner }: Cast): void {
  const begin = world.start + 1.4 * 3600;
  for (let index = 0; index < 420; index++) {
    const port = 1 + index * 7;
    const isOpen = port === 22 || port === 80;
    world.capture.probe(begin + index * 0.7, scanner, "10.20.1.10", port, isOpen);
    if (!isOpen) world.filter(begin + index * 0.7, "DROP", scanner, "10.20.1.10", port);
  }
  for (let index = 0; index < 160; index++) {
    const target = `/${random.pick(["backup", "old", "test", "phpinfo", "wp-admin", ".env"])}/${index}`;
    const time = begin + 400 + index * 1.5;
    world.request({
      time,
      ip: scanner,
      method: "GET",
      target,
      status: 404,
      bytes: 162,
      agent: "CorpSec-Audit/3.2",
    });
  }
}
