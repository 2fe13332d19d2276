# -------------------------------------------------------------------------------------------------- commands
import json
import marshal
import os
import selectors
import signal
import socket
import struct
import subprocess
import sys

# Keepers that wait for a command: one after the other needs one.
MOST_IDLE = 2


def no_process(error):
    return "no process could be started: %s" % error.strerror


class Kept:
    """A keeper as the server sees it: the connection to it, and the channel and number of the command it has."""

    def __init__(self, connection):
        self.connection = connection
        self.channel = None
        self.number = 0

    def send(self, kind, handles=()):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("%di" % len(handles), *handles))]
        packet = struct.pack(">cI", kind, self.number)
        self.connection.sendmsg([packet], rights if handles else [], socket.MSG_NOSIGNAL)


class Commands:
    """Commands, each run by a keeper: a small process that is there before the command and after it."""

    def __init__(self):
        self.breeder = None
        self.idle = []

    def run_command(self, number, request):
        identity = None
        if request["user"] == "agent":
            found = agent_identity()
            identity = (found.pw_uid, found.pw_gid, KNOWN["groups"])
        try:
            pipes = open_pipes(3)
        except OSError as error:
            return self.answer(number, {"ok": False, "code": "server", "message": error.strerror})
        inner = [pipes[0][0], pipes[1][1], pipes[2][1]]
        try:
            # In a file: a packet has no room for every environment, and a pipe would have to be waited for.
            with open(os.memfd_create("request"), "w+b") as file:
                marshal.dump(dict(request, limits=self.limits, identity=identity), file)
                file.flush()
                file.seek(0)
                keeper = self.hand_over([file.fileno(), *inner])
        except OSError as error:
            close_pipes(pipes)
            return self.answer(number, {"ok": True, "failed": no_process(error)})
        for handle in inner:
            os.close(handle)
        channel = self.open_channel(number, request, pipes)
        channel.keeper, keeper.channel = keeper, channel
        self.pump_all(channel)
        return None

    def hand_over(self, handles):
        """Gives a command to a keeper that waits, or to a new one; the former may have died while it waited."""
        while self.idle:
            keeper = self.idle.pop()
            keeper.number += 1
            try:
                keeper.send(b"R", handles)
                return keeper
            except OSError:
                continue
        keeper = self.new_keeper()
        keeper.send(b"R", handles)
        return keeper

    def new_keeper(self):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", theirs.fileno()))]
        with theirs:
            try:
                if self.breeder is None:
                    self.breeder = start_breeder()
                self.breeder.sendmsg([b"K"], rights, socket.MSG_NOSIGNAL)
            except ConnectionError:
                self.breeder.close()
                self.breeder = start_breeder()
                self.breeder.sendmsg([b"K"], rights, socket.MSG_NOSIGNAL)
        ours.setblocking(False)
        keeper = Kept(ours)
        self.watch(ours.fileno(), selectors.EVENT_READ, self.hear_keeper, keeper)
        return keeper

    def hear_keeper(self, keeper, _handle):
        try:
            packet = keeper.connection.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            packet = b""
        if not packet:
            return self.lose_keeper(keeper)
        told = marshal.loads(packet)
        if told.get("number", keeper.number) == keeper.number:
            self.hear_of_command(keeper, told)

    def hear_of_command(self, keeper, told):
        channel = keeper.channel
        if channel is not None and "started" in told:
            channel.child = told["started"]
            if channel.asked_to_end:
                self.ask_to_end(channel)
            self.link.send(b"V", channel.number, json.dumps({"started": channel.child}).encode())
        end = {key: told[key] for key in ("failed", "exit", "signal", "memoryKills") if key in told}
        if channel is not None and end:
            self.ended(channel, dict(end, ok=True))
        if "free" in told:
            keeper.channel = None
            if len(self.idle) < MOST_IDLE:
                self.idle.append(keeper)
            else:
                self.unwatch(keeper.connection.fileno())
                keeper.connection.close()

    def lose_keeper(self, keeper):
        self.unwatch(keeper.connection.fileno())
        keeper.connection.close()
        if keeper in self.idle:
            self.idle.remove(keeper)
        channel, keeper.channel = keeper.channel, None
        if channel is not None and channel.final is None:
            self.ended(channel, {"ok": True, "signal": "SIGKILL"})

    def end_command(self, channel, wanted):
        if wanted.get("gently"):
            if channel.keeper is not None and not channel.answered:
                # What a command writes may be heard before its number is.
                channel.asked_to_end = True
                if channel.child is not None:
                    self.ask_to_end(channel)
        else:
            self.kill(channel)

    def ask_to_end(self, channel):
        try:
            os.killpg(channel.child, signal.SIGTERM)
        except ProcessLookupError:
            pass

    def kill(self, channel):
        """Ends what has not answered: an operation's process, or a command and all it started."""
        if channel.answered:
            return
        if channel.process is not None:
            send_signal(channel.process, signal.SIGTERM)
        elif channel.keeper is not None and channel.keeper.channel is channel:
            try:
                channel.keeper.send(b"E")
            except OSError:
                # It has died: that is told where it is heard.
                pass


def start_breeder():
    """Starts the keepers' own program in an interpreter that has loaded nothing else; gives the connection to it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs, open(os.memfd_create("keepers"), "w+b") as program:
        program.write(KEEPER_PROGRAM.encode())
        program.flush()
        program.seek(0)
        subprocess.Popen(
            [sys.executable, "-I", "-S", "-", str(theirs.fileno())],
            stdin=program,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            cwd="/",
            env={},
            start_new_session=True,
        )
    return ours
