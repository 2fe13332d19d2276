"""The gradebook itself: its database and its arithmetic, without the web."""

import sqlite3
from fractions import Fraction

LETTERS = ["A", "B", "C", "D", "F", "I", "W"]


class Refused(Exception):
    """What a person asked for cannot be done; the message is for them."""


class Book:
    def __init__(self, path):
        self.db = sqlite3.connect(path, check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        # A killed service must leave a whole database behind it.
        self.db.execute("PRAGMA journal_mode = DELETE")
        self.db.execute("PRAGMA synchronous = FULL")

    def rows(self, sql, *values):
        return self.db.execute(sql, values).fetchall()

    def section(self):
        return self.rows("SELECT * FROM section")[0]

    def is_closed(self):
        return self.section()["status"] == "closed"

    def require_open(self):
        if self.is_closed():
            raise Refused("This section is closed. Its grades are with the registrar.")

    def categories(self):
        return self.rows("SELECT * FROM category ORDER BY id")

    def assignments(self):
        return self.rows(
            "SELECT assignment.*, category.name AS category_name FROM assignment"
            " JOIN category ON category.id = category_id ORDER BY assignment.id"
        )

    def students(self):
        return self.rows("SELECT * FROM student ORDER BY name, number")

    def scores(self, assignment):
        found = self.rows("SELECT * FROM score WHERE assignment_id = ?", assignment)
        return {row["student"]: row for row in found}

    def save_settings(self, weights, drops):
        self.require_open()
        if sum(weights.values()) != 100:
            raise Refused(f"The weights add up to {sum(weights.values())}, not to 100.")
        with self.db:
            for category in self.categories():
                self.db.execute(
                    "UPDATE category SET weight = ?, drop_lowest = ? WHERE id = ?",
                    (weights[category["id"]], drops[category["id"]], category["id"]),
                )

    def save_scores(self, assignment, entries):
        self.require_open()
        [row] = self.rows("SELECT * FROM assignment WHERE id = ?", assignment)
        for student, (points, mark) in entries.items():
            if points is not None and not 0 <= points <= row["points"]:
                raise Refused(f"{student}: {points} is not between 0 and {row['points']}.")
            if mark not in ("", "excused", "keep"):
                raise Refused(f"{student}: there is no mark {mark}.")
        with self.db:
            for student, (points, mark) in entries.items():
                self.db.execute(
                    "UPDATE score SET points = ?, mark = ? WHERE student = ? AND assignment_id = ?",
                    (points, mark, student, assignment),
                )

    def save_statuses(self, statuses):
        self.require_open()
        if any(status not in ("enrolled", "withdrawn") for status in statuses.values()):
            raise Refused("A student is enrolled or withdrawn.")
        with self.db:
            for student, status in statuses.items():
                self.db.execute("UPDATE student SET status = ? WHERE number = ?", (status, student))

    def save_letters(self, letters):
        self.require_open()
        if any(letter not in ("", *LETTERS) for letter in letters.values()):
            raise Refused(f"A grade is one of {', '.join(LETTERS)}.")
        with self.db:
            for student, letter in letters.items():
                self.db.execute("UPDATE student SET letter = ? WHERE number = ?", (letter, student))

    def close(self):
        self.require_open()
        missing = [row["name"] for row in self.students() if row["letter"] == ""]
        if missing:
            raise Refused(f"{len(missing)} students have no final grade, such as {missing[0]}.")
        with self.db:
            for row in self.students():
                percent = "" if row["status"] == "withdrawn" else self.percent(row["number"])
                self.db.execute(
                    "UPDATE student SET percent = ? WHERE number = ?", (percent, row["number"])
                )
            self.db.execute("UPDATE section SET status = 'closed'")

    def percent(self, student):
        """Weighted percentage to one decimal, halves rounded up; blank and excused work is left out."""
        total, weights = Fraction(0), 0
        for category in self.categories():
            kept = self.counted(student, category)
            possible = sum(row["possible"] for row in kept)
            if possible == 0 or category["weight"] == 0:
                continue
            total += category["weight"] * Fraction(sum(row["points"] for row in kept), possible)
            weights += category["weight"]
        if weights == 0:
            return ""
        tenths = (total / weights * 1000 + Fraction(1, 2)).__floor__()
        return f"{tenths // 10}.{tenths % 10}"

    def counted(self, student, category):
        """The scores of a category without the lowest, of which those marked "keep" are never dropped."""
        rows = self.rows(
            "SELECT score.points, score.mark, assignment.points AS possible FROM score"
            " JOIN assignment ON assignment.id = assignment_id"
            " WHERE student = ? AND category_id = ? AND score.points IS NOT NULL AND mark <> 'excused'",
            student,
            category["id"],
        )
        droppable = sorted(
            (row for row in rows if row["mark"] != "keep"),
            key=lambda row: Fraction(row["points"], row["possible"]),
        )
        kept = [row for row in rows if row["mark"] == "keep"]
        # At least one score always counts.
        drop = min(category["drop_lowest"], max(0, len(rows) - 1))
        return kept + droppable[drop:]
