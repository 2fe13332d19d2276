"""Serves a Linux machine to ale: commands, files and forwarded ports over one byte stream.

Started as root on the machine, over standard input and output (an SSH channel), a terminal (`--lines`, each frame a
line of base64) or a device (`--device PATH`, a virtio serial port). Standard library of Python 3.8 and later only.

A frame is: length of what follows (4 bytes, big endian), kind (1 byte), channel (4 bytes), payload.
From the host:    R request (JSON), D data, E end of data, W credit (stream, 4 bytes), K signal (JSON), X close.
From the machine: A answer, which closes the channel (JSON), V event (JSON), O output (stream, bytes), F end of a
stream (stream), W credit (4 bytes). An event of channel 0 says that the program itself ends, and why (`failed`).
"""
import base64
import ctypes
import errno
import fcntl
import hashlib
import json
import marshal
import os
import pwd
import re
import resource
import select
import selectors
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import termios
import time
import traceback
import tty

WINDOW = 512 * 1024
MOST_CONNECTIONS = 256
STATE = "/run/ale-server"
NETWORK = STATE + "/net"
BASELINE = STATE + "/baseline"
RESIDENTS = STATE + "/residents"
SEALED = STATE + "/sealed"
KEEPER = "ale-keeper"
AGENT = "agent"
HOME = "/home/agent"
GROUP = "/sys/fs/cgroup/ale"

libc = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, "%s: %s" % (what, os.strerror(number)))


def prctl(option, value):
    check(libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0), "prctl")


def name_process(name):
    libc.prctl(15, name.encode(), 0, 0, 0)

# ----------------------------------------------------------------------------------------------------- processes



def process_table():
    """Parent, session user and name of every process, by number."""
    table = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % entry, "rb") as file:
                text = file.read()
            uid = os.stat("/proc/" + entry).st_uid
        except OSError:
            continue
        end = text.rindex(b")")
        fields = text[end + 2 :].split()
        name = text[text.index(b"(") + 1 : end].decode("utf-8", "replace")
        table[int(entry)] = (int(fields[1]), uid, name, fields[0], fields[19])
    return table


def below(table, roots):
    children = {}
    for pid, row in table.items():
        children.setdefault(row[0], []).append(pid)
    found, queue = set(), list(roots)
    while queue:
        for child in children.get(queue.pop(), ()):
            if child not in found:
                found.add(child)
                queue.append(child)
    return found


