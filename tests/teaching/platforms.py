"""Made-up exports of Canvas and Moodle, with people as they are: commas, umlauts, quotes, namesakes, formulas."""

import csv
import io
import re
import zipfile
from dataclasses import dataclass

FIRST = "Ada Björk Chloé Dũng Élodie François Günther Hélène İpek José Kim Łukasz María Ngọc Olga Pål".split()  # noqa: SIM905
LAST = ["O'Neil", "Müller, Jr.", 'van "Dutch" Dijk', "Núñez", "Smith-Jones", "Þórsdóttir", "Lee", "李", "=cmd()", "Ng"]


@dataclass(frozen=True)
class Person:
    """As Canvas knows them; number: its own."""

    name: str
    number: str
    sis: str
    login: str

    @property
    def short(self):
        """What Canvas makes of a name in names of files."""
        return re.sub(r"\W|_", "", self.name).lower()


def people(count=300):
    """More than there are names, so some have the same."""
    who = [(LAST[i % len(LAST)], FIRST[i // len(LAST) % len(FIRST)], i) for i in range(count)]
    return [Person(f"{last}, {first}", str(4000 + i), f"S{i:05}", f"u{i}@uni.example") for last, first, i in who]


def canvas_gradebook(class_, titles=("Lesson 01 Softmax (77)",), possible="15.00", cells=None):
    """As the exporter of Canvas writes it. cells: login -> what stands there already."""
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles, "Current Score"]]
    rows += [["", "", "", "", "", *["Manual Posting" for _ in titles], ""]]
    rows += [["    Points Possible", "", "", "", "", *[possible for _ in titles], "(read only)"]]
    for one in class_:
        filled = [(cells or {}).get(one.login, "") for _ in titles]
        rows.append([one.name, one.number, one.sis, one.login, "Mo, 10:00", *filled, "71.5"])
    rows.append(["Student, Test", "9999", "", "0f3a", "Mo, 10:00", *["" for _ in titles], ""])
    return b"\xef\xbb\xbf" + table(rows).encode()


def table(rows, end="\r\n", **dialect):
    text = io.StringIO()
    csv.writer(text, lineterminator=end, **dialect).writerows(rows)
    return text.getvalue()


# Titles of Moodle's grading worksheet, and what stands before a participant's number, as its language packs have them:
# hiddenuser, recordid and maxgrade of assign.php, fullname, grade (later gradenoun) and email of moodle.php.
MOODLE = {
    "en": ("Participant ", "Identifier", "Full name", "Email address", "Grade", "Maximum Grade"),
    "de": ("Teilnehmer/in", "ID", "Vollständiger Name", "E-Mail-Adresse", "Bewertung", "Bestwertung"),
    "es": ("Participante", "Identificador", "Nombre completo", "(email)", "Calificación", "Calificación máxima"),
    "fr": ("Participant", "Identifiant", "Nom complet", "(email)", "Note", "(most)"),
    "it": ("Partecipante", "(number)", "Nome", "(email)", "Valutazione", "(most)"),
    "nl": ("Deelnemer", "(number)", "Volledige naam", "(email)", "Cijfer", "(most)"),
    "pt_br": ("Participante", "Identificador", "Nome completo", "(email)", "Nota", "Nota máxima"),
}  # (in brackets): not looked up


def moodle_worksheet(class_, language="en", most="15.00", more=()):
    """As the assignment's grading worksheet is written: most cells in quotes, a comment already there.

    more: titles of columns that a site shows beside the address.
    """
    participant, number, name, email, grade, maximum = MOODLE[language]
    rows = [[number, name, email, *more, "Status", grade, maximum, "Grade can be changed"]]
    rows[0] += ["Last modified (submission)", "Last modified (grade)", "Feedback comments"]
    for one in class_:
        status = "Submitted for grading - "
        dates, comment = ["Monday, 2 November 2026, 9:14 AM", "-"], "<p>Come to my office, please</p>"
        graded = ["", most, "Yes", *dates, comment]
        rows.append([f"{participant}{one.number}", one.name, one.login, *[one.sis for _ in more], status, *graded])
    return table(rows, quoting=csv.QUOTE_ALL, end="\n").encode()


def canvas_name(one, file="lesson_01_softmax.ipynb", late=False):
    return f"{one.short}_{'LATE_' if late else ''}{one.number}_{int(one.number) + 50_000}_{file}"


def moodle_name(one, file="lesson_01_softmax.ipynb"):
    return f"{one.name.replace('_', ' ')}_{one.number}_assignsubmission_file_/{file}"


def archive(file, names):
    with zipfile.ZipFile(file, "w") as submissions:
        for name in names:
            submissions.writestr(name, "{}")
    return file


def who_gets_what_in_canvas(file):
    """As Canvas reads such a zip: number of a student -> what is in their file.

    In its source (infer_comment_context_from_filename): parts between underscores, without LATE; of those that are
    digits only, the first is the student and the second the submitted file, and both have to fit.
    """
    with zipfile.ZipFile(file) as parcel:
        parts = {name: [p for p in name.split("_") if p != "LATE"] for name in parcel.namelist()}
        numbers = {name: [p for p in some if re.fullmatch(r"\d+", p)][:2] for name, some in parts.items()}
        assert all(int(second) == int(first) + 50_000 for first, second in numbers.values())
        return {numbers[name][0]: parcel.read(name).decode() for name in numbers}


def who_gets_what_in_moodle(file):
    """As Moodle reads it: the first part of a path that is name_number_type_plugin tells whose it is."""
    with zipfile.ZipFile(file) as parcel:
        found = {}
        for name in parcel.namelist():
            parts = next(p.split("_", 4) for p in name.split("/") if p.count("_") >= 3)
            assert parts[1].isdigit() and parts[2:4] == ["assignsubmission", "file"]
            found[parts[1]] = parcel.read(name).decode()
        return found
