# ------------------------------------------------------------------------------------------------------- files
import json
import os
import shutil
import stat
import subprocess


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