def send_signal(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def kill_until_none(find, reap=lambda: None, seconds=20):
    """Stops all of them before any is killed: what is stopped makes no others.

    Only a second look that finds nothing is believed: what one look lists may end, and leave a child, before it is read.
    """
    deadline = time.monotonic() + seconds
    stopped = set()
    seen_none = False
    while True:
        reap()
        found = find()
        if not found and seen_none:
            return True
        seen_none = not found
        fresh = found - stopped
        for pid in fresh:
            send_signal(pid, signal.SIGSTOP)
        stopped |= fresh
        if not fresh:
            for pid in found:
                send_signal(pid, signal.SIGKILL)
            stopped.clear()
            time.sleep(0.002)
        if time.monotonic() > deadline:
            return False


def keepers(table):
    return {pid for pid, row in table.items() if row[2] == KEEPER and row[1] == 0}


KNOWN = {}


def agent_identity():
    """Looked up once, before any fork: the look-up loads libraries, which each command would do for itself."""
    if AGENT not in KNOWN:
        KNOWN[AGENT] = pwd.getpwnam(AGENT)
        KNOWN["groups"] = os.getgrouplist(AGENT, KNOWN[AGENT].pw_gid)
    return KNOWN[AGENT]


def residents():
    try:
        with open(RESIDENTS) as file:
            return set(json.load(file))
    except (OSError, ValueError):
        return set()


def left_behind():
    """What commands left running: below our keepers, or the agent's own, but not what was there before the lease."""
    table = process_table()
    uid = agent_identity().pw_uid
    kept = residents()
    own = {pid for pid, row in table.items() if row[1] == uid and "%d %s" % (pid, row[4].decode()) not in kept}
    found = below(table, keepers(table)) | own
    return {pid: table[pid][2] for pid in found if table[pid][3] not in (b"Z", b"X")}


# No process has this number as its user: who bears it as well as the agent's can kill the agent's processes, and
# cannot be killed by them.
NOBODYS = 0xFFFFFFF0


def kill_account():
    """Kills all that the agent's account runs, at once: the kernel lets no fork slip between."""
    identity = agent_identity()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresuid(NOBODYS, identity.pw_uid, NOBODYS)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def end_left_behind():
    """Whether nothing that commands left runs any more."""
    if not residents():
        kill_account()
    return kill_until_none(lambda: set(left_behind()))


# ----------------------------------------------------------------------------------------------- commands


def enter_network():
    handle = os.open(NETWORK, os.O_RDONLY)
    check(libc.setns(handle, 0x40000000), "setns")
    os.close(handle)


def become(user, limits):
    if user == "root":
        os.setgroups([])
        return
    identity = agent_identity()
    most = limits.get("maxProcesses")
    if most:
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    os.setgroups(KNOWN["groups"])
    os.setresgid(identity.pw_gid, identity.pw_gid, identity.pw_gid)
    os.setresuid(identity.pw_uid, identity.pw_uid, identity.pw_uid)
    prctl(38, 1)


def find_program(name, path):
    if "/" in name:
        if os.path.isfile(name) and os.access(name, os.X_OK):
            return name
        raise FileNotFoundError("there is no program " + name)
    for folder in path.split(":"):
        candidate = os.path.join(folder, name)
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return candidate
    raise FileNotFoundError("there is no program " + name)


def start_program(request, limits, failure):
    """Last steps of the command's own process; returns only by replacing the program or writing why not."""
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.umask(0o022)
        if request["network"] == "sandbox" and limits.get("ownNetwork"):
            enter_network()
        if request["user"] == "agent":
            # Whoever opens /dev/stdout by name must own what is behind it.
            for number in range(3):
                os.fchown(number, agent_identity().pw_uid, agent_identity().pw_gid)
        become(request["user"], limits)
        try:
            os.chdir(request["cwd"])
        except OSError:
            raise FileNotFoundError("the working directory %s cannot be entered" % request["cwd"])
        environment = dict(request["env"], PWD=request["cwd"])
        program = find_program(request["argv"][0], environment.get("PATH", ""))
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.execve(program, request["argv"], environment)
    except BaseException as error:
        text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        os.write(failure, text.encode()[:2000])
    os._exit(127)


def memory_kills(limits):
    """How often the kernel has killed for want of memory: that of the commands, or else of the whole machine."""
    path = GROUP + "/work/memory.events" if limits.get("group") else "/proc/vmstat"
    try:
        with open(path, "rb") as file:
            found = re.search(rb"^oom_kill (\d+)$", file.read(), re.M)
    except OSError:
        return 0
    return int(found.group(1)) if found else 0


def keep_command(request, limits, inner, status):
    """The keeper: parent of the command and of every orphan of it, so that all of them can be found and ended."""
    name_process(KEEPER)
    prctl(36, 1)
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGCHLD, signal.SIGTERM))
    if limits.get("group"):
        try:
            with open(GROUP + "/work/cgroup.procs", "w") as file:
                file.write("0")
        except OSError:
            pass
    kills_before = memory_kills(limits)
    read_end, failure = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        for number, handle in enumerate(inner):
            os.dup2(handle, number)
        start_program(request, limits, failure)
    os.close(failure)
    null = os.open("/dev/null", os.O_RDWR)
    for number in range(3):
        os.dup2(null, number)
    for handle in inner + [null]:
        os.close(handle)

    def tell(**fields):
        try:
            os.write(status, json.dumps(fields).encode() + b"\n")
        except OSError:
            pass

    reason = b""
    while True:
        piece = os.read(read_end, 4096)
        if not piece:
            break
        reason += piece
    os.close(read_end)
    if reason:
        os.waitpid(child, 0)
        tell(failed=reason.decode("utf-8", "replace"))
        os._exit(0)
    tell(started=child)

    def reap():
        while True:
            try:
                pid, code = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == child:
                if os.WIFSIGNALED(code):
                    end = {"signal": signal.Signals(os.WTERMSIG(code)).name}
                else:
                    end = {"exit": os.WEXITSTATUS(code)}
                # What the host has us end was not ended by what the kernel did.
                if end in ({"signal": "SIGKILL"}, {"exit": 137}) and not told_to_end:
                    end["memoryKills"] = memory_kills(limits) - kills_before
                tell(**end)

    mine = os.getpid()
    told_to_end = False
    while reap():
        if signal.sigwaitinfo((signal.SIGCHLD, signal.SIGTERM)).si_signo == signal.SIGTERM:
            told_to_end = True
            kill_until_none(lambda: below(process_table(), [mine]), reap)
    os._exit(0)
