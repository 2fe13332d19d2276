# ------------------------------------------------------------------------------------------ what is waited for
import os
import selectors


class Watcher:
    """The handles that are waited for, the link's among them, and what is done about each."""

    def __init__(self, link):
        self.link = link
        self.selector = selectors.DefaultSelector()
        self.selector.register(link.read_handle, selectors.EVENT_READ, ("link", None))
        self.watched = {}

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
