# ------------------------------------------------------------------------------------------------------ mounts
import ctypes
import json
import os
import shutil
import subprocess
import time

SEALED = STATE + "/sealed"
DISPLAY = "/tmp/.X11-unix"


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
