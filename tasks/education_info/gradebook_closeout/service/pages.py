"""What the gradebook shows: one function a page, each giving HTML."""

from html import escape

from book import LETTERS

STYLE = """
body{font:15px/1.45 'DejaVu Sans',sans-serif;margin:0;color:#1d2733;background:#f4f6f8}
header{background:#20435c;color:#fff;padding:12px 28px}header a{color:#cfe3f1;margin-right:18px}
h1{font-size:20px;margin:0 0 6px}main{padding:20px 28px;max-width:1000px}
table{border-collapse:collapse;background:#fff;width:100%}
th,td{padding:5px 10px;border-bottom:1px solid #dde3e8;text-align:left}th{background:#e8edf1}
input[type=text]{width:70px}button{margin-top:14px;padding:7px 16px;font-size:15px}
.note{padding:9px 14px;margin-bottom:14px;background:#e2f1e4;border-left:4px solid #3b8a4a}
.refused{background:#f8e2e0;border-color:#b23a2e}
"""


def page(book, title, body, note="", refused=False):
    section = book.section()
    kind = "note refused" if refused else "note"
    told = f'<p class="{kind}">{escape(note)}</p>' if note else ""
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>
<style>{STYLE}</style></head><body><header><h1>{escape(section["title"])} ({section["status"]})</h1>
<a href="/">Overview</a><a href="/settings">Settings</a><a href="/roster">Roster</a>
<a href="/closeout">Close-out</a></header><main><h2>{escape(title)}</h2>{told}{body}</main></body></html>"""


def table(head, rows):
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>"


def choice(name, values, chosen, labels=None):
    options = "".join(
        f'<option value="{value}"{" selected" if value == chosen else ""}>'
        f"{escape((labels or {}).get(value, value))}</option>"
        for value in values
    )
    return f'<select name="{name}">{options}</select>'


def form(action, body, button, closed):
    return f'<form method="post" action="{action}">{body}<button{" disabled" if closed else ""}>{button}</button></form>'


def overview(book):
    works = [
        (f'<a href="/assignment/{row["id"]}">{escape(row["name"])}</a>', escape(row["category_name"]), row["points"])
        for row in book.assignments()
    ]
    students = [
        (row["number"], escape(row["name"]), row["status"], book.percent(row["number"]), row["letter"])
        for row in book.students()
    ]
    return (
        table(["Assignment", "Category", "Points possible"], works)
        + "<h2>Students</h2>"
        + table(["Number", "Name", "Status", "Percent so far", "Final grade"], students)
    )


def settings(book):
    rows = [
        (
            escape(row["name"]),
            f'<input type="text" name="weight:{row["id"]}" value="{row["weight"]}">',
            f'<input type="text" name="drop:{row["id"]}" value="{row["drop_lowest"]}">',
        )
        for row in book.categories()
    ]
    return form("/settings", table(["Category", "Weight (%)", "Lowest scores dropped"], rows), "Save", book.is_closed())


def assignment(book, row):
    scores = book.scores(row["id"])
    labels = {"": "–", "excused": "excused", "keep": "never drop"}
    lines = []
    for student in book.students():
        number, score = student["number"], scores[student["number"]]
        points = "" if score["points"] is None else score["points"]
        lines.append(
            (
                number,
                escape(student["name"]),
                f'<input type="text" name="points:{number}" value="{points}">',
                choice(f"mark:{number}", ["", "excused", "keep"], score["mark"], labels),
            )
        )
    head = ["Number", "Name", f"Points of {row['points']}", "Mark"]
    return form(f"/assignment/{row['id']}", table(head, lines), "Save", book.is_closed())


def roster(book):
    rows = [
        (row["number"], escape(row["name"]), choice(f"status:{row['number']}", ["enrolled", "withdrawn"], row["status"]))
        for row in book.students()
    ]
    return form("/roster", table(["Number", "Name", "Status"], rows), "Save", book.is_closed())


def closeout(book):
    rows = [
        (
            row["number"],
            escape(row["name"]),
            row["status"],
            book.percent(row["number"]),
            choice(f"letter:{row['number']}", ["", *LETTERS], row["letter"]),
        )
        for row in book.students()
    ]
    closed = book.is_closed()
    body = form("/closeout", table(["Number", "Name", "Status", "Percent", "Final grade"], rows), "Save grades", closed)
    if closed:
        return body + '<p><a href="/export.csv" download="final_grades.csv">Download the final grades (CSV)</a></p>'
    confirm = '<p><label><input type="checkbox" name="confirm" value="yes"> The grades are final.</label></p>'
    return body + "<h2>Submit</h2>" + form("/close", confirm, "Submit to the registrar and close", closed)


def export(book):
    lines = ["student_number,name,percent,grade"]
    lines += [f'{row["number"]},"{row["name"]}",{row["percent"]},{row["letter"]}' for row in book.students()]
    return "\n".join(lines) + "\n"
