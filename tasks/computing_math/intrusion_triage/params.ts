/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  readonly incident: string;
  /** Start of the evidence, ISO 8601 in UTC; it spans 20 hours. */
  readonly start: string;
  readonly offset_minutes: number;
  /** Clock of app01 minus true time, in seconds; likewise db01. */
  readonly app01_clock: number;
  readonly db01_clock: number;
  readonly exfiltration: "dns_tunnel" | "https_upload";
  readonly persistence: "new_account" | "cron_job";
  readonly requests: number;
  readonly exfiltrated_kb: number;
};
