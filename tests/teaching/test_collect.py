"""`mha collect`: exports of platforms come in, whole and once, and everybody is told how their work is."""

import hashlib
import os
import stat
import zipfile
from datetime import datetime
from pathlib import Path

import click
import nbformat
import pytest
from classroom import mha_here
from corpus import BROKEN
from corpus.broken import FILE, LESSON, OWN, as_bytes, code, solved
from exports import CANVAS, GOOD, MOODLE, PLAIN, another, canvas_zip, zipped
from filelock import FileLock
from nbformat.v4 import new_code_cell

from autograder.intake import fit
from autograder.intake.collect import FINE, LOOK, MENDED, MISSING, REFUSED, SAME, TROUBLE, UNKNOWN, collect, totals
from autograder.intake.course_folder import class_of, note, receipt, receipts
from autograder.intake.fit import our_copy
from autograder.intake.late import LatePolicy, _is_free
from autograder.intake.platforms import Canvas, Moodle
from autograder.intake.students import read_roster


@pytest.fixture
def roster(tmp_path):
    """A function: text of a class list -> its students."""

    def read(text, encoding="utf-8"):
        file = tmp_path / "roster.csv"
        file.write_bytes(text.encode(encoding))
        return read_roster(file)

    return read


def take(source, course, roster=None, platform=None):
    """student -> what became of their work."""
    return {each.student: each for each in collect(source, LESSON, course, roster, platform)}


def made_fit(student, course):
    """As grading does it: why it cannot be graded, or nothing."""
    with our_copy(course, LESSON, student) as unfit:
        return unfit


def submitted(course, student):
    return Path(course.root) / "submitted" / student / LESSON / FILE


def received(course, student, number=1):
    return Path(course.root) / "received" / LESSON / student / str(number)


