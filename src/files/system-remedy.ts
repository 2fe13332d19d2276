const elsewhere =
  "name another folder: --runs-dir for runs, ALE_CACHE_DIR, ALE_STATE_DIR and ALE_CONFIG_DIR for what ale keeps itself";

const remedies: Readonly<Record<string, string>> = {
  EACCES: `give this user the permission, or ${elsewhere}`,
  EPERM: `give this user the permission, or ${elsewhere}`,
  EROFS: `mount it writable, or ${elsewhere}`,
  ENOSPC: "make room on the disk; a run is then resumed with npx ale run --resume",
  EDQUOT: "make room in the quota; a run is then resumed with npx ale run --resume",
  EMFILE: "raise the limit of open files (ulimit -n), or lower --concurrency",
  ENFILE: "raise the system's limit of open files, or lower --concurrency",
};

/** What to do about a system call that failed for reasons that lie with the machine; `undefined` for all others. */
export function systemRemedy(code: string | undefined): string | undefined {
  return remedies[code ?? ""];
}
