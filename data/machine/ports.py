# --------------------------------------------------------------------------------- ports forwarded to the host
import errno
import json
import os
import selectors
import socket
import struct
import time

MOST_CONNECTIONS = 256


def listen_inside(own_network):
    """A socket belongs to the network it was made in: it is made there, and handed out."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        try:
            if own_network:
                enter_network()
            listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            listener.bind(("127.0.0.1", 0))
            listener.listen(128)
            theirs.sendmsg([b"+"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", listener.fileno()))])
        except OSError as error:
            theirs.sendmsg([(error.strerror or str(error)).encode()])
        os._exit(0)
    theirs.close()
    with ours:
        text, extra, _, _ = ours.recvmsg(1024, socket.CMSG_SPACE(4))
    os.waitpid(child, 0)
    if not extra:
        raise OSError(errno.EADDRINUSE, text.decode("utf-8", "replace"))
    return socket.socket(fileno=struct.unpack("i", extra[0][2][:4])[0])


class Ports:
    """Ports of the machine that lead to the host, and the connections that come in by them."""

    def __init__(self):
        self.next_number = 1
        # Nobody is let in before this time of the monotonic clock.
        self.accept_from = 0.0

    def listen(self, number):
        try:
            listener = listen_inside(self.limits.get("ownNetwork"))
        except OSError as error:
            return self.answer(number, {"ok": False, "code": "path", "message": error.strerror or str(error)})
        channel = self.channels[number] = Channel(number)
        channel.listener = listener
        listener.setblocking(False)
        self.link.send(b"V", number, json.dumps({"listening": listener.getsockname()[1]}).encode())
        return None

    def watch_ports(self):
        """Those above the limit wait before the port; so do all while there are no handles or memory left."""
        channels = self.channels.values()
        ports = [channel for channel in channels if channel.listener is not None]
        if ports:
            connections = sum(channel.port_channel is not None for channel in channels)
            room = connections < MOST_CONNECTIONS and time.monotonic() >= self.accept_from
            for channel in ports:
                handle = channel.listener.fileno()
                if room and handle not in self.watched:
                    self.watch(handle, selectors.EVENT_READ, self.accept, channel)
                elif not room:
                    self.unwatch(handle)

    def accept(self, channel, handle):
        if sum(other.port_channel is not None for other in self.channels.values()) >= MOST_CONNECTIONS:
            return
        try:
            connection, _ = channel.listener.accept()
            other = os.dup(connection.fileno())
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError:
            self.accept_from = time.monotonic() + 1
            return
        number, self.next_number = self.next_number, self.next_number + 2
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # What is not read waits here, as far as the host has been told of room, and not in the system as well.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
        inner = self.channels[number] = Channel(number)
        inner.port_channel = channel.number
        # Two handles of one connection, each watched for its own direction.
        inner.sources = {1: connection.detach()}
        inner.sink = other
        self.link.send(b"V", channel.number, json.dumps({"accepted": number}).encode())
        self.watch(inner.sources[1], selectors.EVENT_READ, self.pump, inner)

    def end_connection(self, channel):
        """Tells when all has been said both ways. It keeps its place until the host lets go: that has never more than we."""
        if channel.port_channel is not None and channel.sink is None and not channel.sources and not channel.answered:
            channel.answered = True
            self.answer(channel.number, {"ok": True})

    def break_off(self, channel):
        self.close_handles(channel)
        channel.pending.clear()
        channel.answered = True
        self.answer(channel.number, {"ok": True, "broken": True})

    def hang_up(self):
        """No port is forwarded any more, and no connection left."""
        for channel in list(self.channels.values()):
            if channel.listener is not None or channel.port_channel is not None:
                self.drop(channel)
                self.answer(channel.number, {"ok": True, "broken": True})