def contents(course):
    """Every file of the course, with its bytes."""
    files = (file for file in Path(course.root).rglob("*") if file.is_file())
    return {str(file.relative_to(course.root)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


# Platforms


def test_canvas(course, roster, tmp_path):
    """By the numbers that are in the gradebook too: who is late, and who is missing."""
    done = take(canvas_zip(tmp_path / "submissions.zip"), course, roster(CANVAS), platform=Canvas)
    assert {student: each.state for student, each in done.items()} == {"12345": FINE, "12346": FINE, "12347": MISSING}
    assert done["12346"].about == ("Late.",) and done["12347"].name == "Poe, Edgar"
    noted = receipt(course.root, LESSON, "12346")
    assert noted["late"] is True and noted["name"] == "Roe, Richard" and noted["trouble"] == ""
    assert noted["found"][0]["file"] == f"{LESSON}-1.ipynb" and noted["received"] == "1"
    assert (received(course, "12345") / FILE).read_bytes() == GOOD
    assert OWN in submitted(course, "12345").read_text(encoding="utf-8").replace('\\"', '"')


def test_canvas_without_a_roster(course, tmp_path):
    """The numbers are the same, so that a roster may come later."""
    assert set(take(canvas_zip(tmp_path / "submissions.zip"), course, platform=Canvas)) == {"12345", "12346"}


def test_canvas_of_somebody_unknown(course, roster, tmp_path):
    """Kept, told, and not graded."""
    more = {f"coeann_777_9003_{FILE}": GOOD}
    done = take(canvas_zip(tmp_path / "submissions.zip", **more), course, roster(CANVAS), platform=Canvas)
    assert done["777"].state == UNKNOWN and (received(course, "777") / FILE).read_bytes() == GOOD
    assert not submitted(course, "777").parent.exists() and "777" not in receipts(course.root, LESSON)
    again = take(canvas_zip(tmp_path / "submissions.zip", **more), course, roster(CANVAS), platform=Canvas)
    assert again["777"].state == UNKNOWN, "it is told as long as it is so"


def test_a_namesake_who_is_not_in_the_roster(course, roster, tmp_path):
    """Their work is never counted as that of the other, who has a number of their own."""
    more = {f"doejane_99999_9005_{FILE}": another("of the other")}
    done = take(canvas_zip(tmp_path / "c.zip", **more), course, roster(CANVAS), platform=Canvas)
    assert done["99999"].state == UNKNOWN and done["12345"].about == ()
    names = {f"Jane Doe_{n}_assignsubmission_file_/{FILE}": another(str(n)) for n in (501, 502)}
    with pytest.raises(click.ClickException, match="would share the folder 77"):
        take(zipped(tmp_path / "m.zip", names), course, roster("id,name\n77,Jane Doe\n"), platform=Moodle)


def test_handed_in_twice(course, tmp_path):
    """Canvas' higher number is the later file, whatever the names are; both are kept."""
    more = {f"doejane_12345_9009_{LESSON}-2.ipynb": another("the last"), f"doejane_12345_8000_{LESSON}-7.ipynb": b"{"}
    done = take(canvas_zip(tmp_path / "submissions.zip", **more), course, platform=Canvas)
    assert done["12345"].about == ("Handed in 3 times: the latest counts.",)
    assert "the last" in submitted(course, "12345").read_text(encoding="utf-8")
    assert [len(list(received(course, "12345", n).iterdir())) for n in (1, 2, 3)] == [1, 1, 1]


@pytest.mark.parametrize("outer", ["", "Course-Lesson 1-3344/", "Downloads/Course-Lesson 1-3344/"])
@pytest.mark.parametrize("as_zip", [True, False])
def test_moodle(course, roster, tmp_path, outer, as_zip):
    """By the worksheet's numbers; the name of a folder is the email, since the numbers change with each assignment."""
    names = {
        f"{outer}Jane Doe_501_assignsubmission_file_/{FILE}": GOOD,
        f"{outer}Richard Roe_502_assignsubmission_file_/work/{FILE}": another(),
    }
    source = zipped(tmp_path / "moodle.zip", names)
    if not as_zip:
        zipfile.ZipFile(source).extractall(source := tmp_path / "moodle")
    done = take(source, course, roster(MOODLE, "utf-8-sig"), platform=Moodle)
    assert {student: each.state for student, each in done.items()} == {
        "jane@uni.example": FINE,
        "richard@uni.example": FINE,
        "edgar@uni.example": MISSING,
    }
    time = course.get_existing_timestamp(str(submitted(course, "jane@uni.example").parent))
    assert time is not None and receipt(course.root, LESSON, "jane@uni.example")["time"] == f"{time:%F %T} UTC"
    assert not (submitted(course, "richard@uni.example").parent / "timestamp.txt").exists()


def test_moodle_without_folders_and_roster(course, tmp_path):
    """Its other kind of zip; names are what there is."""
    names = {f"Jane Doe_501_assignsubmission_file_{FILE}": GOOD, "Al Poe_9_assignsubmission_onlinetext_.html": b"hi"}
    done = take(zipped(tmp_path / "moodle.zip", names), course, platform=Moodle)
    assert done["Jane_Doe"].state == FINE and done["Al_Poe"].state == TROUBLE


def test_moodle_in_german(course, roster, tmp_path):
    """As its language pack writes the worksheet; the number tells two of the same name apart."""
    worksheet = (
        "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung\n"
        'Teilnehmer/in501,Jane Doe,jane@uni.example,Zur Bewertung abgegeben,,"15,00"\n'
        'Teilnehmer/in502,Jane Doe,jd2@uni.example,Zur Bewertung abgegeben,,"15,00"\n'
    )
    names = {f"Jane Doe_{n}_assignsubmission_file_/{FILE}": another(str(n)) for n in (501, 502)}
    done = take(zipped(tmp_path / "m.zip", names), course, roster(worksheet), platform=Moodle)
    assert {student: (each.state, each.name) for student, each in done.items()} == {
        "jane@uni.example": (FINE, "Jane Doe"),
        "jd2@uni.example": (FINE, "Jane Doe"),
    }
    assert "501" in submitted(course, "jane@uni.example").read_text(encoding="utf-8")


def test_moodle_that_hides_names(course, roster, tmp_path):
    """Its worksheet has numbers alone, and students are called after them."""
    worksheet = "Identifier,Status,Grade,Maximum Grade\n" + "".join(
        f"Participant {n},Submitted for grading,,15.00\n" for n in (501, 502)
    )
    names = {f"Participant_501_assignsubmission_file_/{FILE}": GOOD}
    done = take(zipped(tmp_path / "m.zip", names), course, roster(worksheet), platform=Moodle)
    assert {student: each.state for student, each in done.items()} == {"501": FINE, "502": MISSING}


def test_canvas_that_hides_names(course, roster, tmp_path):
    """No class list has Canvas' anonymous numbers: all are taken, and nobody is missing or unknown."""
    names = {f"anon_x7Gq2_9001_{FILE}": GOOD, f"anon_LATE_Kq3Zb_9002_{FILE}": another()}
    done = take(zipped(tmp_path / "c.zip", names), course, roster(CANVAS), platform=Canvas)
    assert {student: each.state for student, each in done.items()} == {"x7Gq2": FINE, "Kq3Zb": FINE}
    assert done["Kq3Zb"].about == ("Late.",) and set(class_of(course.root, LESSON)) == {"x7Gq2", "Kq3Zb"}


def test_two_of_the_same_name_are_not_mixed_up(course, roster, tmp_path):
    """Without a roster nobody can tell them apart, and nothing is taken; with one it goes well."""
    names = {f"Jane Doe_{n}_assignsubmission_file_/{FILE}": another(str(n)) for n in (501, 502)}
    source = zipped(tmp_path / "moodle.zip", names)
    with pytest.raises(click.ClickException, match="--roster"):
        take(source, course, platform=Moodle)
    assert not (Path(course.root) / "received").exists()
    assert set(take(source, course, roster(MOODLE.replace("Richard Roe", "Jane Doe")), platform=Moodle)) >= {
        "jane@uni.example",
        "richard@uni.example",
    }


@pytest.mark.parametrize(
    "name",
    [f"jdoe/{FILE}", f"jdoe/{LESSON}/{FILE}", "jdoe.ipynb", f"jdoe_{FILE}", f"{LESSON}_jdoe.ipynb", f"Jane Doe/{FILE}"]
    + [f"Doe, Jane/{FILE}", f"JDOE/{FILE}", "jdoe (2).ipynb"],
)
def test_a_folder(course, roster, tmp_path, name):
    """A folder or a file for each, with the id or the name somewhere in it."""
    for file, content in ((name, GOOD), (f"epoe/{FILE}", another())):
        (tmp_path / "all" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "all" / file).write_bytes(content)
    done = take(tmp_path / "all", course, roster(PLAIN))
    assert done["jdoe"].state in (FINE, MENDED) and done["epoe"].state == FINE and done["rroe"].state == MISSING


def test_files_whose_names_have_dots_and_numbers(course, roster, tmp_path):
    """Each is the work of one student."""
    who = {"jane.doe", "jane.roe", "ws26-101", "ws26-102"}
    source = zipped(tmp_path / "all.zip", {f"{one}.ipynb": another(one) for one in who})
    assert {one.student: one.state for one in collect(source, LESSON, course)} == dict.fromkeys(who, MENDED)
    done = take(source, course, roster("id\n" + "\n".join(who)))
    assert {one: each.state for one, each in done.items()} == dict.fromkeys(who, SAME)


def test_a_notebook_and_two_pictures(course, tmp_path):
    """Canvas numbers all three; together they are one submission."""
    more = {f"roerichard_12346_900{n}_plot-{n}.png": b"picture" for n in (3, 4)}
    names = {f"roerichard_12346_9001_{FILE}": GOOD} | more
    done = take(zipped(tmp_path / "c.zip", names), course, platform=Canvas)
    assert done["12346"].state == MENDED and "times" not in str(done["12346"])


def test_a_zip_of_macos(course, roster, tmp_path):
    """Its names are UTF-8, and it does not say so."""
    plain = zipped(tmp_path / "plain.zip", {f"Joerg!! Poe/{FILE}": GOOD}).read_bytes()
    source = tmp_path / "macos.zip"
    source.write_bytes(plain.replace(b"Joerg!!", "Jörg\u0301!".encode()[:7].ljust(7, b"!")))
    done = take(source, course, roster("id,name\njp,Jörg! Poe\n"))
    assert done["jp"].state == FINE


def test_an_address_in_a_comment(course, roster, tmp_path):
    """A comment in Moodle's worksheet that holds one is nobody's email."""
    head, first, *rest = MOODLE.splitlines()
    text = "\n".join([f"{head},Feedback comments", f'{first},"Questions? prof@uni.example"', *rest])
    assert next(one.id for one in roster(text)) == "jane@uni.example"


def test_folders_with_accents_of_their_own(course, roster, tmp_path):
    """As macOS writes them; a roster of another system has each accent in its letter."""
    for name in ("Jose\N{COMBINING ACUTE ACCENT}", "Zoë"):
        (tmp_path / "all" / name).mkdir(parents=True)
        (tmp_path / "all" / name / FILE).write_bytes(GOOD)
    done = take(tmp_path / "all", course, roster("id,name\nJosé,José Ruiz\nZoe\N{COMBINING DIAERESIS},Zoë Lee\n"))
    assert {student: each.state for student, each in done.items()} == {"José": FINE, "Zoë": FINE}


@pytest.mark.parametrize("listed", [None, "id,name\no'neil,Ann\no_neil,Bo\n"])
def test_ids_that_differ_in_a_sign(course, roster, tmp_path, listed):
    """Both have a folder of their own, in which their own work is."""
    for name, content in (("o'neil", GOOD), ("o_neil", another())):
        (tmp_path / "all" / name).mkdir(parents=True)
        (tmp_path / "all" / name / FILE).write_bytes(content)
    assert take(tmp_path / "all", course, listed and roster(listed)).keys() == {"o'neil", "o_neil"}
    assert (received(course, "o'neil") / FILE).read_bytes() == GOOD
    assert (received(course, "o_neil") / FILE).read_bytes() == another()


def test_a_time_that_nbgrader_wrote(course, tmp_path):
    """It is kept, and nbgrader finds it where it looks."""
    (tmp_path / "all" / "ada").mkdir(parents=True)
    (tmp_path / "all" / "ada" / FILE).write_bytes(GOOD)
    (tmp_path / "all" / "ada" / "timestamp.txt").write_text("2026-11-05 22:58:00.123 UTC")
    assert take(tmp_path / "all", course)["ada"].state == FINE
    assert f"{course.get_existing_timestamp(str(submitted(course, 'ada').parent)):%F %T}" == "2026-11-05 22:58:00"


# Rosters


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_rosters_of_all_countries(roster, encoding, delimiter):
    """Spreadsheets write what they like."""
    read = roster(PLAIN.replace(";", delimiter), encoding)
    assert [(s.id, s.name) for s in read] == [
        ("jdoe", "Jane Doe"),
        ("rroe", "Richard Roe"),
        ("epoe", "Jörg Poe"),
    ]


def test_a_roster_that_is_no_worksheet(roster):
    """Its ids are a letter and a number, and `note` is French for a grade."""
    assert [s.id for s in roster("id;name;note\nu1;Ann Ames;shy\nu2;Bo Budd;\n")] == ["u1", "u2"]


def test_lines_of_canvas_that_are_nobody(roster):
    """Points, and the student of the preview."""
    assert [student.id for student in roster(CANVAS)] == ["12345", "12346", "12347"]


@pytest.mark.parametrize(
    ("text", "words"),
    [("a,b\n1,2\n", "columns a, b"), ("", "none"), ("id\n1\n1\n", "more than")]
    + [("id\na b\na_b\n", "a b and a_b would share a folder. Give one another id.")],
)
def test_a_roster_that_is_none(roster, text, words):
    """What it has, and what it needs."""
    with pytest.raises(click.ClickException, match=words):
        roster(text)


# Everything that can be wrong with a submission


together = pytest.mark.xdist_group("broken_class")  # collected once, for both


@pytest.fixture(scope="module")
def broken_class(tmp_path_factory, new_course):
    """A folder in which everybody hands in something else of the corpus, the course it went to, and what was said."""
    folder, course = tmp_path_factory.mktemp("class"), new_course(tmp_path_factory.mktemp("course"))
    for name, broken in BROKEN.items():
        broken.write(folder / name)
    return folder, course, take(folder, course)


@pytest.mark.nightly
@together
def test_a_class_of_broken_submissions(broken_class):
    """All are told, nobody stops another, and the receipts say what is expected."""
    folder, course, done = broken_class
    assert done.keys() == BROKEN.keys()
    for name, broken in BROKEN.items():
        noted = receipt(course.root, LESSON, name)
        assert broken.trouble in noted["trouble"] and bool(broken.trouble) == bool(noted["trouble"]), noted
        doubtful = any("above its check" in words for words in broken.mended)
        fit = LOOK if doubtful else MENDED if broken.mended else FINE
        assert done[name].state == (TROUBLE if broken.trouble else fit), done[name]
        for words in broken.mended:
            assert any(words in sentence for sentence in noted["mended"]), noted
        assert submitted(course, name).exists() == (not broken.trouble)
        assert made_fit(name, course) == noted["trouble"]
        _original_is_kept(course, folder / name, received(course, name))
    assert "cannot be graded" in totals(done.values())


def _original_is_kept(course, came, kept):
    """Byte for byte; but for links, pipes, and what computers leave."""
    for file in came.rglob("*.*"):
        name = file.relative_to(came)
        if file.is_file() and not file.is_symlink() and not any(part[:1] in "._" for part in name.parts):
            assert (kept / name).read_bytes() == file.read_bytes()
    assert not any(file.is_symlink() or file.is_fifo() for file in Path(course.root).rglob("*"))


@pytest.mark.nightly
@together
def test_twice_is_once(broken_class):
    """Collecting the same again changes not a byte, and nothing is told as if it were new."""
    folder, course, _ = broken_class
    before = contents(course)
    done = take(folder, course)
    assert contents(course) == before
    for name, broken in BROKEN.items():
        assert done[name].state == (TROUBLE if broken.trouble else SAME), done[name]
        assert done[name].about[:1] == ("As before:",) if broken.trouble else not done[name].about
    assert "as before" in totals(done.values()) and "mended" not in totals(done.values())


def test_what_grading_said_stays(course, tmp_path):
    """Collected again, the same file has the same trouble: grading tells it as before."""
    source = zipped(tmp_path / "all.zip", {f"ada/{FILE}": b"{"})
    take(source, course)
    note(course.root, LESSON, "ada", trouble="not graded: it is cut off")
    take(source, course)
    assert receipt(course.root, LESSON, "ada")["trouble"] == "not graded: it is cut off"


def test_a_zip_that_leads_out(course, tmp_path):
    """It is told, nothing lands outside, and the others are taken."""
    source = zipped(tmp_path / "all.zip", {f"../../evil/{FILE}": GOOD, f"/abs/{FILE}": GOOD, f"ada/{FILE}": GOOD})
    lines = list(collect(source, LESSON, course))
    assert [line.state for line in lines] == [FINE, REFUSED, REFUSED] and "leads out" in str(lines[1])
    assert not list(tmp_path.glob("**/evil")) and not Path(f"/abs/{FILE}").exists()


def test_a_file_without_a_name(course, tmp_path):
    """A zip may have one, that of the class or that of a student; the others are taken."""
    own = zipped(tmp_path / "bo.zip", {".": b"{}", FILE: GOOD})
    source = zipped(tmp_path / "all.zip", {".": GOOD, f"ada/{FILE}": GOOD, "bo/bo.zip": own.read_bytes()})
    done = take(source, course)
    assert {student: line.state for student, line in done.items()} == {"ada": FINE, "bo": FINE}


@pytest.mark.slow
def test_a_bomb_among_submissions(course, tmp_path):
    """It costs its owner only."""
    source = zipped(tmp_path / "all.zip", {f"bo/{FILE}": b" " * (300 * 2**20), f"ada/{FILE}": GOOD})
    done = take(source, course)
    assert done["ada"].state == FINE and done["bo"].state == TROUBLE and "MB" in str(done["bo"])
    assert sum(file.stat().st_size for file in Path(course.root).rglob("*") if file.is_file()) < 2**20


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 broken"])
def test_a_source_that_is_no_zip(course, tmp_path, content):
    """What is expected is told."""
    (tmp_path / "all.zip").write_bytes(content)
    with pytest.raises(click.ClickException, match="Expected is the zip"):
        take(tmp_path / "all.zip", course)


def test_names_of_files_that_are_no_text(course, tmp_path):
    """Strange bytes, line ends, colours of a terminal: one line for each student all the same."""
    (tmp_path / "all" / "ada").mkdir(parents=True)
    for name in (b"\xff\xfe.ipynb", b"a\nb.txt", b"\x1b[31mred.txt"):
        (tmp_path / "all" / "ada" / os.fsdecode(name)).write_bytes(GOOD if b"ipynb" in name else b"x")
    done = take(tmp_path / "all", course)["ada"]
    assert str(done).isprintable() and str(done).isascii() and done.state == MENDED
    assert len(receipt(course.root, LESSON, "ada")["found"]) == 3


def test_a_notebook_as_it_was_handed_out(course, tmp_path):
    """It is taken, and it is told that nothing is written in it: it may be the wrong file. Once is enough."""
    untouched = Path(course.root, "course", LESSON, FILE).read_bytes()
    with_a_note = nbformat.reads(untouched.decode(), as_version=4)
    with_a_note.cells.append(new_code_cell("print('a look at softmax')"))
    names = {f"ada/{FILE}": untouched, f"bo/{FILE}": nbformat.writes(with_a_note).encode(), f"cy/{FILE}": GOOD}
    source = zipped(tmp_path / "all.zip", names)
    done = take(source, course)
    assert {who: each.state for who, each in done.items()} == {"ada": LOOK, "bo": LOOK, "cy": FINE}
    assert done["ada"].about == done["bo"].about == ("Nothing is written where answers belong.",)
    assert totals(done.values()) == "1 as it should be, 2 to look at"
    assert submitted(course, "ada").read_bytes() == untouched and made_fit("ada", course) == ""
    assert [(each.state, each.about) for each in take(source, course).values()] == [(SAME, ())] * 3


def test_two_answers_one_of_which_its_check_never_saw(course, tmp_path):
    """Which of them is meant a person can see: the work is to look at, with the words that say why."""
    BROKEN["an_old_version_is_kept_below_the_check"].write(tmp_path / "all" / "ada")
    BROKEN["old_versions_are_kept"].write(tmp_path / "all" / "bo")
    done = take(tmp_path / "all", course)
    assert (done["ada"].state, done["bo"].state) == (LOOK, MENDED)
    assert " ".join(done["ada"].about).endswith(
        "the last one above its check counts. Another is below it: look at both."
    )


def test_an_empty_source(course, tmp_path):
    """A wrong folder, most likely."""
    (tmp_path / "all").mkdir()
    with pytest.raises(click.ClickException, match="There is nothing"):
        take(tmp_path / "all", course)


def test_a_lesson_that_is_not_released(course, tmp_path):
    """Those that are there are named."""
    with pytest.raises(click.ClickException, match=f"Released are: {LESSON}"):
        list(collect(canvas_zip(tmp_path / "x.zip"), "lesson_99", course))


# Again and again


def test_a_second_submission(course, tmp_path):
    """It counts, the first one is kept, and what that was graded is no news of this one."""
    take(canvas_zip(tmp_path / "one.zip"), course, platform=Canvas)
    note(course.root, LESSON, "12345", graded={"score": 15})
    done = take(
        zipped(tmp_path / "two.zip", {f"doejane_12345_9100_{LESSON}-2.ipynb": another()}), course, platform=Canvas
    )
    assert done["12345"].state == FINE and "In place of an earlier one." in str(done["12345"])
    assert totals(done.values()) == "1 as it should be; 1 of them in place of an earlier one"
    assert "a second thought" in submitted(course, "12345").read_text(encoding="utf-8")
    assert (received(course, "12345") / FILE).read_bytes() == GOOD
    noted = receipt(course.root, LESSON, "12345")
    assert noted["received"] == "2" and noted["graded"] == {}


def test_an_old_zip_after_a_new_one(course, tmp_path):
    """What came last still counts."""
    take(canvas_zip(tmp_path / "one.zip"), course, platform=Canvas)
    take(zipped(tmp_path / "two.zip", {f"doejane_12345_9100_{LESSON}-2.ipynb": another()}), course, platform=Canvas)
    done = take(tmp_path / "one.zip", course, platform=Canvas)
    assert "submission 2 counts" in str(done["12345"])
    assert "a second thought" in submitted(course, "12345").read_text(encoding="utf-8")


def test_a_second_submission_that_is_broken(course, tmp_path):
    """The first one stays in its place, and grading is told that it is not what counts."""
    take(canvas_zip(tmp_path / "one.zip"), course, platform=Canvas)
    before = submitted(course, "12345").read_bytes()
    done = take(zipped(tmp_path / "two.zip", {f"doejane_12345_9100_{FILE}": GOOD[:9000]}), course, platform=Canvas)
    assert done["12345"].state == TROUBLE and "submitted/ still holds what came before" in str(done["12345"])
    assert submitted(course, "12345").read_bytes() == before
    assert "ends in the middle" in made_fit("12345", course)


def test_a_lesson_that_was_not_meant(course, tmp_path):
    """The wrong zip is told; the right one counts when it comes again."""
    right = zipped(tmp_path / "right.zip", {f"doejane_12345_9001_{FILE}": GOOD})
    other = as_bytes(solved("lesson_00_start_here"))
    wrong = zipped(tmp_path / "wrong.zip", {"doejane_12345_9002_lesson_00_start_here.ipynb": other})
    states = [take(source, course, platform=Canvas)["12345"].state for source in (right, wrong, right)]
    assert states == [FINE, TROUBLE, FINE] and made_fit("12345", course) == ""
    again = take(right, course, platform=Canvas)["12345"]
    assert again.state == SAME and not again.about


def test_half_a_file_that_a_kill_left_in_submitted(course, tmp_path):
    """It is nobody's work, and nothing of it is kept."""
    source = canvas_zip(tmp_path / "one.zip")
    take(source, course, platform=Canvas)
    submitted(course, "12345").rename(submitted(course, "12345").with_name(f".{FILE}.641"))
    done = take(source, course, platform=Canvas)
    assert done["12345"].state != TROUBLE and submitted(course, "12345").exists()
    assert not received(course, "12345", 2).exists()


def test_only_one_collects(course, tmp_path):
    """Another is told to wait, and takes nothing."""
    source = canvas_zip(tmp_path / "one.zip")
    with FileLock(Path(course.root, ".collecting.lock")), pytest.raises(click.ClickException, match="wait until"):
        take(source, course, platform=Canvas)
    assert not (Path(course.root) / "received").exists()


def test_a_trouble_of_grading_stays(course, tmp_path):
    """Collecting the same again does not make it good; a new submission does."""
    take(canvas_zip(tmp_path / "one.zip"), course, platform=Canvas)
    note(course.root, LESSON, "12345", trouble="not graded: the disk was full")
    take(tmp_path / "one.zip", course, platform=Canvas)
    assert receipt(course.root, LESSON, "12345")["trouble"] == "not graded: the disk was full"
    assert made_fit("12345", course) == ""
    take(zipped(tmp_path / "two.zip", {f"doejane_12345_9100_{FILE}": another()}), course, platform=Canvas)
    assert receipt(course.root, LESSON, "12345")["trouble"] == ""


def test_mended_by_hand(course, tmp_path):
    """What an instructor puts into submitted/ counts, is kept, and no old zip overwrites it."""
    source = zipped(tmp_path / "one.zip", {f"doejane_12345_9001_{FILE}": GOOD[:9000]})
    assert take(source, course, platform=Canvas)["12345"].state == TROUBLE
    submitted(course, "12345").write_bytes(another("by hand"))
    assert made_fit("12345", course) == ""
    take(source, course, platform=Canvas)
    assert "by hand" in submitted(course, "12345").read_text(encoding="utf-8")
    assert (received(course, "12345", 2) / FILE).read_bytes() == another("by hand")


def test_from_the_exchange(course):
    """What nbgrader collected is made fit before grading, and kept as it came; what is fit stays as it is."""
    for student, name, content in (("ada", FILE, GOOD), ("bo", "Untitled.ipynb", another()), ("cy", FILE, GOOD[:99])):
        submitted(course, student).parent.mkdir(parents=True)
        (submitted(course, student).parent / name).write_bytes(content)
    assert [made_fit(student, course) for student in ("ada", "bo")] == ["", ""]
    assert "ends in the middle" in made_fit("cy", course)
    assert submitted(course, "ada").read_bytes() == GOOD == (received(course, "ada") / FILE).read_bytes()
    assert not submitted(course, "bo").exists() and (submitted(course, "bo").parent / "Untitled.ipynb").exists()
    assert "Untitled.ipynb has the name" in str(receipt(course.root, LESSON, "bo"))
    before = contents(course)
    for student in ("ada", "bo", "cy"):
        made_fit(student, course)
    assert contents(course) == before


@pytest.mark.parametrize("outer", ["all", "Downloads/all"])
def test_moodle_in_a_folder_beside_a_stray_file(course, tmp_path, outer):
    """Each has their own work; a folder in it that is named like somebody else's changes nothing."""
    (tmp_path / "class.csv").write_text(MOODLE)
    jane, richard = f"{outer}/Jane Doe_501_assignsubmission_file_", "Richard Roe_502_assignsubmission_file_"
    files = {f"{jane}/{richard}/{FILE}": another("Jane"), f"{outer}/{richard}/{FILE}": another("Richard")}
    notes = {"notes.txt": b"", "Downloads/notes.txt": b""} if "/" in outer else {"notes.txt": b""}
    take(zipped(tmp_path / "in.zip", notes | files), course, read_roster(tmp_path / "class.csv"), platform=Moodle)
    for student, words in (("jane@uni.example", "Jane"), ("richard@uni.example", "Richard")):
        assert words in submitted(course, student).read_text(encoding="utf-8")


@pytest.mark.parametrize("names", [("jdoe.ipynb", "rroe.ipynb"), ("jdoe.ipynb", f"rroe/{FILE}")])
def test_a_folder_around_a_class(course, roster, tmp_path, names):
    """Nobody guesses whether it is a class's or a student's: nothing is taken, and the folder itself does."""
    source = zipped(tmp_path / "all.zip", {f"all/{name}": GOOD for name in names})
    with pytest.raises(click.ClickException, match=r"Everything lies in the folder all\..*--roster"):
        take(source, course)
    assert not (Path(course.root) / "received").exists()
    zipfile.ZipFile(source).extractall(tmp_path)
    assert set(take(tmp_path / "all", course, roster(PLAIN))) == {"jdoe", "rroe", "epoe"}


@pytest.mark.parametrize("platform", [Canvas, Moodle])
def test_a_platform_that_was_not_said(course, tmp_path, platform):
    """Its names are nobody's folders: nothing is taken; said, a stray notebook beside them is refused alone."""
    named = {Canvas: f"doejane_12345_9001_{FILE}", Moodle: f"Jane Doe_501_assignsubmission_file_/{FILE}"}[platform]
    source = zipped(tmp_path / "all.zip", {named: GOOD})
    for said in (None, *({Canvas, Moodle} - {platform})):
        with pytest.raises(click.ClickException, match=f"names are {platform.name}'s: say --{platform.name.lower()}"):
            take(source, course, platform=said)
    source = zipped(tmp_path / "more.zip", {f"Downloads/{named}": GOOD, "Downloads/old.ipynb": another()})
    taken, told = collect(source, LESSON, course, None, platform)
    assert taken.state == FINE and told.state == REFUSED and "old.ipynb" in str(told)


class Killed(BaseException):
    """No `except Exception` catches it, as none catches a kill."""


@pytest.mark.parametrize("call", range(7))
def test_a_kill_at_any_moment(course, tmp_path, monkeypatch, call):
    """After each rename, of which every step has one, the next run completes what was begun."""
    take(canvas_zip(tmp_path / "one.zip"), course, platform=Canvas)
    expected = zipped(tmp_path / "two.zip", {f"{who}_9100_{FILE}": another(who) for who in ("a_12345", "b_12346")})
    done, real = [], (os.replace, os.rename)

    def counting(rename):
        def renamed(source, target):
            if len(done) == call:
                raise Killed
            done.append(target)
            rename(source, target)

        return renamed

    monkeypatch.setattr(os, "replace", counting(real[0]))
    monkeypatch.setattr(os, "rename", counting(real[1]))
    with pytest.raises(Killed):
        take(expected, course, platform=Canvas)
    monkeypatch.undo()
    assert made_fit("12345", course) == made_fit("12346", course) == ""
    take(expected, course, platform=Canvas)
    for student, who in (("12345", "a_12345"), ("12346", "b_12346")):
        assert who in submitted(course, student).read_text(encoding="utf-8")
        assert receipt(course.root, LESSON, student)["received"] == "2"
        assert sorted(place.name for place in received(course, student).parent.iterdir()) == ["1", "2"]
    assert not [name for name in contents(course) if "/." in name and not name.startswith("receipts/")]


# The command


def test_the_command(course, tmp_path):
    """A row for each in a table, and totals; at the end, that coming late costs nothing."""
    canvas_zip(tmp_path / "submissions.zip")
    (tmp_path / "grades.csv").write_text(CANVAS)
    done = mha_here(
        course.root, "collect", "../submissions.zip", "--canvas", "--lesson", "softmax", "--roster", "../grades.csv"
    )
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["student", "name", "what", "was", "found"], done.stderr
    assert [line.split()[0] for line in lines[:3]] == ["12345", "12346", "12347"]
    assert lines[-2] == "2 as it should be, 1 missing" and done.returncode == 0
    assert lines[-1].startswith("Richard Roe (12346) came late and loses no points; that takes c.LatePolicy")


def test_what_is_to_do_comes_last(course, tmp_path):
    """Whatever the ids are: in a terminal the last lines are those in sight. A script sees it by how it ends."""
    more = {f"aaa_1_9000_{FILE}": b"{", f"zoe_99_9100_{FILE}": GOOD}
    canvas_zip(tmp_path / "submissions.zip", **more)
    (tmp_path / "grades.csv").write_text(CANVAS + '"Aab, A",1,S0,aab,Morning,\n')
    command = ["collect", "../submissions.zip", "--canvas", "--lesson", "1", "--roster", "../grades.csv"]
    done = mha_here(course.root, *command)
    rows = [line.split() for line in done.stdout.splitlines()[1:6]]
    assert [row[0] for row in rows] == ["12345", "12346", "12347", "99", "1"] and "TROUBLE" in rows[-1]
    assert done.returncode == 3 and done.stderr == ""


def test_who_is_excused_is_not_missing(course, tmp_path):
    """By EX in the lesson's column, as Canvas writes it; in another lesson's column it says nothing of this one."""
    for column, state in (("Lesson 1 (77)", "excused"), ("Lesson 2 (77)", "missing")):
        (tmp_path / "grades.csv").write_text(
            CANVAS.replace("Lesson 1 (77)", column).replace("epoe,Evening,", "epoe,Evening,EX")
        )
        roster = read_roster(tmp_path / "grades.csv", LESSON)
        done = list(collect(canvas_zip(tmp_path / "in.zip"), LESSON, course, roster, Canvas))
        assert f"1 {state}" in totals(done) and done[-1].name == "Poe, Edgar"
    assert class_of(course.root, LESSON)["12347"] == {"name": "Poe, Edgar", "excused": False}


LATE = {"late": True, "time": ""}, {"late": False, "time": "2026-03-02 18:00:00 UTC"}


@pytest.mark.parametrize(
    "noted, settings, due, free",
    [
        (LATE[0], 0, None, True),
        (LATE[1], 0, "2026-03-01", True),
        (LATE[0], 10, None, True),
        (LATE[0], 10, "2026-03-01", True),
        ({"time": "2026-03-01 00:30:00 UTC"}, 10, "2026-03-01", False),
        (LATE[1], 10, "2026-03-01", False),
        (LATE[1], 0, "2026-03-05", False),
        ({}, 0, "2026-03-01", False),
    ],
)
def test_lateness_that_costs_nothing(noted, settings, due, free):
    """Said where somebody is late and loses no points; nothing where they do, or came in time."""
    when = datetime.fromisoformat(due) if due else None
    assert _is_free(LatePolicy(percent_a_day=settings), when, noted) == free


def test_a_write_that_fails_is_told(course, tmp_path, monkeypatch):
    """A full disk, say: that student is told, the others are taken, and the next run completes it."""
    real = fit.note

    def full(root, lesson, student, **what):
        if student == "12345":
            raise OSError(28, "No space left on device")
        real(root, lesson, student, **what)

    monkeypatch.setattr(fit, "note", full)
    done = take(canvas_zip(tmp_path / "one.zip"), course, platform=Canvas)
    assert done["12345"].state == TROUBLE and done["12346"].state == FINE
    monkeypatch.undo()
    assert take(tmp_path / "one.zip", course, platform=Canvas)["12345"].state == FINE


def test_nobody_hands_in_for_somebody_else(course, roster, tmp_path):
    """A file that is called as in Moodle's zips is hers nevertheless, in whose folder it lies."""
    for name, content in (
        (f"jdoe/{FILE}", GOOD),
        (f"rroe/{FILE}", GOOD),
        (f"jdoe/Richard Roe_1_assignsubmission_file_{FILE}", another()),
    ):
        (tmp_path / "all" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "all" / name).write_bytes(content)
    done = take(tmp_path / "all", course, roster(PLAIN))
    assert not done["rroe"].about and b"a second thought" not in submitted(course, "rroe").read_bytes()


def test_nobody_stops_the_others(course, tmp_path):
    """The same without a roster: the work of all others is collected."""
    for name in (f"ada/{FILE}", f"bo/{FILE}", f"ada/bo_1_assignsubmission_file_{FILE}"):
        (tmp_path / "all" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "all" / name).write_bytes(GOOD)
    assert take(tmp_path / "all", course)["bo"].state == FINE


def test_a_time_that_a_student_wrote(course, roster, tmp_path):
    """Where Moodle tells when it was, nobody else does."""
    folder = "Jane Doe_501_assignsubmission_file_"
    names = {f"{folder}/{FILE}": GOOD, f"{folder}/timestamp.txt": b"2020-01-01 00:00:00 UTC"}
    take(zipped(tmp_path / "moodle.zip", names), course, roster(MOODLE, "utf-8-sig"), platform=Moodle)
    assert receipt(course.root, LESSON, "jane@uni.example")["time"].startswith("2026-11-0")


@pytest.mark.parametrize("own", [FILE, "lesson_01_2026_softmax.ipynb", "mine_12_11_again.ipynb"])
def test_numbers_in_a_name_of_ones_own(course, roster, tmp_path, own):
    """They are no numbers of Canvas', where Moodle has said whose it is."""
    source = zipped(tmp_path / "moodle.zip", {f"Jane Doe_501_assignsubmission_file_{own}": GOOD})
    done = take(source, course, roster("id,name\n11,Jane Doe\n12,Richard Roe\n"), platform=Moodle)
    assert done["11"].state in (FINE, MENDED) and done["12"].state == MISSING


def test_the_number_of_a_lesson_is_nobodys(course, tmp_path):
    """Canvas' numbers never begin with 0: this is the file of somebody, in a folder with a file for each."""
    assert "01" not in take(zipped(tmp_path / "all.zip", {"lesson_01_2026_jdoe.ipynb": GOOD}), course)


def test_a_time_without_an_end(course, tmp_path):
    """Of such a file the beginning is read: whoever reads a time needs a hundred bytes for each of its characters."""
    (tmp_path / "all" / "ada").mkdir(parents=True)
    (tmp_path / "all" / "ada" / FILE).write_bytes(GOOD)
    (tmp_path / "all" / "ada" / "timestamp.txt").write_text("1 " * 1_000_000)
    take(tmp_path / "all", course)
    assert len(receipt(course.root, LESSON, "ada")["time"]) <= 100


def test_a_time_that_cannot_be_counted(course, tmp_path):
    """Whoever computes with such numbers stops; the others are collected all the same."""
    names = {f"{who}/{FILE}": GOOD for who in ("ada", "bo")} | {"ada/timestamp.txt": f"{'9' * 40}:0{'9' * 40} h"}
    assert take(zipped(tmp_path / "all.zip", names), course)["bo"].state == FINE


def test_very_many_files_that_are_left_out(course, tmp_path):
    """Are told in one sentence, beside others or alone."""
    source = zipped(tmp_path / "all.zip", {f"ada/{FILE}": GOOD})
    with zipfile.ZipFile(source, "a") as archive:
        for number in range(1000):
            for who in ("ada", "bo"):
                link = zipfile.ZipInfo(f"{who}/{number}")
                link.external_attr = (stat.S_IFLNK | 0o777) << 16
                archive.writestr(link, FILE)
    done = take(source, course)
    assert {student: each.state for student, each in done.items()} == {"ada": MENDED, "bo": TROUBLE}
    assert all("and 997 more" in str(each) and len(" ".join(each.about)) < 1000 for each in done.values())


LONG = "A" * 1_000_000
LONG_NAMES = {
    "cell": lambda notebook: notebook["cells"].append(code("1", nbgrader={"grade_id": LONG})),
    "format": lambda notebook: notebook.update(nbformat=LONG),
}


@pytest.mark.parametrize("what", LONG_NAMES)
def test_a_name_that_fills_the_terminal(course, tmp_path, what):
    """What is told of a submission is a line or two, whatever its parts are called; the same holds of its receipt."""
    LONG_NAMES[what](notebook := solved())
    done = take(zipped(tmp_path / "all.zip", {f"ada/{FILE}": as_bytes(notebook)}), course)
    assert "AAA" in str(done["ada"]) or what == "cell"  # a mark that the lesson does not have is not told at all
    assert len(" ".join(done["ada"].about)) < 1000
    assert len(str(receipt(course.root, LESSON, "ada"))) < 2000
