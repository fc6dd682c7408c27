"""Marks for a class of 300, in the tables that Canvas and Moodle exported, with nothing edited by hand."""

import csv
import io
from types import SimpleNamespace

import pytest
from click import ClickException
from nbgrader.api import Gradebook
from platforms import MOODLE, canvas_gradebook, moodle_worksheet, people, table

from autograder.intake.course_folder import note
from autograder.intake.names import as_folder
from autograder.intake.platforms import Canvas, Moodle
from autograder.teaching.gradebook import Grade, marks_of
from autograder.teaching.marks import above_the_most, merge, plain

CLASS = people(300)
LESSON = "lesson_01_softmax"
COLUMN = 5
MARKS = {one.login: Grade(i % 31 / 2, 15.0) for i, one in enumerate(CLASS) if i % 10}  # every tenth handed in nothing


@pytest.fixture
def give(tmp_path):
    """Merge marks into a table, and read what came out: bytes, rows, what was told."""

    def give(data, marks, platform=Canvas, lessons=(LESSON,), encoding="utf-8-sig", **options):
        (tmp_path / "in.csv").write_bytes(data)
        given = {lesson: marks for lesson in lessons}
        told = merge(platform, given, tmp_path / "in.csv", tmp_path / "out.csv", **options)
        assert (tmp_path / "in.csv").read_bytes() == data, "the input was changed"
        out = (tmp_path / "out.csv").read_bytes()
        return out, read(out, encoding), "\n".join(told)

    return give


def same_but(column, before, after):
    """Whether two tables are the same in all other cells."""
    return [r[:column] + r[column + 1 :] for r in before] == [r[:column] + r[column + 1 :] for r in after]


def read(data, encoding="utf-8-sig"):
    text = data.decode(encoding)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in text.partition("\n")[0] else ","))


