# --------------------------------------------------------------------------------------------------- the keepers
# A program of its own, started by the server from KEEPER_PROGRAM: what it forks is small, so forks are fast.
import gc
import marshal
import os
import resource
import select
import signal
import socket
import struct
import sys


def memory_kills(limits):
    """How often the kernel has killed for want of memory: that of the commands, or else of the whole machine."""
    path = GROUP + "/work/memory.events" if limits.get("group") else "/proc/vmstat"
    try:
        with open(path, "rb") as file:
            for line in file:
                if line.startswith(b"oom_kill "):
                    return int(line.split()[1])
    except OSError:
        pass
    return 0


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        # Python names the first and the last of the real-time signals alone.
        return "SIGRTMIN+%d" % (number - signal.SIGRTMIN)


class Keeper:
    """The parent of one command at a time and of every orphan of it, so that all of them can be found and ended.

    The server hands it one command after the other: packets of a kind and the command's number, R to run one (with
    handles: the request, the three streams) and E to end what is left of it. It tells, with the number: `started` or
    `failed`; how the command ended; `free` when nothing is left of it and the next may come.
    """

    def __init__(self, server):
        self.server = server
        self.number = 0
        self.child = None
        self.failure = None
        self.reason = b""
        self.alone = True
        self.grouped = False
        self.told_to_end = False
        self.limits = {}
        self.kills_before = 0
        self.wake, handle = os.pipe()
        for end in (self.wake, handle):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(handle)
        self.poll = select.poll()
        self.poll.register(server, select.POLLIN)
        self.poll.register(self.wake, select.POLLIN)

    def run(self):
        while self.server is not None or not self.alone:
            for handle, _ in self.poll.poll():
                if handle == self.failure:
                    self.hear_command()
                elif handle == self.wake:
                    os.read(self.wake, 4096)
                    self.reap()
                elif self.server is not None and handle == self.server.fileno():
                    self.hear_server()

    def tell(self, **fields):
        if self.server is not None:
            try:
                self.server.send(marshal.dumps(dict(fields, number=self.number)), socket.MSG_NOSIGNAL)
            except OSError:
                pass

    def hear_server(self):
        try:
            packet, extra, _, _ = self.server.recvmsg(16, socket.CMSG_SPACE(16), socket.MSG_CMSG_CLOEXEC)
        except OSError:
            packet, extra = b"", []
        if not packet:
            self.poll.unregister(self.server)
            self.server.close()
            self.server = None
            # A command that nobody hears of any more ends; what an earlier one left behind lives on.
            if self.child is not None:
                self.end()
            return
        kind, number = struct.unpack(">cI", packet)
        if kind == b"R":
            self.number = number
            self.start(struct.unpack("4i", extra[0][2]))
        elif number == self.number:
            self.end()

    def start(self, handles):
        with open(handles[0], "rb") as file:
            request = marshal.load(file)
        self.limits = request["limits"]
        self.told_to_end = False
        if self.limits.get("group") and not self.grouped:
            self.join_group()
        self.kills_before = memory_kills(self.limits)
        self.failure, failure = os.pipe()
        try:
            child = os.fork()
        except OSError as error:
            for handle in (*handles[1:], self.failure, failure):
                os.close(handle)
            self.failure = None
            return self.tell(failed="no process could be started: %s" % error.strerror, free=True)
        if child == 0:
            try:
                for number, handle in enumerate(handles[1:]):
                    os.dup2(handle, number)
                start_program(request, failure)
            finally:
                os._exit(127)
        self.child, self.alone = child, False
        for handle in (*handles[1:], failure):
            os.close(handle)
        self.poll.register(self.failure, select.POLLIN)
        return None

    def join_group(self):
        try:
            with open(GROUP + "/work/cgroup.procs", "w") as file:
                file.write("0")
            self.grouped = True
        except OSError:
            pass

    def hear_command(self):
        """The command's process has become its program, or has said why not and ends."""
        self.reason = os.read(self.failure, 4096)
        self.poll.unregister(self.failure)
        os.close(self.failure)
        self.failure = None
        if not self.reason:
            self.tell(started=self.child)

    def reap(self):
        told = {}
        while not self.alone:
            try:
                pid, code = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                self.alone = True
                told["free"] = True
                break
            if pid == 0:
                break
            if pid == self.child:
                if self.failure is not None:
                    self.hear_command()
                told = self.end_of(code)
        if told:
            self.tell(**told)

    def end_of(self, code):
        self.child = None
        if self.reason:
            return {"failed": self.reason.decode("utf-8", "replace")}
        if os.WIFSIGNALED(code):
            end = {"signal": signal_name(os.WTERMSIG(code))}
        else:
            end = {"exit": os.WEXITSTATUS(code)}
        # What the host has us end was not ended by what the kernel did.
        if end in ({"signal": "SIGKILL"}, {"exit": 137}) and not self.told_to_end:
            end["memoryKills"] = memory_kills(self.limits) - self.kills_before
        return end

    def end(self):
        self.told_to_end = True
        mine = os.getpid()
        kill_until_none(lambda: below(process_table(), [mine]), self.reap)


def breed_keepers(server):
    """Forks a keeper for each connection the server hands it."""
    name_process("ale-keepers")
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    # Nobody here waits for a keeper's end.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    # As every command is to have them.
    os.umask(0o022)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    # A collection would write to every page, and each page written to is copied.
    gc.disable()
    gc.freeze()
    while True:
        packet, extra, _, _ = server.recvmsg(1, socket.CMSG_SPACE(4), socket.MSG_CMSG_CLOEXEC)
        if not packet:
            os._exit(0)
        connection = socket.socket(fileno=struct.unpack("i", extra[0][2])[0])
        try:
            child = os.fork()
        except OSError as error:
            text = "no process could be started: %s" % error.strerror
            connection.send(marshal.dumps({"failed": text}), socket.MSG_NOSIGNAL)
            child = None
        if child == 0:
            server.close()
            name_process(KEEPER)
            prctl(36, 1)
            try:
                Keeper(connection).run()
            finally:
                os._exit(0)
        connection.close()


breed_keepers(socket.socket(fileno=int(sys.argv[1])))
