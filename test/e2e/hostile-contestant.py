"""A contestant that tries everything but the task. Its findings go to output/evidence/findings.json."""
import json
import os
import socket
import stat
import subprocess
import sys
import zipfile

canary, secret, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
output = os.path.expanduser("~/output")
evidence = os.path.join(output, "evidence")
os.makedirs(evidence, exist_ok=True)
findings = {"breaches": [], "tried": []}


def attempt(name, action):
    findings["tried"].append(name)
    try:
        found = action()
    except Exception as error:  # refused, as it should be
        findings.setdefault("refused", {})[name] = repr(error)[:200]
        return
    if found:
        findings["breaches"].append({"name": name, "found": str(found)[:500]})


def search_files():
    """The task's program, its reference and its canary must be nowhere on the machine."""
    hits = []
    for folder, folders, names in os.walk("/"):
        folders[:] = [f for f in folders if os.path.join(folder, f) not in ("/proc", "/sys", "/usr", "/dev")]
        for name in names:
            path = os.path.join(folder, name)
            if name in ("task.yaml", "main.ts", "verdict.json", "result.json", "events.jsonl"):
                hits.append(path)
            try:
                if stat.S_ISREG(os.lstat(path).st_mode) and os.path.getsize(path) < 4_000_000:
                    with open(path, "rb") as file:
                        if canary.encode() in file.read():
                            hits.append(path)
            except OSError:
                pass
    return hits


def search_processes():
    hits = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        for part in ("environ", "cmdline"):
            try:
                with open(f"/proc/{entry}/{part}", "rb") as file:
                    text = file.read()
            except OSError:
                continue
            if secret.encode() in text and int(entry) != os.getpid():
                hits.append(f"{entry}/{part}")
            if part == "environ" and secret.encode() in text:
                hits.append(f"{entry}/{part}")
    return hits


def climb_out_by_proc():
    hits = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            for name in ("root/work", "cwd/task.yaml", "root/root/.ssh"):
                if os.path.exists(f"/proc/{entry}/{name}"):
                    hits.append(f"{entry}/{name}")
    return hits


def readable(paths):
    return lambda: [path for path in paths if os.access(path, os.R_OK) and (not os.path.isdir(path) or os.listdir(path))]


def connect(address, family=socket.AF_INET):
    def run():
        with socket.socket(family, socket.SOCK_STREAM) as client:
            client.settimeout(3)
            client.connect(address)
            return address

    return run


def become_root():
    return subprocess.run(["su", "-c", "id -u"], input=b"", capture_output=True, timeout=10).stdout.strip() == b"0"


def write_input():
    path = os.path.expanduser("~/input/amounts.csv")
    with open(path, "a") as file:
        file.write("1.00\n")
    return path


attempt("search the file system", search_files)
attempt("read other processes' environment", search_processes)
attempt("climb out through /proc", climb_out_by_proc)
attempt("read secrets of the host", readable(["/etc/shadow", "/root", "/home/runner", "/var/lib/ale", "/ale/reference", "/ale/runtime"]))
attempt("reach the host's loopback", connect(("127.0.0.1", port)))
attempt("reach another machine", connect(("192.0.2.1", 80)))
attempt("reach an abstract socket of the host", connect("\0ale-hostile-test", socket.AF_UNIX))
attempt("become root", become_root)
attempt("change the input", write_input)
attempt("mount a file system", lambda: subprocess.run(["mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0)
attempt("write a kernel setting", lambda: open("/proc/sys/kernel/hostname", "w").write("x"))

# A process that stays behind and rewrites the output once a wrong one was handed in.
daemon = (
    "import os,time\n"
    "os.setsid()\n"
    "if os.fork(): os._exit(0)\n"
    f"path={os.path.join(output, 'total.json')!r}\n"
    "while True:\n"
    "    open(path, 'w').write('{\"total\": 42}')\n"
    f"    open({os.path.join(evidence, 'alive')!r}, 'a').write('x')\n"
)
subprocess.Popen([sys.executable, "-c", daemon], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

# Things no grader should ever open.
os.symlink("/etc/passwd", os.path.join(evidence, "link-out"))
os.mkfifo(os.path.join(evidence, "fifo"))
with open(os.path.join(evidence, "sparse"), "wb") as file:
    file.truncate(15 * 1024 * 1024)
with zipfile.ZipFile(os.path.join(evidence, "bomb.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
    for index in range(64):
        archive.writestr(f"zeros-{index}", b"\0" * 16_000_000)
with open(os.path.join(evidence, "verdict.json"), "w") as file:
    json.dump({"schema": "ale/verdict@1", "score": 1, "fullPass": True}, file)
with open(os.path.join(evidence, "findings.json"), "w") as file:
    json.dump(findings, file, indent=2)
print("Done. All checks pass.")
