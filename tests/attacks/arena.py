"""Where attacks meet a grader: a course, a home and listeners, made to be attacked, and an inventory of the damage.

Nothing of what belongs to the user is named to an attack: {canary}, {home}, {port}, {victim} are all made here.
"""

import ctypes
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from classroom import CONFIG, Submission, make_known, open_course, points_in, started
from helpers import ROOT, our_answers
from nbformat.v4 import new_code_cell

PREPROCESSORS = """
c.Autograde.autograde_preprocessors = [
    {execute!r},
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
"""
ENGINES = {
    "plain": PREPROCESSORS.format(execute="nbgrader.preprocessors.Execute"),
    "examiner": PREPROCESSORS.format(execute="autograder.grading.examiner.Examiner")
    + "c.Examiner.timeout = 5\nc.Examiner.timeout_of_call = 2\n",
}
ENGINES["mha"] = ENGINES["trusting"] = ENGINES["examiner"]
# What an instructor types; "mha" is what we recommend, and does all that we promise. "trusting" has no sandbox.
COMMANDS = {
    "plain": ("nbgrader", "autograde"),
    "examiner": ("nbgrader", "autograde"),
    "mha": ("autograder.cli", "grade"),
    "trusting": ("autograder.cli", "grade", "--trust-submissions"),
}
AROUND = {"trusting": {"PATH": str(Path(sys.executable).parent)}}  # where there is no bubblewrap
PATIENCE = 10  # seconds for processes to end by themselves, once grading is done
SECONDS_FOR_A_CELL = 5
SECONDS_FOR_A_SUBMISSION = 40  # on the average of a class
FIRST_HONEST, LAST_HONEST = "aaa_honest", "zzz_honest"
LEAVINGS = ("/tmp", "/var/tmp", "/dev/shm", str(ROOT / "tests" / "attacks"))  # where attacks try to leave something
MOST_MEMORY = 2 * 2**30  # bytes, for the process that grades
CHILD_SUBREAPER = 36
# What nbgrader and an ordinary kernel leave in a home.
OF_JUPYTER = (
    ".cache",
    ".config",
    ".local",
    ".ipython",
    ".ipython/profile_default",
    ".jupyter",
    ".jupyter/migrated",
    ".ipython/README",
)
OF_JUPYTER_BELOW = (".cache/", ".config/", ".local/", ".ipython/profile_default/")


@dataclass
class Result:
    """What came out of a batch."""

    earned: dict = field(default_factory=dict)  # student -> exercise -> points
    damage: list = field(default_factory=list)  # sentences
    leaked: dict = field(default_factory=dict)  # student -> what its output should not hold
    markup: dict = field(default_factory=dict)  # student -> what would run in a reader's browser
    hung: bool = False
    seconds: float = 0.0
    log: str = ""


def fight(attacks, engine="mha", feedback=False, config=""):
    """Grade a class of these attacks (all of one lesson) and of honest students, and look round."""
    with _arena() as arena:
        return arena.grade(attacks, engine, feedback, config)


@contextmanager
def _arena():
    root = Path(tempfile.mkdtemp(prefix="mha_arena_"))
    with _orphans_come_to_us() as peak, _listening(root) as heard, _victim() as (victim, secret):
        try:
            yield Arena(root, heard, victim, secret, peak)
        finally:
            subprocess.run(["chmod", "-R", "u+rwx", str(root)], capture_output=True)
            subprocess.run(["rm", "-rf", str(root)], check=False)  # holes may be too deep for Python


