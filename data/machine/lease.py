# ----------------------------------------------------------------------------------------------------- the lease



def mount(source, target, kind, flags, data=None):
    arguments = [value.encode() if value else None for value in (source, target, kind)]
    check(
        libc.mount(*arguments, ctypes.c_ulong(flags), data.encode() if data else None),
        "%s could not be mounted" % target,
    )


def seal(path):
    """From now on nobody changes, renames or replaces the path."""
    mount(path, path, None, 4096)
    mount(None, path, None, 4096 | 32 | 1 | 2 | 4)
    with open(SEALED, "a") as file:
        file.write(json.dumps(path) + "\n")


def sealed_paths():
    try:
        with open(SEALED) as file:
            return [json.loads(line) for line in file]
    except OSError:
        return []


def unseal(path):
    for sealed in reversed(sealed_paths()):
        if sealed == path or sealed.startswith(path + "/"):
            libc.umount2(os.fsencode(sealed), 2)


def op_seal(request, *_):
    seal(request["path"])
    return {}


def op_mount(request, *_):
    """Shows what a disk of the machine's holds, read-only: `content` in its root is a file or a folder."""
    found = None
    deadline = time.monotonic() + 20
    while found is None:
        for name in os.listdir("/sys/block"):
            try:
                with open("/sys/block/%s/serial" % name) as file:
                    if file.read().strip() == request["serial"]:
                        found = "/dev/" + name
            except OSError:
                continue
        if found is None:
            if time.monotonic() > deadline:
                raise Unusable("the disk %s has not appeared on the machine" % request["serial"])
            time.sleep(0.01)
    place = "/run/ale-server/disks/" + request["serial"]
    os.makedirs(place, exist_ok=True)
    if request.get("writable"):
        mount(found, place, "ext4", 2 | 4)
        # The display's socket is a living thing: a copy of it would be dead.
        display = STATE + "/display"
        os.makedirs(display, exist_ok=True)
        if os.path.isdir(DISPLAY):
            mount(DISPLAY, display, None, 4096)
        for name, target in request["folders"].items():
            shutil.copymode(target, place + "/" + name)
            owner = os.stat(target)
            os.chown(place + "/" + name, owner.st_uid, owner.st_gid)
            subprocess.run(["cp", "-a", target + "/.", place + "/" + name], check=True)
            mount(place + "/" + name, target, None, 4096)
        if os.path.isdir(DISPLAY):
            mount(display, DISPLAY, None, 4096)
        return {}
    mount(found, place, "ext4", 1 | 2 | 4, "noload")
    source, target = place + "/content", request["target"]
    make_folders(os.path.dirname(target), "root")
    if os.path.isdir(source):
        make_folders(target, "root")
    elif not os.path.exists(target):
        open(target, "w").close()
    mount(source, target, None, 4096)
    mount(None, target, None, 4096 | 32 | 1 | 2 | 4)
    return {}


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


DISPLAY = "/tmp/.X11-unix"
LEASE = "/var/lib/ale/lease.json"


def lease_holder():
    try:
        with open(LEASE) as file:
            return json.load(file)["id"]
    except (OSError, ValueError):
        return None


def op_lease(request, *_):
    """Takes the machine for one owner; answers who has it when another does and his time is not over."""
    os.makedirs(os.path.dirname(LEASE), mode=0o700, exist_ok=True)
    with open(LEASE, "a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        try:
            held = json.loads(file.read())
        except ValueError:
            held = None
        mine = held is not None and held["id"] == request["id"]
        if request["seconds"] < 0:
            if mine:
                file.truncate(0)
            return {"released": mine}
        if held is not None and not mine and held["until"] > time.time() and not request.get("force"):
            return {"heldBy": held}
        file.truncate(0)
        until = time.time() + request["seconds"]
        file.write(json.dumps({"id": request["id"], "until": until, "holder": request["holder"]}))
    return {}


def op_release(*_):
    clean()
    return {}


def op_quiesce(*_):
    names = sorted(left_behind().values())
    if not end_left_behind():
        raise Unusable("processes of the agent could not be ended")
    return {"ended": names}


def op_describe(*_):
    def text(path):
        try:
            with open(path) as file:
                return file.read()
        except OSError:
            return ""

    found = re.search('^PRETTY_NAME="?([^"\n]*)', text("/etc/os-release"), re.M)
    installed = re.findall("^(?:Package|Version): .*$", text("/var/lib/dpkg/status"), re.M)
    digest = "sha256:" + hashlib.sha256("\n".join(installed).encode()).hexdigest() if installed else ""
    system = os.uname()
    return {
        "os": found.group(1) if found else "Linux",
        "kernel": system.release,
        "arch": system.machine,
        "packages": digest,
        "root": os.getuid() == 0,
    }


# Done in the server itself: each is short, and nothing an agent makes can hold it up.
QUICK = {"stat": op_stat, "list": op_list, "lease": op_lease, "describe": op_describe}
SLOW = {
    "put": op_put,
    "read": op_read,
    "take": op_take,
    "remove": op_remove,
    "mark": op_mark,
    "changes": op_changes,
    "seal": op_seal,
    "mount": op_mount,
    "prepare": op_prepare,
    "release": op_release,
    "quiesce": op_quiesce,
}


def answer_of(operation, request, source=None, target=None):
    try:
        return dict(operation(request, source, target), ok=True)
    except Unusable as error:
        return {"ok": False, "code": "path", "message": str(error)}
    except OSError as error:
        where = " (%s)" % error.filename if error.filename else ""
        return {"ok": False, "code": "path", "message": "%s%s" % (error.strerror or error, where)}
    except Exception as error:
        return {"ok": False, "code": "server", "message": "%s: %s" % (type(error).__name__, error)}


def run_operation(operation, request, inner, status):
    """A slow operation in a process of its own, its streams those of a command."""
    with os.fdopen(inner[0], "rb") as source, os.fdopen(inner[1], "wb") as target:
        answer = answer_of(operation, request, source, target)
        try:
            target.flush()
        except OSError:
            pass
    os.close(inner[2])
    os.write(status, json.dumps({"answer": answer}).encode() + b"\n")
    os._exit(0)
