# ----------------------------------------------------------------------------------------------------- streams
import os
import selectors
import socket
import struct


class Streams:
    """The streams of channels: from and to the machine's side, as far as the other side has said it has room."""

    def feed(self, channel, handle):
        if channel.sink is None:
            channel.taken += len(channel.pending)
            channel.pending.clear()
            self.give_credit(channel)
            return
        while channel.pending:
            try:
                written = os.write(channel.sink, memoryview(channel.pending)[: 1 << 16])
            except BlockingIOError:
                self.watch(channel.sink, selectors.EVENT_WRITE, self.feed, channel)
                self.give_credit(channel)
                return
            except OSError:
                if channel.port_channel is not None:
                    return self.break_off(channel)
                self.close(channel.sink)
                channel.sink = None
                return self.feed(channel, None)
            del channel.pending[:written]
            channel.taken += written
        self.unwatch(channel.sink)
        self.give_credit(channel)
        if channel.sink_ends:
            self.end_sink(channel)

    def end_sink(self, channel):
        if channel.port_channel is not None:
            with socket.socket(fileno=os.dup(channel.sink)) as connection:
                try:
                    connection.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
        self.close(channel.sink)
        channel.sink = None
        self.end_connection(channel)

    def give_credit(self, channel):
        if channel.taken >= WINDOW // 4 or (channel.taken and not channel.pending):
            self.link.send(b"W", channel.number, struct.pack(">I", channel.taken))
            channel.taken = 0

    def pump_all(self, channel):
        for handle in list(channel.sources.values()):
            self.pump(channel, handle)

    def pump(self, channel, handle):
        """Hands on what a stream holds, as far as the host has room for it."""
        stream = next(number for number, other in channel.sources.items() if other == handle)
        while True:
            over = channel.answered or stream in channel.finished
            if over:
                room = 1 << 16
            else:
                room = min(channel.credit[stream], 1 << 16)
            if room == 0:
                self.unwatch(handle)
                return
            try:
                piece = os.read(handle, room)
            except BlockingIOError:
                self.watch(handle, selectors.EVENT_READ, self.pump, channel)
                if channel.final is not None:
                    self.finish_stream(channel, stream)
                return
            except OSError:
                if channel.port_channel is not None:
                    return self.break_off(channel)
                piece = b""
            if not piece:
                self.close(handle)
                del channel.sources[stream]
                self.finish_stream(channel, stream)
                self.forget_if_done(channel)
                self.end_connection(channel)
                return
            if over:
                # A process that outlived its command goes on writing: it must neither block nor break.
                continue
            channel.credit[stream] -= len(piece)
            self.link.send(b"O", channel.number, bytes([stream]) + piece)
            if channel.final is not None:
                channel.leftover -= len(piece)
                if channel.leftover < 0:
                    self.finish_stream(channel, stream)
            if len(self.link.outgoing) > 1 << 22:
                self.watch(handle, selectors.EVENT_READ, self.pump, channel)
                return

    def finish_stream(self, channel, stream):
        if stream in channel.finished or channel.answered:
            return
        channel.finished.add(stream)
        self.link.send(b"F", channel.number, bytes([stream]))
        self.maybe_answer(channel)

    def ended(self, channel, final):
        channel.final = final
        for stream in (1, 2):
            if stream not in channel.sources:
                channel.finished.add(stream)
        self.pump_all(channel)
        self.maybe_answer(channel)

    def maybe_answer(self, channel):
        if channel.final is None or channel.answered or len(channel.finished) < 2:
            return
        channel.answered = True
        self.answer(channel.number, channel.final)
        if channel.sink is not None:
            self.close(channel.sink)
            channel.sink = None
        # A stream that waited for the host's credit is read on as well, into nothing.
        for handle in channel.sources.values():
            self.watch(handle, selectors.EVENT_READ, self.pump, channel)
        self.forget_if_done(channel)

    def forget_if_done(self, channel):
        if channel.answered and not channel.sources and channel.status is None:
            self.channels.pop(channel.number, None)