def test_a_class_of_300(give):
    """Each mark stands in its row; those without a submission stay empty; every other cell is as it came."""
    data = canvas_gradebook(CLASS)
    out, rows, told = give(data, MARKS)
    marks = {row[3]: row[COLUMN] for row in rows[3:-1]}
    assert marks == {one.login: f"{MARKS[one.login].points:g}" if one.login in MARKS else "" for one in CLASS}
    assert same_but(COLUMN, read(data), rows) and rows[1][COLUMN] == "Manual Posting" and rows[2][COLUMN] == "15.00"
    assert out.startswith(b"\xef\xbb\xbf") and b"\r\n" in out and b"\n" not in out.replace(b"\r\n", b"")
    assert "270 marks written; students found by SIS Login ID (270)" in told and "left empty" in told


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_without_marks_nothing_changes(tmp_path, encoding):
    """Cells, ends of lines, the mark of the encoding: all is written as it was read."""
    data = canvas_gradebook(CLASS).decode("utf-8-sig").encode(encoding, errors="replace")
    (tmp_path / "in.csv").write_bytes(data)
    merge(Canvas, {LESSON: {}}, tmp_path / "in.csv", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == data


def test_missing_as_zero(give):
    """Only where nothing stands: an excused student stays excused, and a mark given by hand stays."""
    cells = {CLASS[0].login: "EX", CLASS[10].login: "12", CLASS[20].login: "N/A"}
    _, rows, told = give(canvas_gradebook(CLASS, cells=cells), MARKS, missing_as_zero=True)
    marks = {row[3]: row[COLUMN] for row in rows[3:-1]}
    assert {marks[CLASS[i].login] for i in (30, 40, 290)} == {"0"}
    assert [marks[CLASS[i].login] for i in (0, 10, 20)] == ["EX", "12", "N/A"]
    assert "27 without a submission: 0 written" in told
    assert rows[-1][0] == "Student, Test" and rows[-1][COLUMN] == "", "nobody has a mark who is nobody"


def test_no_zero_for_whom_it_would_wrong(give):
    """Somebody excused, and somebody whose work was kept although no roster has them: their rows are named."""
    spared = {LESSON: {CLASS[30].number, as_folder(CLASS[40].login)}}
    _, rows, told = give(canvas_gradebook(CLASS), MARKS, missing_as_zero=True, spared=spared)
    marks = {row[3]: row[COLUMN] for row in rows[3:-1]}
    assert [marks[CLASS[i].login] for i in (30, 40, 50)] == ["", "", "0"]
    assert told.count("no 0 written, they are excused, or what they handed in was kept") == 2


@pytest.mark.slow
def test_who_handed_in_and_is_not_graded_is_not_missing(give, tmp_path):
    """No 0 for a broken file, nor for one that was only collected: the cell stays as it is, and the reason is told."""
    broken, collected = CLASS[30].login, CLASS[40].login
    note(tmp_path, LESSON, broken, trouble="not graded: the file ends in the middle")
    note(tmp_path, LESSON, collected, mended=[])
    place = SimpleNamespace(root=tmp_path, db_url=f"sqlite:///{tmp_path}/gradebook.db")
    with Gradebook(place.db_url) as gradebook:
        gradebook.add_assignment(LESSON)
        marks = marks_of(SimpleNamespace(coursedir=place, gradebook=gradebook), LESSON)
    _, rows, told = give(canvas_gradebook(CLASS), MARKS | marks, missing_as_zero=True)
    assert [row[COLUMN] for row in rows if row[3] in (broken, collected)] == ["", ""]
    assert f"{broken}: no mark written, not graded: the file ends in the middle" in told
    assert f"{collected}: no mark written, not graded yet" in told


def test_names_beside_ids(give):
    """Where somebody has to look: no mark written, a mark that stays, a row that two could own."""
    late, excused, twice = CLASS[1], CLASS[2], CLASS[4]
    names = {late.login: "Jane Doe", excused.login: "Richard Roe", twice.login: "Ann Coe", twice.number: "Ann Koe"}
    marks = {
        late.login: Grade(5.0, 15.0, "an answer waits"),
        excused.login: Grade(1.0, 15.0),
        "guest": Grade(1.0, 15.0),
    }
    marks |= {twice.login: Grade(9.0, 15.0), twice.number: Grade(3.0, 15.0)}
    told = give(canvas_gradebook(CLASS, cells={excused.login: "EX"}), marks, names=names)[2]
    assert f"Jane Doe ({late.login}): no mark written, an answer waits" in told
    assert f"Richard Roe ({excused.login}): EX stays there" in told
    assert f"Ann Coe ({twice.login}): no mark written" in told and f"as that of Ann Koe ({twice.number}) could" in told
    assert "\n  guest: no mark written" in told


def test_an_excused_student_who_handed_in(give):
    """Stays excused, and is told."""
    _, rows, told = give(canvas_gradebook(CLASS, cells={CLASS[1].login: "EX"}), MARKS)
    assert rows[4][COLUMN] == "EX" and f"{CLASS[1].login}: EX stays there" in told


@pytest.mark.parametrize("kind", ["sis", "number", "login"])
def test_any_id_will_do(give, kind):
    """Folders are called by whatever id the instructor had."""
    marks = {getattr(one, kind): Grade(7.25, 15.0) for one in CLASS}
    _, rows, _ = give(canvas_gradebook(CLASS), marks)
    assert {row[COLUMN] for row in rows[3:-1]} == {"7.25"}


def test_who_is_not_there_is_told(give):
    """And nobody else gets their mark."""
    _, rows, told = give(canvas_gradebook(CLASS), {"guest": Grade(9.0, 15.0)})
    assert "guest: no mark written, no row there has this id" in told
    assert {row[COLUMN] for row in rows[3:]} == {""}


def test_two_folders_of_one_student(give):
    """Neither mark is written: nobody but the instructor knows which one counts."""
    one = CLASS[4]
    _, rows, told = give(canvas_gradebook(CLASS), {one.login: Grade(9.0, 15.0), one.number: Grade(3.0, 15.0)})
    assert rows[7][COLUMN] == "" and "row 8 could be theirs" in told and told.count("no mark written") == 2


def test_one_folder_that_two_students_could_own(give):
    """One's SIS id is the other's number in Canvas."""
    rows = [
        ["Student", "ID", "SIS User ID", "Section", "Lesson 01 (7)"],
        ["A", "42", "1", "", ""],
        ["B", "1", "7", "", ""],
    ]
    _, rows, told = give(table(rows).encode(), {"1": Grade(9.0, 15.0), "42": Grade(8.0, 15.0)})
    assert [row[4] for row in rows[1:]] == ["", ""] and "1: no mark written, rows 2 and 3 could be theirs" in told


def test_what_should_not_be_given_yet(give):
    """An answer that nobody has read, a submission that could not be graded again: the cell stays as it is."""
    marks = MARKS | {CLASS[1].login: Grade(5.0, 15.0, "an answer waits for somebody to mark it")}
    _, rows, told = give(canvas_gradebook(CLASS, cells={CLASS[1].login: "3"}), marks)
    assert rows[4][COLUMN] == "3" and f"{CLASS[1].login}: no mark written, an answer waits" in told


def test_points_possible_that_differ(give):
    """Are told, and not scaled silently."""
    assert "points possible: 20 there, 15 here" in give(canvas_gradebook(CLASS, possible="20"), MARKS)[2]
    assert "points possible" not in give(canvas_gradebook(CLASS, possible="15,0"), MARKS)[2]


TITLES = "Softmax, week 1 (70)", "Lesson 1: Softmax (71)", "lesson_02_scaled_dot_product (72)", "Lesson 10 (73)"


@pytest.mark.parametrize(
    "lesson, title, found", [(LESSON, None, 1), ("lesson_02_scaled_dot_product", None, 2), (LESSON, TITLES[0][:-5], 0)]
)
def test_the_column(give, lesson, title, found):
    """By the lesson's name, or its number, or by the title that was given."""
    options = {"titles": [title] if title else ()}
    _, rows, _ = give(canvas_gradebook(CLASS, TITLES), MARKS, lessons=[lesson], **options)
    assert [row[5:9] for row in rows][4].index("0.5") == found


def test_no_column_or_several(give):
    """The titles that there are, are told, and no file is made."""
    with pytest.raises(ClickException, match=r"no column is called like lesson_05_multi_head.*Lesson 10 \(73\)"):
        give(canvas_gradebook(CLASS, TITLES), MARKS, lessons=["lesson_05_multi_head"])
    with pytest.raises(ClickException, match="2 columns are"):
        give(canvas_gradebook(CLASS, ("Lesson 01 (1)", "Lesson 01 again (2)")), MARKS)
    with pytest.raises(ClickException, match="no column of any assignment: make the assignment there"):
        give(canvas_gradebook(CLASS, ("Lesson 01",)), MARKS)


def test_several_lessons_at_once(give):
    """Each in its own column."""
    _, rows, _ = give(canvas_gradebook(CLASS, TITLES), MARKS, lessons=[LESSON, "lesson_02_scaled_dot_product"])
    assert rows[4][5:9] == ["", "0.5", "0.5", ""]


def test_semicolons_and_first_and_last_names(give):
    """As Canvas writes them in some languages."""
    rows = [["LastName", "FirstName", "ID", "SIS Login ID", "Section", "Lesson 01 (7)"]]
    rows += [["    Points Possible", "", "", "", "", "15,00"], ['Lee; "J"', "Kim", "7", "kim", "A", "1,5"]]
    out, _, told = give(table(rows, delimiter=";").encode(), {"kim": Grade(2.0, 15.0)})
    assert out.decode().splitlines()[2] == '"Lee; ""J""";Kim;7;kim;A;2'
    assert "points possible" not in told


def test_moodle(give):
    """Grades by the participant's number; comments, dates and the rest stay; no comment of ours is added."""
    marks = {one.number: Grade(i % 31 / 2, 15.0) for i, one in enumerate(CLASS) if i % 10}
    data = moodle_worksheet(CLASS)
    out, rows, told = give(data, marks, Moodle)
    assert [row[4] for row in rows[1:12]] == ["", "0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4", "4.5", ""]
    assert same_but(4, read(data), rows) and b"\r" not in out and "270 marks written" in told
    assert "points possible" not in told


@pytest.mark.parametrize("language", MOODLE)
def test_moodle_in_its_languages(give, language):
    """The titles are those of its language packs; the maximum stands beside the grade, and has a comma."""
    worksheet = moodle_worksheet(CLASS[:3], language, most="20,00")
    marks = {CLASS[0].number: Grade(3.25, 15.0), CLASS[1].login: Grade(4.0, 15.0)}
    _, rows, told = give(worksheet, marks, Moodle)
    assert [row[4] for row in rows] == [MOODLE[language][4], "3,25", "4", ""]
    assert same_but(4, read(worksheet), rows) and "points possible: 20,00 there, 15 here" in told


def test_moodle_in_another_language(give):
    """The column is named by hand, and whoever is meant is found all the same."""
    rows = [["識別子", "氏名", "評点"], ["参加者4000", "Ä", ""], ["参加者4001", "B", ""]]
    with pytest.raises(ClickException, match="Say --column with one of: 氏名; 評点"):
        give(table(rows).encode(), {"4001": Grade(3.0, 15.0)}, Moodle)
    _, rows, _ = give(table(rows).encode(), {"4001": Grade(3.0, 15.0)}, Moodle, titles=["評点"])
    assert [row[2] for row in rows] == ["評点", "", "3"]


def test_whatever_moodle_tells_about_a_student(give):
    """An id number under any title, a name where submissions were collected without a class list, the number last."""
    first, second, third = CLASS[:3]
    data = moodle_worksheet(CLASS[:3], "de", more=["Matrikel"])
    rows = read(data)
    moved = table([row[1:] + row[:1] for row in rows]).encode()
    marks = {first.sis: Grade(1.0, 15.0), as_folder(second.name): Grade(2.0, 15.0), third.number: Grade(3.0, 15.0)}
    for table_, column in ((data, 5), (moved, 4)):
        assert [row[column] for row in give(table_, marks, Moodle)[1][1:]] == ["1", "2", "3"]


def test_names_composed_or_not(give):
    """macOS writes é as two signs; the student is the same."""
    composed, apart = "jos\u00e9", "jose\u0301"
    for here, there in ((composed, apart), (apart, composed)):
        rows = [["Student", "ID", "SIS Login ID", "Section", "Lesson 01 (7)"], ["José", "42", there, "", ""]]
        assert give(table(rows).encode(), {here: Grade(9.0, 15.0)})[1][1][4] == "9"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_semicolons_of_windows_there_and_back(give, encoding):
    """What came with ; and a code page goes back with both."""
    rows = [["Student", "ID", "Lesson 01 (7)"], ["    Points Possible", "", "15,00"], ["Škoda, Zoë", "7", ""]]
    out, rows, _ = give(table(rows, delimiter=";").encode(encoding), {"7": Grade(2.5, 15.0)}, encoding=encoding)
    assert rows[2] == ["Škoda, Zoë", "7", "2,5"] and out.decode(encoding).splitlines()[2] == "Škoda, Zoë;7;2,5"


def test_a_mark_above_the_most():
    """Somebody typed 6 where 4 can be reached: it is written, and told."""
    marks = {"jdoe": Grade(17.0, 15.0), "rroe": Grade(15.0, 15.0), "epoe": Grade(16.0, 15.0, "an answer waits")}
    marks["may"] = Grade(1.5, 1.0)
    told = [*above_the_most(marks, {"jdoe": "Jane Doe"})]
    assert told == ["Jane Doe (jdoe) has 17 of 15 points: is that meant?", "may has 1.5 of 1 point: is that meant?"]


def test_a_table_for_anybody(tmp_path):
    """id, name, points, of: those without a mark have none, and no name is a formula for a spreadsheet."""
    marks = {"jdoe": Grade(7.25, 15.0), "=cmd": Grade(3.0, 15.0), "rroe": Grade(0.0, 15.0, "not graded yet")}
    absent, names = (("ann",), ("kim",)), {"jdoe": "Jané Doe", "kim": "Kim Foe"}
    told = plain({LESSON: marks}, absent, tmp_path / "out.csv", missing_as_zero=False, names=names)
    out = (tmp_path / "out.csv").read_text(encoding="utf-8-sig").splitlines()
    kept = ["ann,,,15", "jdoe,Jané Doe,7.25,15", "kim,Kim Foe,EX,15", "rroe,,,15"]
    assert out == ["id,name,points,of", "'=cmd,,3,15", *kept]
    assert "  rroe: no mark written, not graded yet" in told and "  2 marks written" in told
    plain({LESSON: marks}, absent, tmp_path / "out.csv", missing_as_zero=True, names=names)
    assert "ann,,0,15" in (tmp_path / "out.csv").read_text(encoding="utf-8-sig").splitlines()
    with pytest.raises(ClickException, match="for one lesson"):
        plain({LESSON: marks, "lesson_02": marks}, absent, tmp_path / "out.csv", missing_as_zero=True, names=names)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04\0\0", b"hello,world\n1,2\n", "no table at all".encode("utf-16")])
def test_another_file(give, data):
    """Is told as that, and nothing is made of it."""
    with pytest.raises(ClickException, match=r"in.csv (does not look like|cannot be read)"):
        give(data, MARKS)


def test_the_table_of_the_other_platform(give):
    """Is none of this one, either way."""
    for platform, data in ((Moodle, canvas_gradebook(CLASS)), (Canvas, moodle_worksheet(CLASS))):
        with pytest.raises(ClickException, match=f"does not look like {platform.table}: its columns are"):
            give(data, MARKS, platform)


def test_the_input_is_never_the_output(tmp_path):
    """Also not by another name."""
    (tmp_path / "in.csv").write_bytes(canvas_gradebook(CLASS))
    (tmp_path / "other.csv").symlink_to(tmp_path / "in.csv")
    for name in ("in.csv", "other.csv"):
        with pytest.raises(ClickException, match="it stays as it is"):
            merge(Canvas, {LESSON: MARKS}, tmp_path / "in.csv", tmp_path / name)
    assert (tmp_path / "in.csv").read_bytes() == canvas_gradebook(CLASS)


def test_stopped_while_writing(tmp_path, monkeypatch):
    """The old table is there, and no half of a new one."""
    (tmp_path / "in.csv").write_bytes(canvas_gradebook(CLASS))
    (tmp_path / "out.csv").write_text("of last week")

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("autograder.intake.whole_files.os.replace", stop)
    with pytest.raises(KeyboardInterrupt):
        merge(Canvas, {LESSON: MARKS}, tmp_path / "in.csv", tmp_path / "out.csv")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["in.csv", "out.csv"]
    assert (tmp_path / "out.csv").read_text() == "of last week"
