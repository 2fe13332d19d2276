# -------------------------------------------------------------------------------------------------- the server
import json
import os
import selectors
import socket
import struct


class Server(Watcher, Streams, Commands, Operations, Ports):
    """Does what the host says."""

    def __init__(self, link):
        Watcher.__init__(self, link)
        Commands.__init__(self)
        Ports.__init__(self)
        self.limits = {}
        self.lease = None
        self.channels = {}

    def run(self):
        try:
            self.serve()
        except Exception as error:
            self.link.fail(error)
            raise
        finally:
            for channel in list(self.channels.values()):
                self.kill(channel)

    def serve(self):
        if self.link.text:
            for kind, number, payload in self.link.receive():
                self.handle(kind, number, payload)
        while not self.link.closed:
            self.watch_link()
            self.watch_ports()
            for key, events in self.selector.select(1.0):
                what, channel = key.data
                if what == "link":
                    if events & selectors.EVENT_WRITE:
                        self.link.flush()
                    if events & selectors.EVENT_READ:
                        for kind, number, payload in self.link.receive():
                            self.handle(kind, number, payload)
                elif self.watched.get(key.fd) == key.data:
                    # Otherwise an event before this one has closed the handle, and its number may be another's by now.
                    what(channel, key.fd)
            self.reap()

    def reap(self):
        try:
            while os.waitpid(-1, os.WNOHANG)[0] != 0:
                pass
        except ChildProcessError:
            pass

    def handle(self, kind, number, payload):
        if kind == b"R":
            self.request(number, json.loads(payload))
            return
        channel = self.channels.get(number)
        if channel is None:
            return
        if kind == b"D":
            channel.pending += payload
            self.feed(channel, channel.sink)
        elif kind == b"E":
            channel.sink_ends = True
            self.feed(channel, channel.sink)
        elif kind == b"W":
            stream, credit = struct.unpack(">BI", payload)
            channel.credit[stream] += credit
            self.pump_all(channel)
        elif kind == b"K":
            self.end_command(channel, json.loads(payload))
        elif kind == b"X":
            self.drop(channel)

    def request(self, number, request):
        name = request["op"]
        if self.lease is not None and name not in ("hello", "lease") and lease_holder() != self.lease:
            self.answer(number, {"ok": False, "code": "lease", "message": "the machine has been given to another"})
            return
        if name == "hello":
            # A new host: whatever the last one had open is nobody's.
            for channel in list(self.channels.values()):
                self.kill(channel)
                self.drop(channel)
            self.answer(number, {"ok": True, "version": 1})
        elif name == "run":
            self.run_command(number, request)
        elif name == "listen":
            self.listen(number)
        elif name in QUICK:
            answer = answer_of(QUICK[name], request)
            if name == "lease" and answer["ok"] and "heldBy" not in answer and request["seconds"] >= 0:
                self.lease = request["id"]
            self.answer(number, answer)
        else:
            if name == "quiesce":
                self.hang_up()
            if name == "prepare":
                self.limits = dict(request, group=True)
            self.run_operation(number, request, SLOW[name])

    def answer(self, number, answer):
        self.link.send(b"A", number, json.dumps(answer).encode())

    def open_channel(self, number, request, pipes):
        """With the server's ends of the pipes of standard input, output and error."""
        channel = self.channels[number] = Channel(number)
        channel.sink = pipes[0][1]
        channel.sources = {1: pipes[1][0], 2: pipes[2][0]}
        for handle in (channel.sink, *channel.sources.values()):
            os.set_blocking(handle, False)
        if request.get("stdin") is not True:
            channel.sink_ends = True
            self.feed(channel, channel.sink)
        return channel

    def drop(self, channel):
        self.close_handles(channel)
        channel.answered = True
        self.channels.pop(channel.number, None)
        if channel.listener is not None:
            self.unwatch(channel.listener.fileno())
            channel.listener.close()
            channel.listener = None
            for other in list(self.channels.values()):
                if other.port_channel == channel.number:
                    self.drop(other)

    def close_handles(self, channel):
        handles = set(channel.sources.values()) | {channel.sink, channel.status} - {None}
        channel.sources, channel.sink, channel.status = {}, None, None
        if channel.port_channel is not None and handles:
            # What is broken off does not look like what has come to its end.
            connection = socket.socket(fileno=next(iter(handles)))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.detach()
        for handle in handles:
            self.close(handle)
