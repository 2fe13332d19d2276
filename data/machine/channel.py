# ---------------------------------------------------------------------------------------------------- channels
import os

WINDOW = 512 * 1024


class Channel:
    """A command, an operation or a connection: handles to the machine's side of it, credit from the host's."""

    def __init__(self, number):
        self.number = number
        self.sink = None
        self.pending = bytearray()
        self.taken = 0
        self.sink_ends = False
        self.sources = {}
        self.credit = {1: WINDOW, 2: WINDOW}
        self.finished = set()
        self.status = None
        self.status_text = b""
        # Of an operation, its process; of a command, its keeper and the number of its own process.
        self.process = None
        self.keeper = None
        self.child = None
        self.asked_to_end = False
        self.final = None
        self.leftover = 1 << 20
        self.answered = False
        # Of a forwarded port; of a connection, the channel of the port it came in by.
        self.listener = None
        self.port_channel = None


def open_pipes(count):
    pipes = []
    try:
        for _ in range(count):
            pipes.append(os.pipe())
    except OSError:
        close_pipes(pipes)
        raise
    return pipes


def close_pipes(pipes):
    for pair in pipes:
        for handle in pair:
            os.close(handle)


def close_others(keep):
    for name in os.listdir("/proc/self/fd"):
        handle = int(name)
        if handle > 2 and handle not in keep:
            try:
                os.close(handle)
            except OSError:
                pass
