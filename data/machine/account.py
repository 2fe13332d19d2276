# ------------------------------------------------------------------------------------------ the agent's account
import json
import os
import pwd
import signal

AGENT = "agent"
HOME = "/home/agent"
RESIDENTS = STATE + "/residents"

KNOWN = {}


def agent_identity():
    """Looked up once: the look-up loads libraries, and each command needs it."""
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
