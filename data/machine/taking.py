# ------------------------------------------------------------------------------------------- what is taken out
import hashlib
import json
import os
import re
import stat

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
