# --------------------------------------------------------------------------------------------------------- files



class Unusable(Exception):
    """A path that cannot be used, in words."""


def chown_to(target, owner, **options):
    identity = agent_identity() if owner == "agent" else None
    os.chown(target, identity.pw_uid if identity else 0, identity.pw_gid if identity else 0, **options)


def make_folders(path, owner):
    if os.path.isdir(path):
        return
    parent = os.path.dirname(path)
    if parent != path:
        make_folders(parent, owner)
    os.mkdir(path, 0o755)
    os.chmod(path, 0o755)
    chown_to(path, owner, follow_symlinks=False)


def draft_of(path):
    return os.path.join(os.path.dirname(path), ".ale-draft-%d" % os.getpid())


def read_records(source):
    while True:
        line = source.readline()
        if not line:
            return
        yield json.loads(line)


def copy_exactly(source, target, size):
    while size > 0:
        piece = source.read(min(size, 1 << 20))
        if not piece:
            raise Unusable("the content ended early")
        target.write(piece)
        size -= len(piece)


def put_entry(entry, source, owner):
    path = entry["path"]
    if entry["kind"] == "folder":
        if os.path.lexists(path) and not os.path.isdir(path):
            raise Unusable("%s is in the way and no folder" % path)
        make_folders(path, owner)
        if "mode" in entry:
            os.chmod(path, entry["mode"])
        return
    make_folders(os.path.dirname(path), owner)
    draft = draft_of(path)
    if entry["kind"] == "link":
        os.symlink(entry["to"], draft)
        chown_to(draft, owner, follow_symlinks=False)
    else:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(handle, "wb", closefd=False) as file:
                copy_exactly(source, file, entry["size"])
            chown_to(handle, owner)
            os.fchmod(handle, entry["mode"])
            if "modified" in entry:
                os.utime(handle, (entry["modified"], entry["modified"]))
        except BaseException:
            os.unlink(draft)
            raise
        finally:
            os.close(handle)
    if os.path.isdir(path) and not os.path.islink(path):
        os.unlink(draft)
        raise Unusable("%s is a folder" % path)
    os.rename(draft, path)


def op_put(request, source, _target):
    for entry in read_records(source):
        put_entry(entry, source, request["owner"])
    return {}


def open_regular(path):
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        raise Unusable("%s does not exist" % path)
    except OSError as error:
        raise Unusable("%s cannot be read: %s" % (path, error.strerror))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise Unusable("%s is not a regular file" % path)
    return handle


def op_read(request, _source, target):
    handle = open_regular(request["path"])
    if os.fstat(handle).st_size > request["maxBytes"]:
        raise Unusable("%s is larger than the %d bytes to be read" % (request["path"], request["maxBytes"]))
    with os.fdopen(handle, "rb") as file:
        shutil.copyfileobj(file, target, 1 << 18)
    return {}


def owner_of(uid):
    try:
        if uid == agent_identity().pw_uid:
            return "agent"
    except KeyError:
        pass
    return "root" if uid == 0 else "other"


def op_stat(request, *_):
    try:
        found = os.lstat(request["path"])
    except (FileNotFoundError, NotADirectoryError):
        return {"absent": True}
    kinds = ((stat.S_ISREG, "file"), (stat.S_ISDIR, "folder"), (stat.S_ISLNK, "link"))
    kind = next((name for test, name in kinds if test(found.st_mode)), "other")
    return {
        "type": kind,
        "bytes": found.st_size,
        "mode": stat.S_IMODE(found.st_mode),
        "owner": owner_of(found.st_uid),
        "modifiedAt": found.st_mtime_ns // 1000000,
    }


def op_list(request, *_):
    path = request["path"]
    try:
        names = os.listdir(os.fsencode(path))
    except FileNotFoundError:
        raise Unusable("%s does not exist" % path)
    except NotADirectoryError:
        raise Unusable("%s is not a folder" % path)
    return {"names": [name.decode("utf-8", "replace") for name in names]}


def remove_all(paths):
    """By a program that no depth of folders is too much for; says what could not be removed."""
    if not paths:
        return ""
    command = ["rm", "-rf", "--one-file-system", "--"] + paths
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).stderr


def op_remove(request, *_):
    path = request["path"]
    unseal(path)
    errors = remove_all([path])
    if os.path.lexists(path):
        raise Unusable("%s could not be removed: %s" % (path, errors.decode("utf-8", "replace").strip()[-300:]))
    return {}


UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class Taking:
    """Copies a tree out as records, each file's content after its record; refuses what is unsafe, and why."""

    def __init__(self, limits, target):
        self.limits, self.target = limits, target
        self.bytes = self.met = 0
        self.full = False

    def say(self, **record):
        self.target.write(json.dumps(record).encode() + b"\n")

    def refuse(self, path, code, message):
        self.say(refused=path, code=code, message=message)

    def folder(self, handle, path, depth):
        try:
            names = sorted(os.fsencode(name) for name in os.listdir(handle))
        except OSError as error:
            return self.refuse(path or ".", "unreadable", error.strerror)
        for name in names:
            if self.full:
                return
            text = name.decode("utf-8", "replace")
            shown = UNPRINTABLE.sub("?", text).replace("\ufffd", "?")
            child = path + "/" + shown if path else shown
            self.met += 1
            if self.met > self.limits["maxFiles"]:
                self.full = True
                self.refuse(child, "too-many-files", "only %d files may be handed in" % self.limits["maxFiles"])
                return
            if UNPRINTABLE.search(text) or "\\" in text or text.encode("utf-8", "replace") != name:
                self.refuse(child, "unsafe-name", "the name holds control characters, a backslash or invalid UTF-8")
                continue
            if len(child.encode()) > 2048:
                self.refuse(child, "too-deep", "only paths of up to 2048 bytes may be handed in")
                continue
            self.child(handle, name, child, depth)

    def child(self, handle, name, path, depth):
        try:
            found = os.stat(name, dir_fd=handle, follow_symlinks=False)
        except OSError:
            return self.refuse(path, "changed-while-read", "it was gone when it was to be read")
        if stat.S_ISLNK(found.st_mode):
            return self.refuse(path, "link-out", "links are not taken: hand in the file itself")
        if stat.S_ISDIR(found.st_mode):
            if depth >= self.limits["maxDepth"]:
                return self.refuse(path, "too-deep", "only %d levels may be handed in" % self.limits["maxDepth"])
            try:
                inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
            except OSError:
                return self.refuse(path, "changed-while-read", "it was changed while it was read")
            try:
                self.say(folder=path)
                self.folder(inner, path, depth + 1)
            finally:
                os.close(inner)
            return None
        if not stat.S_ISREG(found.st_mode):
            return self.refuse(path, "special-file", "it is no regular file")
        try:
            source = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW, dir_fd=handle)
        except OSError as error:
            return self.refuse(path, "unreadable", error.strerror)
        try:
            self.file(source, path)
        finally:
            os.close(source)
        return None

    def file(self, source, path):
        before = os.fstat(source)
        if not stat.S_ISREG(before.st_mode):
            return self.refuse(path, "changed-while-read", "it was changed while it was read")
        size = before.st_size
        if size > 1 << 20 and before.st_blocks * 512 < size / 4:
            stored = before.st_blocks * 512
            return self.refuse(path, "sparse", "of its %d bytes only %d are stored" % (size, stored))
        room = self.limits["maxBytes"] - self.bytes
        if size > room:
            text = "its %d bytes exceed the %d still allowed of %d" % (size, room, self.limits["maxBytes"])
            return self.refuse(path, "oversize", text)
        self.bytes += size
        self.say(file=path, size=size, mode=stat.S_IMODE(before.st_mode) & 0o777)
        first, short = self.pass_over(source, size, self.target)
        second, _ = self.pass_over(source, size, None)
        after = os.fstat(source)
        same = all(getattr(before, key) == getattr(after, key) for key in ("st_size", "st_mtime_ns", "st_ctime_ns"))
        self.say(unchanged=bool(same and first == second and not short))
        return None

    def pass_over(self, source, size, target):
        digest, position, short = hashlib.sha256(), 0, False
        while position < size:
            piece = os.pread(source, min(1 << 20, size - position), position)
            if not piece:
                short = True
                piece = b"\0" * min(1 << 20, size - position)
            digest.update(piece)
            if target is not None:
                target.write(piece)
            position += len(piece)
        return digest.digest(), short


def op_take(request, _source, target):
    taking = Taking(request["limits"], target)
    parent, name = os.path.split(request["path"])
    try:
        handle = os.open(parent, os.O_RDONLY | os.O_DIRECTORY)
        found = os.stat(name, dir_fd=handle, follow_symlinks=False)
    except OSError:
        raise Unusable("%s does not exist" % request["path"])
    if stat.S_ISDIR(found.st_mode):
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
        taking.say(top=True)
        taking.folder(inner, "", 1)
    else:
        taking.child(handle, os.fsencode(name), name, 1)
    return {}


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
