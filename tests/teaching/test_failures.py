"""What files, disks and gradebooks have against a command: one sentence that names it, and no traceback."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from errno import EACCES, ENOSPC
from pathlib import Path

import nbformat
import pytest
from classroom import CONFIG, Submission, mha_here, open_course, points_in, well
from click.testing import CliRunner
from helpers import our_answers
from nbgrader.api import Gradebook

from autograder import cli
from autograder.grading import grade, whole_class
from autograder.intake import triage
from autograder.intake.bounds import do
from autograder.teaching import feedback

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("failures"),
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere other files are possible"),
]
LESSON = "lesson_00_start_here"
MOST = sum(points_in(LESSON).values())
NOTEBOOK = f"{LESSON}.ipynb"
GRADE, REPORT, FEEDBACK = f"grade {LESSON} --trust-submissions", f"report {LESSON}", f"feedback {LESSON}"
MARKS = f"marks {LESSON} --canvas table.csv --to marks.csv"
REGRADE, COLLECT = f"{GRADE} --again --dry-run", f"collect came --lesson {LESSON}"
KIT = f"kit {LESSON}"
LONGEST = "x" * 251
PYTHONS = re.compile(r"Traceback|\[Errno|(Attribute|Key|Type|Value|Index|JSONDecode|ZeroDivision|Unicode\w+)Error")
TAGS = "<img src=x onerror=alert(1)>"


@dataclass(frozen=True)
class Failure:
    """spoil: what is done to a graded course; says: what is to be read; others: all but bo go on."""

    spoil: object
    command: str
    says: tuple
    others: bool = False


def write(place, text="no such thing"):
    """A function that writes a text into a file of a course, or bytes."""

    def spoil(root):
        away(place)(root)
        file = root / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    return spoil


def away(place):
    def spoil(root):
        file = root / place
        shutil.rmtree(file) if file.is_dir() else file.unlink(missing_ok=True)

    return spoil


def folder(place):
    def spoil(root):
        away(place)(root)
        (root / place).mkdir(parents=True)

    return spoil


def cut(place):
    def spoil(root):
        data = (root / place).read_bytes()
        away(place)(root)
        (root / place).write_bytes(data[: len(data) // 2])

    return spoil


def link(place, to):
    def spoil(root):
        away(place)(root)
        (root / place).symlink_to(root / to)

    return spoil


def second_name(place, of):
    def spoil(root):
        away(place)(root)
        os.link(root / of, root / place)

    return spoil


def copy(place, to):
    def spoil(root):
        shutil.copytree(root / place, root / to)

    return spoil


def both(*spoils):
    def spoil(root):
        for one in spoils:
            one(root)

    return spoil


def no_server(root):
    """PostgreSQL is down, or somewhere else."""
    with (root / "nbgrader_config.py").open("a") as settings:
        settings.write('c.CourseDirectory.db_url = "postgresql+psycopg://nobody@127.0.0.1:1/postgres"\n')


def older(root):
    with closing(sqlite3.connect(root / "gradebook.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = 'abc'")
        database.commit()


def torn(root):
    """A page in the middle holds what belongs somewhere else."""
    data = bytearray((root / "gradebook.db").read_bytes())
    data[4096 : len(data)] = b"\xff" * (len(data) - 4096)
    (root / "gradebook.db").write_bytes(data)


def old_format(root):
    """As IPython wrote it in 2013."""
    file = root / "submitted" / "bo" / LESSON / NOTEBOOK
    old = nbformat.convert(nbformat.read(file, as_version=4), 3)
    file.write_text(nbformat.v3.writes_json(old) if hasattr(nbformat.v3, "writes_json") else nbformat.writes(old, 3))


BO = f"submitted/bo/{LESSON}"
BOS = f"{BO}/{NOTEBOOK}"
ADAS = f"submitted/ada/{LESSON}/{NOTEBOOK}"
RECEIPT, AUTOGRADED = f"receipts/{LESSON}/bo.json", f"autograded/bo/{LESSON}/{NOTEBOOK}"
MISNAMED = ("cannot be the name of a student's folder",)
NO_SERVER = ("Error: The gradebook's server cannot be asked (connection failed", "see whether it runs")
NO_GRADEBOOK = ("gradebook cannot be used", "Put a copy from before in its place")
FAILURES = {
    "a gradebook of words, grade": Failure(write("gradebook.db"), GRADE, NO_GRADEBOOK),
    "a gradebook of words, report": Failure(write("gradebook.db"), REPORT, NO_GRADEBOOK),
    "a gradebook of words, feedback": Failure(write("gradebook.db"), FEEDBACK, NO_GRADEBOOK),
    "a gradebook of words, marks": Failure(write("gradebook.db"), MARKS, NO_GRADEBOOK),
    "a gradebook of words, regrade": Failure(write("gradebook.db"), REGRADE, NO_GRADEBOOK),
    "a gradebook of words, collect": Failure(write("gradebook.db"), COLLECT, NO_GRADEBOOK),
    "a gradebook that is cut, grade": Failure(cut("gradebook.db"), GRADE, ("gradebook", "Put a copy from before")),
    "a gradebook that is torn, report": Failure(torn, REPORT, ("gradebook", "Put a copy from before")),
    "a gradebook that is torn, grade": Failure(torn, GRADE, ("gradebook", "Put a copy from before")),
    "an older gradebook": Failure(older, REPORT, ("another version of nbgrader", "nbgrader db upgrade")),
    "a gradebook that is a folder": Failure(folder("gradebook.db"), GRADE, ("gradebook cannot be used",)),
    "a gradebook that is gone, report": Failure(away("gradebook.db"), REPORT, ("gives them again",)),
    "a gradebook that is gone, feedback": Failure(away("gradebook.db"), FEEDBACK, ("gives them again",)),
    **{
        f"no server, {command}": Failure(no_server, command, NO_SERVER)
        for command in (GRADE, REPORT, FEEDBACK, MARKS, REGRADE, COLLECT, f"status {LESSON}", "show bo")
    },
    "a seed of words": Failure(write("grading_seed.txt"), GRADE, ("grading_seed.txt should begin with a number",)),
    "a seed that is empty": Failure(write("grading_seed.txt", ""), GRADE, ("should begin with a number",)),
    "a seed that is a folder": Failure(folder("grading_seed.txt"), GRADE, ("grading_seed.txt",)),
    "a seed that is no text": Failure(write("grading_seed.txt", b"\xff\xfe"), GRADE, ("grading_seed.txt",)),
    "numbers of students, grade": Failure(write(f"own_numbers/{LESSON}.json"), GRADE, ("mha kit",)),
    "numbers of students, report": Failure(write(f"own_numbers/{LESSON}.json"), REPORT, ("mha kit",)),
    "numbers of students, list": Failure(write(f"own_numbers/{LESSON}.json", "[]"), GRADE, ("mha kit",)),
    "a receipt, grade": Failure(write(RECEIPT), GRADE, ("bo.json cannot be read", "take it away"), others=True),
    "a receipt, report": Failure(write(RECEIPT), REPORT, ("1 other is not graded",), others=True),
    "a receipt, feedback": Failure(write(RECEIPT), FEEDBACK, ("bo.json cannot be read", "2 of 3"), others=True),
    "a receipt, marks": Failure(write(RECEIPT), MARKS, ("bo.json cannot be read",), others=True),
    "a receipt, collect": Failure(write(RECEIPT), COLLECT, ("bo.json cannot be read",), others=True),
    "a receipt that is a list": Failure(write(RECEIPT, "[1]"), FEEDBACK, ("bo.json cannot be read",), others=True),
    "a receipt that is a folder": Failure(folder(RECEIPT), FEEDBACK, ("bo.json cannot be read",), others=True),
    "a graded notebook, report": Failure(cut(AUTOGRADED), REPORT, ("1 other is not graded",), others=True),
    "a graded notebook, feedback": Failure(cut(AUTOGRADED), FEEDBACK, ("is damaged: `mha grade",), others=True),
    "a graded notebook that is gone": Failure(away(AUTOGRADED), FEEDBACK, ("not graded yet",), others=True),
    "reports is a file": Failure(write("reports", ""), REPORT, ("reports is in the way",)),
    "feedback is a file": Failure(both(away("feedback"), write("feedback", "")), FEEDBACK, ("feedback",)),
    "receipts is a file": Failure(both(away("receipts"), write("receipts", "")), GRADE, ("receipts",)),
    "received is a file": Failure(
        both(away("received"), away("receipts"), write("received", "")), GRADE, ("received",)
    ),
    "autograded is a file": Failure(write("autograded", ""), GRADE, ("autograded",)),
    "a folder that is a link": Failure(link(BO, f"submitted/ada/{LESSON}"), GRADE, ("is a link",), others=True),
    "a student that is a link": Failure(link("submitted/bo", "submitted/ada"), GRADE, ("is a link",), others=True),
    "a notebook that is a link": Failure(link(BOS, ADAS), GRADE, ("is a link, a pipe or a device",), others=True),
    "a hard link": Failure(second_name(BOS, ADAS), GRADE, ("has a second name elsewhere",)),
    "a blank after a name": Failure(copy("submitted/bo", "submitted/bo "), GRADE, MISNAMED, others=True),
    "a name of markup": Failure(copy("submitted/bo", f"submitted/{TAGS}"), GRADE, MISNAMED, others=True),
    "a name of 251 bytes, grade": Failure(copy("submitted/bo", f"submitted/{LONGEST}"), GRADE, MISNAMED, others=True),
    "a name of 251 bytes, feedback": Failure(
        copy("submitted/bo", f"submitted/{LONGEST}"), FEEDBACK, (*MISNAMED, "3 of 4"), others=True
    ),
    "a name of 251 bytes, report": Failure(
        copy("submitted/bo", f"submitted/{LONGEST}"), REPORT, ("1 other is not graded",), others=True
    ),
    "a file for a folder": Failure(both(away(BO), write(BO, "")), GRADE, ("is a file, and should be a folder",), True),
    "a folder for a notebook": Failure(folder(BOS), GRADE, ("nothing was handed in",), others=True),
    "an old format": Failure(old_format, GRADE, ("old format 3", f"{MOST} of {MOST}"), others=True),
    "half a notebook": Failure(cut(BOS), GRADE, ("ends in the middle",), others=True),
    "the lesson is cut, grade": Failure(cut(f"course/{LESSON}/{NOTEBOOK}"), GRADE, (f"course/{LESSON}",)),
    "the lesson is cut, report": Failure(cut(f"course/{LESSON}/{NOTEBOOK}"), REPORT, (f"course/{LESSON}",)),
    "the lesson is cut, collect": Failure(cut(f"course/{LESSON}/{NOTEBOOK}"), COLLECT, (f"course/{LESSON}",)),
    "the lesson is cut, kit": Failure(cut(f"course/{LESSON}/{NOTEBOOK}"), KIT, (f"course/{LESSON}",)),
    "the solutions are cut": Failure(
        both(away("gradebook.db"), cut(f"solutions/{LESSON}/{NOTEBOOK}")), GRADE, ("cannot read the lesson",)
    ),
    "settings that are no Python": Failure(write("nbgrader_config.py", "c = ("), GRADE, ("nbgrader_config.py",)),
    "a table that is none": Failure(write("table.csv", b"\0\0"), MARKS, ("table.csv",)),
    "a table without the lesson": Failure(write("table.csv", "a,b\n1,2\n"), MARKS, ("table.csv",)),
    "a folder that is not there": Failure(lambda root: None, f"{MARKS[:-9]}no/marks.csv", ("no/marks.csv",)),
    "a kit for nowhere": Failure(lambda root: None, f"{KIT} --to no/kit.zip", ("no/kit.zip",)),
    "a kit for a broken roster": Failure(write("class.csv", b"\0"), f"{KIT} --for class.csv", ("class.csv",)),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class of three that is graded, and a copy of it."""
    root = tmp_path_factory.mktemp("course") / "here"
    root.mkdir()
    answers = Submission(our_answers(LESSON))
    open_course(
        root, LESSON, dict.fromkeys(("ada", "bo", "cem"), answers), CONFIG.format(root=str(root), limit=15), True
    )
    (root / "table.csv").write_text(
        f"Student,ID,SIS Login ID,Section,{LESSON} (1)\nAda,1,ada,,\nBo,2,bo,,\nCem,3,cem,,\n"
    )
    shutil.copytree(root / "submitted" / "ada" / LESSON, root / "came" / "bo")
    well(mha_here(root, "grade", LESSON, "--trust-submissions"))
    shutil.copytree(root, root.with_name("before"))
    return root


