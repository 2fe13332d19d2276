/** A port of a machine's own loopback that leads to a unix socket of the host, until disposed of. */
export interface ForwardedPort extends AsyncDisposable {
  /** Of `127.0.0.1` inside. The machine's to give: its loopback may be shared with the host and other machines. */
  readonly port: number;
}
