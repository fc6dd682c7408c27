"""Whose row is whose submission: by any of the ids that a table has, and only where there is one answer."""

from collections import Counter, defaultdict

from ...intake.student_names import whom


class Matching:
    """rows: those that are somebody's; owners: row -> student, where neither has anybody else.

    students: as their folders in submitted/ are called.
    """

    def __init__(self, platform, sheet, students):
        ids = {row: _ids(platform, sheet, row) for row in range(1, len(sheet.rows))}
        self.rows = [row for row, known in ids.items() if known]
        self.claims = {row: {who: name for who, name in ids[row].items() if who in students} for row in self.rows}
        rows_of = Counter(student for claim in self.claims.values() for student in claim)
        sure = {row: claim for row, claim in self.claims.items() if len(claim) == 1 and rows_of[next(iter(claim))] == 1}
        self.owners = {row: next(iter(claim)) for row, claim in sure.items()}
        self.found_by = Counter(next(iter(claim.values())) for claim in sure.values())

    def why_not(self, student, names):
        """Why nobody's row is theirs."""
        rows = [row for row, claim in self.claims.items() if student in claim]
        if not rows:
            return "nobody there has this id"
        others = sorted({other for row in rows for other in self.claims[row]} - {student})
        also = f", as that of {', '.join(whom(other, names) for other in others)} could" if others else ""
        return f"{_rows(rows)} could be theirs{also}"


def _ids(platform, sheet, row):
    """id -> the column that says so, the first if several do."""
    found = defaultdict(str)
    for name in platform.ids(sheet):
        found[platform.who(sheet, row, name)] = found[platform.who(sheet, row, name)] or name
    return {who: name for who, name in found.items() if who}


def _rows(rows):
    return f"row{'s' if len(rows) > 1 else ''} {' and '.join(str(row + 1) for row in rows)}"