@pytest.fixture
def course(graded, monkeypatch):
    """As it was graded, in the folder in which it was graded; in this process, with all its work."""
    os.chdir("/")
    shutil.rmtree(graded)
    shutil.copytree(graded.with_name("before"), graded)
    monkeypatch.chdir(graded)
    for place in (whole_class, feedback):
        monkeypatch.setattr(place, "results", _here)
    for kept in (grade._api, feedback._course, triage._read):
        kept.cache_clear()
    return graded


def _here(work, tasks, size, first=None):
    for task in tasks:
        yield task, do(work, *task)


def said(command):
    return CliRunner().invoke(cli.main, command.split())


@pytest.mark.parametrize("name", FAILURES)
def test_a_sentence(course, name):
    """It names what was met; what concerns one student stops no other."""
    failure = FAILURES[name]
    failure.spoil(course)
    done = said(failure.command)
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    assert not PYTHONS.search(done.output), done.output
    assert all(words in done.output for words in failure.says), done.output
    if failure.others and failure.command == GRADE:
        assert re.search("[23] were graded before, and nothing has changed", done.output), done.output


@pytest.mark.parametrize("spoil", [away(AUTOGRADED), cut(AUTOGRADED), write(AUTOGRADED, "{}"), away("autograded")])
def test_what_is_lost_is_made_again(course, spoil):
    """`mha grade` sees it by itself; whoever is whole is not graded again."""
    spoil(course)
    lost = sum(not (course / f"autograded/{who}/{LESSON}/{NOTEBOOK}").exists() for who in ("ada", "bo", "cem"))
    done = said(GRADE)
    assert re.search(rf"^bo +\S+ +{MOST} of {MOST}$", done.output, re.MULTILINE), done.output
    assert ("2 were graded before" in done.output) == (lost < 3)
    assert len(nbformat.read(course / AUTOGRADED, as_version=4).cells) > 10


