# -------------------------------------------------------------------------------------- a lease's surroundings
import fcntl
import json
import os
import pwd
import socket
import struct
import subprocess
import time


def make_network():
    """A network namespace with a loopback and nothing else, kept by a name."""
    if os.path.exists(NETWORK):
        return
    open(NETWORK, "w").close()
    child = os.fork()
    if child == 0:
        try:
            check(libc.unshare(0x40000000), "unshare")
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
                fcntl.ioctl(control, 0x8914, struct.pack("16sH14x", b"lo", 0x1 | 0x40))
            mount("/proc/self/ns/net", NETWORK, None, 4096)
            os._exit(0)
        except OSError:
            os._exit(1)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
        os.unlink(NETWORK)
        raise Unusable("the kernel refuses a network of its own to the agent")


def make_group(request):
    """A control group for all that runs; false where this machine has none of version 2 to give."""
    if not os.path.exists("/sys/fs/cgroup/cgroup.controllers"):
        return False
    try:
        os.makedirs(GROUP + "/work", exist_ok=True)
        for place in ("/sys/fs/cgroup", GROUP):
            with open(place + "/cgroup.subtree_control", "w") as file:
                file.write("+memory +pids +cpu")
        for name, value in (
            ("memory.max", str(request["memoryMb"] << 20)),
            ("pids.max", str(request["maxProcesses"] + 8)),
            ("cpu.max", "%d 100000" % int(request["cpus"] * 100000)),
        ):
            with open("%s/work/%s" % (GROUP, name), "w") as file:
                file.write(value)
        with open(GROUP + "/work/memory.swap.max", "w") as file:
            file.write("0")
        return True
    except OSError:
        return False


def op_prepare(request, *_):
    """Makes the agent's account, an empty home and the lease's surroundings."""
    os.makedirs(STATE, mode=0o700, exist_ok=True)
    try:
        identity = agent_identity()
        if identity.pw_dir != HOME:
            raise Unusable("the machine's user agent has the home %s, not %s" % (identity.pw_dir, HOME))
    except KeyError:
        taken = {entry.pw_uid for entry in pwd.getpwall()}
        number = [] if 1000 in taken else ["--uid", "1000"]
        command = ["useradd", "--home-dir", HOME, "--shell", "/bin/sh", "--user-group"] + number + [AGENT]
        result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if result.returncode != 0:
            raise Unusable("the user agent could not be made: %s" % result.stderr.decode("utf-8", "replace").strip())
        identity = agent_identity()
    if request["clean"]:
        clean()
    for path in (HOME, HOME + "/input", HOME + "/output"):
        os.makedirs(path, exist_ok=True)
        os.chown(path, identity.pw_uid, identity.pw_gid)
        os.chmod(path, 0o755)
    table = process_table()
    with open(RESIDENTS, "w") as file:
        own = ["%d %s" % (pid, row[4].decode()) for pid, row in table.items() if row[1] == identity.pw_uid]
        json.dump(own, file)
    if request["ownNetwork"]:
        make_network()
    grouped = make_group(request)
    if "now" in request:
        time.clock_settime(time.CLOCK_REALTIME, request["now"])
    return {"group": grouped}


def clean():
    """Takes away what an earlier lease left: its processes, its mounts, its files."""
    end_left_behind()
    for sealed in reversed(sealed_paths()):
        libc.umount2(os.fsencode(sealed), 2)
        if sealed.startswith(("/ale/", HOME + "/")):
            remove_all([sealed])
    for path in (SEALED, BASELINE, RESIDENTS):
        if os.path.exists(path):
            os.unlink(path)
    if os.path.exists(NETWORK):
        libc.umount2(NETWORK.encode(), 2)
        os.unlink(NETWORK)
    if os.path.isdir(HOME):
        empty(HOME, None)
    uid = agent_identity().pw_uid
    for folder in ("/tmp", "/var/tmp", "/dev/shm"):
        empty(folder, uid)
    remove_all(["/run/ale"])


def empty(folder, uid):
    entries = list(os.scandir(folder))
    remove_all([entry.path for entry in entries if uid is None or entry.stat(follow_symlinks=False).st_uid == uid])


def op_release(*_):
    clean()
    return {}


def op_quiesce(*_):
    names = sorted(left_behind().values())
    if not end_left_behind():
        raise Unusable("processes of the agent could not be ended")
    return {"ended": names}