class Arena:
    def __init__(self, root, heard, victim, secret, peak):
        self.root, self.heard, self.victim, self.secret, self.peak = root, heard, victim, secret, peak
        self.bystanders = {*_descendants(os.getpid())}  # the victim, and what ran before: another test's JupyterLab
        self.course, self.home, self.tmp = (root / name for name in ("course", "home", "tmp"))
        self.canary = self.course / "canary"
        for folder in (self.canary / "inner", self.home / "private", self.tmp):
            folder.mkdir(parents=True)
        for folder in (self.canary, self.canary / "inner", self.home, self.home / "private"):
            (folder / "letter.txt").write_text(f"{secret} in a file\n")

    def grade(self, attacks, engine, feedback, config):
        lesson = attacks[0].lesson
        students = {attack.name: attack.submission(self._places(attack.name)) for attack in attacks}
        middle = sorted(students)[len(students) // 2] + "_then_honest"
        honest = Submission(our_answers(lesson), self._with_a_secret)
        students |= dict.fromkeys((FIRST_HONEST, middle, LAST_HONEST), honest)
        limits = CONFIG.format(root=str(self.course), limit=SECONDS_FOR_A_CELL) + ENGINES[engine] + config
        open_course(self.course, lesson, students, limits)
        if engine != "mha":
            make_known(self.course, lesson)
        before = self._inventory()
        result = Result()
        self._autograde(lesson, engine, result, SECONDS_FOR_A_SUBMISSION * len(students))
        if feedback:
            limit = SECONDS_FOR_A_SUBMISSION * len(students)
            done = started(self.course, "generate_feedback", lesson, timeout=limit, **self._environment())
            result.hung |= done.returncode is None
        self._look_round(before, result)
        self._look_at_marks(lesson, students, result)
        self._look_at_notebooks(students, lesson, result)
        return result

    def _places(self, student):
        places = dict(canary=self.canary, home=self.home, project=ROOT, student=student)
        return places | dict(port=self.heard.port, victim=self.victim.pid)

    def _with_a_secret(self, notebook):
        notebook.cells.append(new_code_cell(f"# {self.secret} in the work of another"))

    def _environment(self):
        own = dict(HOME=str(self.home), TMPDIR=str(self.tmp), MHA_CANARY=self.secret, PYTHONPATH=str(ROOT))
        return own | dict(OMP_NUM_THREADS="1", JUPYTER_RUNTIME_DIR=str(self.home / ".local/share/jupyter/runtime"))

    def _autograde(self, lesson, engine, result, limit):
        begin = time.monotonic()
        program, *command = COMMANDS[engine]
        around = self._environment() | AROUND.get(engine, {})
        done = started(self.course, *command, lesson, program=program, timeout=limit, **around)
        result.hung, result.log = done.returncode is None, done.stderr
        result.seconds = time.monotonic() - begin

    def _inventory(self):
        """Of what was handed in only honest work: what is broken is mended there before it is graded."""
        honest = sorted(self.course.glob("submitted/*_honest"))
        kept = [*honest, *(self.course / name for name in ("canary", "solutions", "course", "nbgrader_config.py"))]
        ours = ("autograder", "mha_lessons", "mha_ref", "solutions", "course", "tests/attacks")
        folders = [*kept, *(ROOT / name for name in ours), self.home]
        return {place: state for folder in folders for place, state in _states(folder)}

    def _look_round(self, before, result):
        self._wait_for_what_is_ending()
        for name in _end_orphans(except_for=self.bystanders):
            result.damage.append(f"process left: {name}")
        after = self._inventory()
        for place in before.keys() | after.keys():
            if before.get(place) != after.get(place) and not self._is_usual(place):
                how = "gone" if place not in after else "changed" if place in before else "new"
                result.damage.append(f"file {how}: {place.replace(str(self.root), '')}")
        for place in _clear_leavings():
            result.damage.append(f"file left: {place}")
        if self.peak[0] > MOST_MEMORY:
            result.damage.append(f"the grader itself took {self.peak[0] / 2**30:.1f} GiB")
        for what in self.heard.heard:
            result.damage.append(f"heard: {what}")
        if self.victim.poll() is not None or _traced(self.victim.pid):
            result.damage.append("a bystander was killed, or traced")

    def _wait_for_what_is_ending(self):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and any(map(_name, {*_descendants(os.getpid())} - self.bystanders)):
            time.sleep(0.5)

    def _is_usual(self, place):
        """What an honest run leaves behind, too."""
        if not place.startswith(str(self.home)):
            return False
        inside = os.path.relpath(place, self.home)
        usual = inside in (".", *OF_JUPYTER) or inside.startswith(OF_JUPYTER_BELOW)
        return usual and "startup/0" not in inside

    def _look_at_marks(self, lesson, students, result):
        try:
            marks, others = _marks(self.course / "gradebook.db", lesson)
        except Exception as error:
            result.damage.append(f"gradebook unreadable: {type(error).__name__}")
            return
        result.earned = {student: marks.get(student, {}) for student in students}
        result.damage += [f"gradebook: {what}" for what in others]
        result.damage += [f"gradebook: unknown student {name}" for name in marks.keys() - students.keys()]
        for student in students:
            if "honest" in student.partition("__")[2] or "__" not in student:
                if marks.get(student) != points_in(lesson):
                    result.damage.append(f"honest work harmed: {student}: {marks.get(student)}")

    def _seed(self):
        """The number that inputs were drawn from, where there is one."""
        file = self.course / "grading_seed.txt"
        return file.read_text().split()[:1] if file.exists() else []

    def _look_at_notebooks(self, students, lesson, result):
        for student in students:
            said = _outputs(self.course / "autograded" / student / lesson / f"{lesson}.ipynb")
            found = [mark for mark in (self.secret, "mha-" + "secret-", *self._seed()) if mark in said]
            if found and "__" in student:
                result.leaked[student] = said[max(0, said.find(found[0]) - 100) :][:200]
            page = self.course / "feedback" / student / lesson / f"{lesson}.html"
            if page.exists():
                live = Live()
                live.feed(page.read_text(errors="replace"))
                if live.found:
                    result.markup[student] = live.found


class Live(HTMLParser):
    """Collects what would run."""

    def __init__(self):
        super().__init__()
        self.found, self.in_script = [], False

    def handle_starttag(self, tag, attrs):
        self.in_script = tag == "script"
        for name, value in attrs:
            risky = name.startswith("on") or (value or "").strip().lower().startswith(("javascript:", "data:text/html"))
            if risky and "mha_attack" in (value or ""):
                self.found.append(f"<{tag} {name}={value}>")

    def handle_endtag(self, tag):
        self.in_script = False

    def handle_data(self, data):
        if self.in_script and "mha_attack" in data:
            self.found.append(f"<script>{data[:60]}")


def _outputs(notebook):
    """All that its cells have put out, as one text."""
    with suppress(OSError, ValueError):
        cells = json.loads(notebook.read_text(errors="replace"))["cells"]
        return json.dumps([_without_sources(cell.get("outputs", [])) for cell in cells])
    return ""


def _without_sources(outputs):
    """Tracebacks quote the source, which may name what it looks for."""
    return [{k: v for k, v in output.items() if k != "traceback"} for output in outputs]


def _is_judged(cell):
    return cell.cell_type == "code"


def _marks(book, lesson):
    """student -> exercise -> points, as they count; and what is odd about the rest of the gradebook.

    What somebody reads and marks, an answer in words, has no points here.
    """
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{book}") as gradebook:
        notebooks = {s.student.id: s.notebooks for s in gradebook.assignment_submissions(lesson)}
        marks = {
            name: {g.name.removeprefix("check_"): _points(g) for n in ns for g in n.grades if _is_judged(g.cell)}
            for name, ns in notebooks.items()
        }
        odd = [f"assignment {a.name}" for a in gradebook.assignments if a.name != lesson]
        cells = [cell for n in gradebook.find_assignment(lesson).notebooks for cell in n.grade_cells]
        worth = {cell.name.removeprefix("check_"): cell.max_score for cell in cells if _is_judged(cell)}
        odd += [] if worth == points_in(lesson) else ["exercises are worth something else"]
        odd += [
            f"a teacher's mark for {n}"
            for n, ns in notebooks.items()
            if any(g.manual_score for x in ns for g in x.grades)
        ]
    return marks, odd


def _points(grade):
    return (grade.auto_score if grade.manual_score is None else grade.manual_score) or 0


def _states(folder):
    """path -> what is there: kind, rights, links, content."""
    for place in [folder, *(folder.rglob("*") if folder.is_dir() else [])]:
        if "__pycache__" in place.parts:
            continue
        with suppress(OSError):
            about = place.lstat()
            content = os.readlink(place) if place.is_symlink() else place.read_bytes() if place.is_file() else None
            yield str(place), (about.st_mode, about.st_nlink if place.is_file() else 0, content)


def _clear_leavings():
    found = [str(place) for folder in LEAVINGS for place in Path(folder).glob("mha_attack*")]
    for place in found:
        subprocess.run(["rm", "-rf", place], check=False)
    return found


@contextmanager
def _victim():
    """A bystander, whose command line holds a secret."""
    secret = f"mha-secret-{secrets.token_hex(6)}"
    victim = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(7200)", secret])
    try:
        yield victim, secret
    finally:
        victim.kill()
        victim.wait()


@contextmanager
def _listening(root):
    heard = Heard(root / "course" / "canary" / "socket")
    try:
        yield heard
    finally:
        heard.close()


class Heard:
    """Listens on a port, on a packet port of the same number, and on an abstract socket."""

    def __init__(self, file):
        self.heard, self.doors = [], []
        first = self._door("tcp", socket.AF_INET, ("127.0.0.1", 0))
        self.port = first.getsockname()[1]
        self._door("udp", socket.AF_INET, ("127.0.0.1", self.port), socket.SOCK_DGRAM)
        self._door("abstract", socket.AF_UNIX, f"\0mha_canary_{self.port}")
        file.parent.mkdir(parents=True)
        self._door("file", socket.AF_UNIX, str(file))

    def _door(self, name, family, address, kind=socket.SOCK_STREAM):
        door = socket.socket(family, kind)
        door.bind(address)
        if kind == socket.SOCK_STREAM:
            door.listen(50)
        threading.Thread(target=self._listen, args=(name, door, kind), daemon=True).start()
        self.doors.append(door)
        return door

    def _listen(self, name, door, kind):
        with suppress(OSError):
            while True:
                if kind == socket.SOCK_DGRAM:
                    self.heard.append(f"{name}: {door.recv(100)!r}")
                    continue
                caller = door.accept()[0]
                caller.settimeout(0.5)
                with suppress(OSError):
                    said = caller.recv(100)
                self.heard.append(f"{name}: a connection")
                caller.close()

    def close(self):
        for door in self.doors:
            with suppress(OSError):
                door.shutdown(socket.SHUT_RDWR)
            door.close()


@contextmanager
def _orphans_come_to_us():
    """Whatever nbgrader leaves running becomes our child, and can neither be missed nor get away."""
    prctl, over, peak = ctypes.CDLL(None).prctl, threading.Event(), [0]
    prctl(CHILD_SUBREAPER, 1, 0, 0, 0)
    helpers = [threading.Thread(target=_bury, args=(over,)), threading.Thread(target=_measure, args=(over, peak))]
    for helper in helpers:
        helper.start()
    try:
        yield peak
    finally:
        prctl(CHILD_SUBREAPER, 0, 0, 0, 0)
        over.set()
        for helper in helpers:
            helper.join()


def _bury(over):
    """As every first process does: those that came to us and are dead. Who waits for them could wait for ever.

    Our own children are of our session, and somebody else waits for them.
    """
    while not over.wait(0.02):
        for pid in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split():
            with suppress(OSError, IndexError, ValueError):  # one may be gone in between
                state, _, _, session, *_ = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                if state == "Z" and int(session) != os.getsid(0):
                    os.waitpid(int(pid), os.WNOHANG)


def _measure(over, peak):
    """How large those became that grade: they, and what they started, are of our session; workers are not."""
    while not over.wait(0.2):
        for pid in _descendants(os.getpid()):
            with suppress(OSError, IndexError, ValueError):
                if os.getsid(pid) == os.getsid(0):
                    status = Path(f"/proc/{pid}/status").read_text()
                    peak[0] = max(peak[0], int(status.partition("VmHWM:")[2].split()[0]) * 1024)


def _end_orphans(except_for):
    """The names of our children, and theirs; they are ended."""
    names = []
    while True:
        children = [pid for pid in _descendants(os.getpid()) if pid not in except_for]
        alive = {pid: _name(pid) for pid in children if _name(pid)}
        if not alive:
            return names
        names += alive.values()
        for pid in alive:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)
        for pid in children:
            with suppress(OSError):
                os.waitpid(pid, os.WNOHANG)


def _descendants(parent):
    parents = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(process.name)] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
    found = [pid for pid, above in parents.items() if above == parent]
    for pid in found:
        found += [child for child, above in parents.items() if above == pid]
    return found


def _name(pid):
    """Its command line; nothing for those that are dead already."""
    with suppress(OSError):
        stat = Path(f"/proc/{pid}/stat").read_text()
        if stat.rpartition(")")[2].split()[0] != "Z":
            return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:120] or stat
    return ""


def _traced(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return "TracerPid:\t0" not in status


def undeserved(attack, earned):
    """Points that it should not have."""
    return sum(max(0, earned.get(name, 0) - points) for name, points in attack.deserves.items() if points is not None)


def taken(attack, earned):
    """Points that it should have."""
    return sum(max(0, points - earned.get(name, 0)) for name, points in attack.deserves.items() if points is not None)
