# -------------------------------------------------------------------------------------------------- operations
import json
import os
import selectors

# Done in the server itself: each is short, and nothing an agent makes can hold it up.
QUICK = {"stat": op_stat, "list": op_list, "lease": op_lease, "describe": op_describe}
SLOW = {
    "put": op_put,
    "read": op_read,
    "take": op_take,
    "remove": op_remove,
    "mark": op_mark,
    "changes": op_changes,
    "seal": op_seal,
    "mount": op_mount,
    "prepare": op_prepare,
    "release": op_release,
    "quiesce": op_quiesce,
}


def answer_of(operation, request, source=None, target=None):
    try:
        return dict(operation(request, source, target), ok=True)
    except Unusable as error:
        return {"ok": False, "code": "path", "message": str(error)}
    except OSError as error:
        where = " (%s)" % error.filename if error.filename else ""
        return {"ok": False, "code": "path", "message": "%s%s" % (error.strerror or error, where)}
    except Exception as error:
        return {"ok": False, "code": "server", "message": "%s: %s" % (type(error).__name__, error)}


def run_operation(operation, request, inner, status):
    """A slow operation in a process of its own, its streams those of a command."""
    with os.fdopen(inner[0], "rb") as source, os.fdopen(inner[1], "wb") as target:
        answer = answer_of(operation, request, source, target)
        try:
            target.flush()
        except OSError:
            pass
    os.close(inner[2])
    os.write(status, json.dumps({"answer": answer}).encode() + b"\n")
    os._exit(0)


class Operations:
    """Operations that may take long, each in a process of its own."""

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
