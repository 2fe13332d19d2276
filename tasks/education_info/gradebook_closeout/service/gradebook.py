"""A small gradebook on 127.0.0.1: `python3 gradebook.py DATABASE PORT`. Nothing outside Python's own library."""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pages
from book import Book, Refused


def whole(text, what):
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise Refused(f"{what}: {text or 'nothing'} is not a whole number.")
    return int(text)


def fields(form, prefix):
    start = f"{prefix}:"
    return {name[len(start) :]: text for name, text in form.items() if name.startswith(start)}


def known(found, names):
    """Only a whole form is saved: a row left out would otherwise be emptied or kept by chance."""
    if set(found) != set(names):
        raise Refused("The form is not whole. Load the page again.")
    return found


class Handler(BaseHTTPRequestHandler):
    book: Book
    # Browsers keep spare connections open, so each has a thread; the book is for one at a time.
    lock = threading.Lock()

    def log_message(self, *_):
        pass

    def do_GET(self):
        with self.lock:
            self.answer()

    def answer(self):
        url = urlsplit(self.path)
        note = "Saved." if url.query == "saved" else ""
        if url.path == "/export.csv":
            if not self.book.is_closed():
                return self.show("Final grades", "", 409, "There is nothing to export before the section is closed.", True)
            return self.reply(200, pages.export(self.book), "text/csv; charset=utf-8")
        found = self.find(url.path)
        if found is None:
            return self.show("Not found", "", 404)
        return self.show(*found, 200, note)

    def find(self, path):
        plain = {
            "/": ("Overview", pages.overview),
            "/settings": ("Settings", pages.settings),
            "/roster": ("Roster", pages.roster),
            "/closeout": ("Close-out", pages.closeout),
        }
        if path in plain:
            title, body = plain[path]
            return title, body(self.book)
        row = self.assignment(path)
        return None if row is None else (row["name"], pages.assignment(self.book, row))

    def assignment(self, path):
        rows = {f"/assignment/{row['id']}": row for row in self.book.assignments()}
        return rows.get(path)

    def do_POST(self):
        size = int(self.headers.get("Content-Length", "0"))
        if size > 200_000:
            return self.show("Too large", "", 413)
        sent = parse_qs(self.rfile.read(size).decode("utf-8"), keep_blank_values=True)
        with self.lock:
            self.accept({name: values[-1].strip() for name, values in sent.items()})

    def accept(self, form):
        try:
            target = self.save(self.path, form)
        except Refused as refusal:
            return self.show("Not saved", '<p><a href="javascript:history.back()">Back</a></p>', 409, str(refusal), True)
        if target is None:
            return self.show("Not found", "", 404)
        self.send_response(303)
        self.send_header("Location", target)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def save(self, path, form):
        book = self.book
        numbers = [row["number"] for row in book.students()]
        if path == "/settings":
            ids = [str(row["id"]) for row in book.categories()]
            weights, drops = known(fields(form, "weight"), ids), known(fields(form, "drop"), ids)
            book.save_settings(
                {int(key): whole(text, "weight") for key, text in weights.items()},
                {int(key): whole(text, "dropped") for key, text in drops.items()},
            )
        elif path == "/roster":
            book.save_statuses(known(fields(form, "status"), numbers))
        elif path == "/closeout":
            book.save_letters(known(fields(form, "letter"), numbers))
        elif path == "/close":
            if form.get("confirm") != "yes":
                raise Refused("Confirm that the grades are final.")
            book.close()
            return "/closeout?saved"
        elif (row := self.assignment(path)) is not None:
            points, marks = known(fields(form, "points"), numbers), known(fields(form, "mark"), numbers)
            entries = {
                number: (None if points[number] == "" else whole(points[number], number), marks[number])
                for number in numbers
            }
            book.save_scores(row["id"], entries)
        else:
            return None
        return f"{path}?saved"

    def show(self, title, body, status, note="", refused=False):
        self.reply(status, pages.page(self.book, title, body, note, refused), "text/html; charset=utf-8")

    def reply(self, status, text, kind):
        data = text.encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    database, port = sys.argv[1:]
    Handler.book = Book(database)
    ThreadingHTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()
