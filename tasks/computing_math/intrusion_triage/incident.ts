/** `incident.json`, as the instruction asks for it. */
export interface Incident {
  readonly attacker_ips: readonly string[];
  readonly compromised_hosts: readonly string[];
  readonly compromised_accounts: readonly string[];
  readonly initial_vector: string;
  readonly webshell_path: string;
  readonly malicious_domains: readonly string[];
  readonly persistence: { readonly host: string; readonly kind: string; readonly name: string };
  readonly exfiltration: {
    readonly host: string;
    readonly channel: string;
    readonly destination: string;
    readonly bytes: number;
  };
  readonly mitre_techniques: readonly string[];
  readonly first_activity: string;
  readonly last_activity: string;
}

/** One row of the expected timeline; every listed line or packet proves it. */
export interface ExpectedEvent {
  readonly event: string;
  readonly host: string;
  /** Seconds since 1970, UTC. */
  readonly time: number;
  readonly evidence: readonly { readonly file: string; readonly lines: readonly number[] }[];
}

/** The hidden reference, `truth.json`. */
export interface Truth {
  readonly incident: Incident;
  readonly timeline: readonly ExpectedEvent[];
}

/** ISO 8601 in UTC, whole seconds. */
export function isoTime(seconds: number): string {
  return `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19)}Z`;
}