def test_marks_by_hand_after_a_kill(course, monkeypatch):
    """Whoever has marked an answer need not look at it again, though grading was killed in between."""
    mark_by_hand(course, "weighted_mean", 1.5)
    monkeypatch.setattr(grade, "settle", killed)
    with pytest.raises(Killed):
        cli.main(f"{GRADE} bo --again".split(), standalone_mode=False)
    monkeypatch.undo()
    monkeypatch.chdir(course)
    for place in (whole_class, feedback):
        monkeypatch.setattr(place, "results", _here)
    assert by_hand_of(course) == {"check_weighted_mean": (1.5, True)}
    assert "bo " in said(f"{GRADE} bo").output
    assert by_hand_of(course) == {"check_weighted_mean": (1.5, False)}


def test_marks_by_hand_of_what_is_graded_again(course):
    """The graded copy was taken away and is made again: the mark stays, and nobody is asked to look at it."""
    mark_by_hand(course, "weighted_mean", 1.5)
    away(AUTOGRADED)(course)
    assert "has your mark, but" not in said(GRADE).output
    assert by_hand_of(course) == {"check_weighted_mean": (1.5, False)}


WRITES_AND_IS_KILLED = """
import os, signal, sqlite3
gradebook = sqlite3.connect("gradebook.db", isolation_level=None)
gradebook.execute("PRAGMA cache_size = 1")  # so that the file is changed before the end
gradebook.execute("BEGIN")
gradebook.execute("UPDATE student SET first_name = 'half'")
gradebook.execute("CREATE TABLE half AS SELECT zeroblob(1000000)")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_kill_in_the_middle_of_writing_the_gradebook(course):
    """The next command undoes what is half-written, and everybody has the same points."""
    subprocess.run([sys.executable, "-c", WRITES_AND_IS_KILLED])
    assert (course / "gradebook.db-journal").exists()
    assert "3 were graded before, and nothing has changed" in said(GRADE).output
    assert not (course / "gradebook.db-journal").exists()


def test_what_nbgrader_only_noted_is_no_score(course):
    """It notes a submission, and fails before it knows a score: no row of 0 stays, and none is told as known."""
    shutil.copytree(course / "submitted" / "bo", course / "submitted" / "dan")
    cut(ADAS.replace("ada", "dan"))(course)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        gradebook.add_student("dan")
        gradebook.add_submission(LESSON, "dan")
    assert "the score that is known" not in said(GRADE).output
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        assert {one.student.id for one in gradebook.assignment_submissions(LESSON)} == {"ada", "bo", "cem"}


@pytest.mark.parametrize("words", ["attempt to write a readonly database", "database or disk is full"])
def test_what_nbgrader_says_of_its_gradebook(words):
    """Neither its advice to upgrade, nor where in it that happened."""
    log = f"sqlalchemy.exc.OperationalError: (sqlite3.OperationalError) {words}\n[SQL: INSERT ...]\n"
    log += "nbgrader.converters.base.NbGraderException: There was an error accessing the nbgrader database. This may "
    said = grade.reason(f"{log}occur if you recently upgraded nbgrader. To resolve ... run `nbgrader db upgrade`.")
    assert re.match(r"The gradebook (may only be read|cannot grow) \(", said) and said.endswith(
        "what was done stays done"
    )


class Killed(BaseException):
    """In the place of a signal."""


def killed(*_):
    raise Killed


def mark_by_hand(course, task, points):
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        grade = gradebook.find_grade(f"check_{task}", LESSON, LESSON, "bo")
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()


def by_hand_of(course):
    """cell -> what somebody gave, and whether it waits for somebody."""
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        grades = gradebook.find_submission_notebook(LESSON, LESSON, "bo").grades
        return {g.name: (g.manual_score, g.needs_manual_grade) for g in grades if g.manual_score is not None}


def test_a_disk_that_is_full(course, monkeypatch):
    """The report of before stays as it was, and nothing half lies beside it."""
    assert said(REPORT).exit_code == 0
    before = {file: file.read_bytes() for file in (course / "reports").iterdir()}
    monkeypatch.setattr(Path, "write_text", full)
    done = said(REPORT)
    assert done.exit_code == 1 and "could not be written (No space left on device)" in done.output
    assert "see whether there is room" in done.output and not PYTHONS.search(done.output)
    assert {file: file.read_bytes() for file in (course / "reports").iterdir()} == before


def full(self, *_, **__):
    raise OSError(ENOSPC, os.strerror(ENOSPC), str(self))


def test_a_notebook_that_may_not_be_read(course, monkeypatch):
    """It is said whose; the others are graded."""
    copyfile = shutil.copyfile

    def refusing(source, target, **options):
        if Path(source).name == NOTEBOOK and "bo" in Path(source).parts:
            raise PermissionError(EACCES, os.strerror(EACCES), source)
        return copyfile(source, target, **options)

    monkeypatch.setattr(shutil, "copyfile", refusing)
    done = said(f"{GRADE} --again")
    assert f"{course}/submitted/bo/{LESSON} cannot be read (Permission denied): see who owns it" in done.output
    assert done.output.count(f"{MOST} of {MOST}") == 2 and not PYTHONS.search(done.output)


SHELL = {
    "nobody reads": (f"mha {REPORT} | head -c 1; echo ${{PIPESTATUS[0]}}", ""),
    "no room for what is said": (f"mha {REPORT} > /dev/full", "no room"),
    "no room for files": (f"ulimit -f 4; mha {REPORT}", "could not be written (File too large)"),
    "no room for a larger gradebook": (
        f"cp -r submitted/bo submitted/dan; ulimit -f $(($(stat -c %s gradebook.db) / 1024)); mha {GRADE}",
        "dan  lesson_00_start_here  not graded: The gradebook cannot grow",
    ),
    "few files": (
        f"ulimit -n 64; mha {GRADE} --again",
        "Error: A process may open 64 files here, and grading needs 256",
    ),
    "no shared memory": (
        f"mkdir none; bwrap --dev-bind / / --ro-bind none /dev/shm mha {GRADE} --again",
        f"bo   {LESSON}  {MOST} of {MOST}",
    ),
    "locked": (f"{sys.executable} hold.py >&- 2>&- & sleep 3; mha {GRADE}; kill $!", "Another program holds"),
}
HOLD = "import sqlite3, time\ndb = sqlite3.connect('gradebook.db')\ndb.execute('BEGIN EXCLUSIVE')\ntime.sleep(60)\n"


@pytest.mark.nightly
@pytest.mark.parametrize("name", SHELL)
def test_in_a_shell(course, name):
    """As somebody types it: no traceback, and the marks are as they were."""
    command, says = SHELL[name]
    (course / "hold.py").write_text(HOLD)
    command = command.replace("mha ", f"{sys.executable} -m autograder.cli ")
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=300)
    assert "Traceback" not in done.stdout + done.stderr and says in done.stdout + done.stderr, done
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        assert [one.score for one in gradebook.assignment_submissions(LESSON)] == [MOST] * 3
