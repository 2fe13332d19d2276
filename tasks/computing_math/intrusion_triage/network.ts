/** The servers, as `notes.md` lists them. */
export const servers = {
  bastion: "10.20.1.5",
  dns01: "10.20.1.2",
  web01: "10.20.1.10",
  app01: "10.20.2.15",
  db01: "10.20.2.20",
  files01: "10.20.2.30",
  backup01: "10.20.3.40",
} as const;
