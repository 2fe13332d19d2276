# --------------------------------------------------------------------------------------------------- processes
import os
import signal
import time


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
