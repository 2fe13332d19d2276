# -------------------------------------------------------------------------------------------- what has changed
import marshal
import os
import subprocess

BASELINE = STATE + "/baseline"
# What is not the machine's own files, and what it writes by itself.
SKIPPED = ("/proc", "/sys", "/dev", "/run", "/ale", "/var/log", "/var/lib/ale", "/lost+found", "/tmp/.X11-unix")


def snapshot():
    """Each path with what tells one version of a file from another; by a program, as there are many."""
    skip = [word for path in SKIPPED for word in ("-path", path, "-o")][:-1]
    shown = ["-type", "d", "-printf", "\\0%p\\0", "-o", "-printf", "%C@ %i %m %s %T@ %U\\0%p\\0"]
    command = ["find", "/", "(", *skip, ")", "-prune", "-o", "-mindepth", "1", *shown]
    output = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    words = output.split(b"\0")
    return {path.decode("utf-8", "replace"): seen.decode() for seen, path in zip(words[0::2], words[1::2])}


def op_mark(*_):
    with open(BASELINE + ".new", "wb") as file:
        marshal.dump(snapshot(), file)
    os.rename(BASELINE + ".new", BASELINE)
    return {}


def op_changes(request, *_):
    now = snapshot()
    if not os.path.exists(BASELINE):
        # Without a baseline of names, the time of a file's last change tells: what is gone is not known.
        start = os.stat(RESIDENTS).st_mtime
        fresh = sorted(path for path, seen in now.items() if seen and float(seen.split()[0]) >= start)
        return {"changes": [(path, "created-or-changed") for path in fresh][: request["limit"]]}
    with open(BASELINE, "rb") as file:
        before = marshal.load(file)
    changes = [(path, "created-or-changed") for path, seen in now.items() if before.get(path) != seen]
    gone = {path for path in before if path not in now}
    changes += [(path, "deleted") for path in gone]
    return {"changes": sorted(changes)[: request["limit"]]}
