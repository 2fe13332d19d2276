import { z } from "zod";

/** A command run before each lease of a machine, to bring it back to a known state. */
export interface MachineReset {
  /** Where it runs: on the machine as root, or here, as when a hypervisor restores a snapshot. */
  readonly on: "machine" | "here";
  readonly argv: readonly string[];
  readonly limit_seconds: number;
}

interface MachineCommon {
  readonly name: string;
  readonly os: "linux";
  /** The sandbox image whose tasks it serves; absent = tasks that ask for none. */
  readonly image?: string;
  readonly reset?: MachineReset;
}

export interface SshMachine extends MachineCommon {
  readonly kind: "ssh";
  readonly address: string;
  readonly port: number;
  readonly user: string;
  /** Private key file; a leading `~/` is the user's home. */
  readonly key_file: string;
  /** `SHA256:…`, as ssh-keygen -l prints it. Without it the first connection is refused with the key seen. */
  readonly host_key?: string;
}

export interface CuaMachine extends MachineCommon {
  readonly kind: "cua";
  /** Of the computer-server, such as `http://10.0.0.7:8000`. */
  readonly address: string;
  /** The server's name for the machine, where it asks for one. */
  readonly container_name?: string;
  /** Environment variable that holds its key, where it asks for one. */
  readonly key_env?: string;
}

export type MachineEntry = SshMachine | CuaMachine;

/** `machines.yaml`, schema `ale/machines@1`: machines that already run and are lent to trials, one at a time each. */
export interface MachinesFile {
  readonly schema: "ale/machines@1";
  readonly machines: readonly MachineEntry[];
}

const common = {
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]*$/, "must be small letters, digits, dots and hyphens")
    .describe("A name of your choice, unique in the file."),
  os: z.literal("linux").default("linux").describe("Its operating system."),
  image: z
    .string()
    .min(1)
    .exactOptional()
    .describe("The sandbox image whose tasks it serves. Default: tasks that ask for none."),
  reset: z
    .strictObject({
      on: z.enum(["machine", "here"]).default("machine").describe("Where the command runs."),
      argv: z.array(z.string()).min(1).describe("Program and arguments; no shell."),
      limit_seconds: z.number().positive().default(300).describe("After this it has failed."),
    })
    .exactOptional()
    .describe("Brings the machine back to a known state before each lease."),
};

const ssh: z.ZodType<SshMachine> = z.strictObject({
  ...common,
  kind: z.literal("ssh").describe("Reached by SSH."),
  address: z.string().min(1).describe("Host name or address."),
  port: z.int().min(1).max(65535).default(22).describe("Of its SSH server."),
  user: z.string().min(1).default("root").describe("Root, or one who may use sudo without a password."),
  key_file: z.string().min(1).describe("Private key file, from where this file is; `~/` is your home."),
  host_key: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, "must be SHA256: and 43 characters, as ssh-keygen -l prints it")
    .exactOptional()
    .describe("The machine's own key, as ssh-keygen -l prints it."),
});

const cua: z.ZodType<CuaMachine> = z.strictObject({
  ...common,
  kind: z.literal("cua").describe("Reached by its CUA computer-server."),
  address: z.url({ protocol: /^https?$/ }).describe("Of its computer-server."),
  container_name: z.string().min(1).exactOptional().describe("Where the server asks for one."),
  key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .exactOptional()
    .describe("Environment variable that holds the server's key."),
});

export const machinesFileSchema: z.ZodType<MachinesFile> = z
  .strictObject({
    schema: z.literal("ale/machines@1").describe("The format of this file."),
    machines: z
      .array(z.discriminatedUnion("kind", [ssh, cua] as never) as z.ZodType<MachineEntry>)
      .min(1)
      .describe("Each is lent to one trial at a time."),
  })
  .superRefine((file, context) => {
    const seen = new Set<string>();
    for (const [index, { name }] of file.machines.entries()) {
      if (seen.has(name)) {
        const message = `there is a machine ${name} already`;
        context.addIssue({ code: "custom", path: ["machines", index, "name"], message });
      }
      seen.add(name);
    }
  });
