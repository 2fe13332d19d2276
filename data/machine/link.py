# ---------------------------------------------------------------------------------------------------- the link
import base64
import json
import os
import select
import struct
import time
import traceback


class Link:
    """The byte stream to the host: frames in, frames out, neither ever blocking the server."""

    def __init__(self, read_handle, write_handle, lines, lasting):
        self.read_handle, self.write_handle = read_handle, write_handle
        self.lines, self.lasting = lines, lasting
        self.incoming, self.outgoing, self.text = bytearray(), bytearray(), bytearray()
        self.closed = False
        for handle in {read_handle, write_handle}:
            os.set_blocking(handle, False)

    def send(self, kind, channel, payload=b""):
        frame = struct.pack(">IcI", len(payload) + 5, kind, channel) + payload
        if self.lines:
            frame = base64.b64encode(frame) + b"\n"
        self.outgoing += frame
        self.flush()

    def flush(self):
        while self.outgoing:
            try:
                written = os.write(self.write_handle, memoryview(self.outgoing)[: 1 << 16])
            except BlockingIOError:
                return
            except OSError:
                # A device without a host at the other end takes nothing: what was for the last host is nobody's.
                self.outgoing.clear()
                self.closed = not self.lasting
                return
            del self.outgoing[:written]

    def receive(self):
        """The frames that have come; nothing for a device that no host has open."""
        while True:
            try:
                piece = os.read(self.read_handle, 1 << 18)
            except BlockingIOError:
                break
            except OSError:
                piece = b""
            if not piece:
                if not self.lasting:
                    self.closed = True
                else:
                    # The half of a frame that a lost host sent is not the beginning of the next one's.
                    self.incoming.clear()
                    time.sleep(0.01)
                break
            if self.lines:
                self.text += piece
            else:
                self.incoming += piece
            if len(piece) < 1 << 18:
                break
        return list(self.line_frames() if self.lines else self.frames())

    def frames(self):
        while len(self.incoming) >= 4:
            length = struct.unpack_from(">I", self.incoming)[0]
            if len(self.incoming) < 4 + length:
                return
            frame = bytes(self.incoming[4 : 4 + length])
            del self.incoming[: 4 + length]
            yield frame[:1], struct.unpack_from(">I", frame, 1)[0], frame[5:]

    def line_frames(self):
        *whole, rest = bytes(self.text).split(b"\n")
        self.text = bytearray(rest)
        for line in whole:
            self.incoming += base64.b64decode(line, validate=True)
        return self.frames()

    def fail(self, error):
        """Tells the host that this program ends and why, if the host still takes anything."""
        where = traceback.extract_tb(error.__traceback__)[-1]
        text = "%s: %s (%s, line %d)" % (type(error).__name__, error, where.name, where.lineno)
        self.send(b"V", 0, json.dumps({"failed": text}).encode())
        deadline = time.monotonic() + 5
        while self.outgoing and not self.closed and time.monotonic() < deadline:
            select.select([], [self.write_handle], [], 1)
            self.flush()
