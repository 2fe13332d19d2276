# ------------------------------------------------------------------------------- what only the C library offers
import ctypes
import os

STATE = "/run/ale-server"
NETWORK = STATE + "/net"
GROUP = "/sys/fs/cgroup/ale"
KEEPER = "ale-keeper"

libc = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, "%s: %s" % (what, os.strerror(number)))


def prctl(option, value):
    check(libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0), "prctl")


def name_process(name):
    libc.prctl(15, name.encode(), 0, 0, 0)


def enter_network():
    handle = os.open(NETWORK, os.O_RDONLY)
    check(libc.setns(handle, 0x40000000), "setns")
    os.close(handle)
