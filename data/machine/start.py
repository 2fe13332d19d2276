# --------------------------------------------------------------------------------------------------- the start
import os
import selectors
import signal
import sys
import termios
import tty


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
