# ----------------------------------------------------------------------------------------------- the link


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


# --------------------------------------------------------------------------------------------- the server


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


class Server(Commands):
    def __init__(self, link):
        Commands.__init__(self)
        self.link = link
        self.limits = {}
        self.lease = None
        self.channels = {}
        self.selector = selectors.DefaultSelector()
        self.selector.register(link.read_handle, selectors.EVENT_READ, ("link", None))
        self.watched = {}
        self.next_number = 1
        # Nobody is let in before this time of the monotonic clock.
        self.accept_from = 0.0

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

    def watch_link(self):
        link, same = self.link, self.link.read_handle == self.link.write_handle
        wanted = selectors.EVENT_WRITE if link.outgoing else 0
        if same:
            self.selector.modify(link.read_handle, selectors.EVENT_READ | wanted, ("link", None))
        elif wanted and link.write_handle not in self.selector.get_map():
            self.selector.register(link.write_handle, wanted, ("link", None))
        elif not wanted and link.write_handle in self.selector.get_map():
            self.selector.unregister(link.write_handle)

    def watch(self, handle, events, what, channel):
        if handle in self.watched:
            self.selector.modify(handle, events, (what, channel))
        else:
            self.selector.register(handle, events, (what, channel))
        self.watched[handle] = (what, channel)

    def unwatch(self, handle):
        if self.watched.pop(handle, None):
            self.selector.unregister(handle)

    def close(self, handle):
        self.unwatch(handle)
        os.close(handle)

    # What the host says.

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

    def run_operation(self, number, request, operation):
        """Forks a process for it, with three pipes for its streams and one that says how it ends."""
        try:
            pipes = open_pipes(4)
        except OSError as error:
            return self.answer(number, {"ok": False, "code": "server", "message": error.strerror})
        inner, status = [pipes[0][0], pipes[1][1], pipes[2][1]], pipes[3][1]
        try:
            pid = os.fork()
        except OSError as error:
            close_pipes(pipes)
            return self.answer(number, {"ok": False, "code": "server", "message": no_process(error)})
        if pid == 0:
            try:
                close_others({*inner, status})
                run_operation(operation, request, inner, status)
            finally:
                os._exit(1)
        for handle in (*inner, status):
            os.close(handle)
        channel = self.open_channel(number, request, pipes)
        channel.process = pid
        channel.status = pipes[3][0]
        os.set_blocking(channel.status, False)
        self.watch(channel.status, selectors.EVENT_READ, self.read_status, channel)
        self.pump_all(channel)
        return None

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

    # The streams of a channel.

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

    def read_status(self, channel, handle):
        try:
            piece = os.read(handle, 1 << 16)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self.close(handle)
            channel.status = None
            if channel.final is None:
                self.ended(channel, {"ok": True, "signal": "SIGKILL"})
            self.forget_if_done(channel)
            return
        channel.status_text += piece
        *lines, channel.status_text = channel.status_text.split(b"\n")
        for line in lines:
            told = json.loads(line)
            if "group" in told["answer"]:
                self.limits["group"] = told["answer"]["group"]
            self.ended(channel, told["answer"])

    def ended(self, channel, final):
        channel.final = final
        for stream in (1, 2):
            if stream not in channel.sources:
                channel.finished.add(stream)
        self.pump_all(channel)
        self.maybe_answer(channel)

    # Ports forwarded to the host.

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


def own_handles():
    """Standard input and output under other numbers: from here on, what is written by accident is not on the link."""
    handles = os.dup(0), os.dup(1)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    return handles


def greet_terminal(source, target, nonce):
    """Says that it is ready until the host has heard it: what a terminal shows before anybody looks is lost."""
    tty.setraw(source, termios.TCSANOW)
    attributes = termios.tcgetattr(source)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(source, termios.TCSANOW, attributes)
    # A terminal is the errors' output too.
    os.dup2(0, 2)
    seen = b""
    begin = b"begin " + nonce.encode() + b"\n"
    watcher = selectors.DefaultSelector()
    watcher.register(source, selectors.EVENT_READ)
    while begin not in seen:
        os.write(target, b"\nready " + nonce.encode() + b"\n")
        if watcher.select(0.3):
            piece = os.read(source, 4096)
            if not piece:
                sys.exit(1)
            seen += piece
    watcher.close()
    # The host does not wait: what follows may have come in the same piece.
    return seen[seen.index(begin) + len(begin) :]


def main(arguments):
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.chdir("/")
    os.umask(0o022)
    os.environ["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    if arguments[:1] == ["--device"]:
        handle = os.open(arguments[1], os.O_RDWR)
        link = Link(handle, handle, False, True)
    elif arguments[:1] == ["--lines"]:
        source, target = own_handles()
        rest = greet_terminal(source, target, arguments[1])
        link = Link(source, target, True, False)
        link.text += rest
    else:
        link = Link(*own_handles(), False, False)
    Server(link).run()


main(sys.argv[1:])
