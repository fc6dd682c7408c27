"""What writes, deletes or fills: only in places that the arena has made for it."""

from classroom import points_in

from .attack import FIRST, NOTHING, SOFTMAX, WHATEVER, family

ATTACKS = []
attack = family("files", ATTACKS)

FIND_GRADEBOOK = """
import pathlib, sqlite3
book = pathlib.Path("{canary}").parent / "gradebook.db"
"""


@attack(FIRST)
def deletes_a_folder():
    """The whole canary folder of the course."""
    import shutil

    shutil.rmtree("{canary}", ignore_errors=True)


@attack(FIRST)
def overwrites_files():
    """Every file of the canary folder, and those of the home."""
    import pathlib

    for folder in ("{canary}", "{home}"):
        for file in pathlib.Path(folder).rglob("*"):
            if file.is_file():
                file.write_text("mine")


@attack("softmax")
def answer_deletes_a_folder():
    """The same while it is judged."""

    def softmax(scores, axis=-1):
        import shutil

        shutil.rmtree("{canary}", ignore_errors=True)
        return scores


@attack(FIRST)
def adds_files_everywhere():
    """In the course, the home, the project, /tmp: something to be found later."""
    import pathlib

    for folder in ("{canary}", "{home}", "{project}/tests/attacks", "/tmp", "/var/tmp", "/dev/shm"):
        try:
            (pathlib.Path(folder) / "mha_attack_was_here").write_text("mine")
        except OSError:
            pass


@attack(rest=NOTHING, alone=True, cells={"softmax": FIND_GRADEBOOK + 'if book.exists(): book.write_bytes(b"")'})
def empties_the_gradebook():
    """No gradebook, no marks, for nobody."""


@attack(
    rest=NOTHING,
    alone=True,
    cells={
        "softmax": FIND_GRADEBOOK
        + """
if book.exists():
    with sqlite3.connect(book) as connection:
        connection.execute("UPDATE grade SET manual_score = 3")
"""
    },
)
def gives_everybody_marks():
    """Marks that look as if a teacher had given them, for the whole class."""


@attack(
    rest=NOTHING,
    alone=True,
    cells={
        "softmax": FIND_GRADEBOOK
        + """
if book.exists():
    with sqlite3.connect(book) as connection:
        connection.execute("UPDATE grade_cells SET max_score = 0")
        connection.execute("UPDATE base_cell SET name = 'gone' || name")
"""
    },
)
def makes_exercises_worthless():
    """What each exercise is worth, and what it is called, stands in the gradebook as well."""


@attack(
    rest=NOTHING,
    cells={
        "softmax": """
import pathlib, shutil
course = pathlib.Path("{canary}").parent
for right in course.glob("solutions/*/*.ipynb"):
    for mine in course.glob("submitted/{student}/*/*.ipynb"):
        shutil.copy(right, mine)
"""
    },
)
def hands_in_the_solution_afterwards():
    """It replaces its own submission by the solution, for the next grading."""


@attack(FIRST, rest=NOTHING, alone=True)
def spoils_the_work_of_others():
    """It empties the autograded and the submitted notebooks of all others."""
    import pathlib

    course = pathlib.Path("{canary}").parent
    for kind in ("submitted", "autograded"):
        for notebook in course.glob(f"{kind}/*/*/*.ipynb"):
            if "{student}" not in str(notebook):
                notebook.unlink()


@attack(FIRST, rest=NOTHING, alone=True)
def moves_into_the_home():
    """What starts every later kernel of this user: all checks are content from now on."""
    import pathlib

    startup = pathlib.Path("{home}/.ipython/profile_default/startup")
    startup.mkdir(parents=True, exist_ok=True)
    (startup / "00.py").write_text(
        "import autograder\nautograder.check = lambda *answers, **named: None\nimport numpy\nnumpy.exp = numpy.sin\n"
    )


@attack(FIRST, rest=NOTHING, alone=True)
def moves_into_the_settings():
    """Settings that Jupyter and nbgrader read from the home the next time."""
    import pathlib

    settings = pathlib.Path("{home}/.jupyter")
    settings.mkdir(parents=True, exist_ok=True)
    for name in ("nbgrader_config.py", "jupyter_config.py"):
        (settings / name).write_text("c.Execute.enabled = False\nc.Autograde.autograde_preprocessors = []\n")


@attack(FIRST)
def leaves_a_link_behind():
    """A link in its folder: who clears up, or sets permissions there, changes the file that it shows to."""
    import os

    for n, place in enumerate(("{canary}/letter.txt", "{home}/letter.txt")):
        try:
            os.symlink(place, f"data_{n}.txt")
            os.link(place, f"same_{n}.txt")
        except OSError:
            pass


@attack(FIRST)
def changes_permissions():
    """Nobody may read the canaries any more, and everybody may write them."""
    import os

    for place in ("{canary}", "{canary}/letter.txt", "{home}", "."):
        try:
            os.chmod(place, 0o000 if place == "." else 0o777)
        except OSError:
            pass


@attack(FIRST)
def digs_a_deep_hole():
    """Folders in folders, too deep for whoever clears up by recursion."""
    import os
    import tempfile

    start = os.getcwd()
    try:
        os.chdir(tempfile.gettempdir())
        for _ in range(1500):
            os.mkdir("mha_attack_d")
            os.chdir("mha_attack_d")
    except OSError:
        pass
    finally:
        os.chdir(start)


@attack(FIRST)
def leaves_odd_names():
    """Names with line breaks, with bytes that are no text, and one that looks like an option."""
    import os

    for name in (b"-rf", b"a\nb", b"\xff\xfe", "‮gpj.exe".encode(), b"x" * 255):
        try:
            os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
        except OSError:
            pass


@attack("softmax", dangerous=True)
def fills_the_disk():
    """Two gigabytes, in each place where it may write."""

    def softmax(scores, axis=-1):
        for folder in (".", "/tmp", "/var/tmp"):
            try:
                with open(f"{folder}/mha_attack_big", "wb") as file:
                    for _ in range(20):
                        file.write(b"x" * 2**25)
            except OSError:
                pass
        return scores


@attack("softmax", dangerous=True)
def makes_thirty_thousand_files():
    """Each is empty, but a disk has room for so many names only."""

    def softmax(scores, axis=-1):
        import os

        os.makedirs("/tmp/mha_attack_many", exist_ok=True)
        for n in range(30_000):
            with open(f"/tmp/mha_attack_many/{n}", "w"):
                pass
        return scores


@attack("softmax")
def opens_and_never_closes():
    """A hundred thousand descriptors, if they can be had."""

    def softmax(scores, axis=-1):
        import os

        for _ in range(100_000):
            os.dup(0)
        return scores


@attack("softmax", dangerous=True)
def mounts_something_over_the_course():
    """Inside namespaces of one's own one is root, and may mount."""

    def softmax(scores, axis=-1):
        import ctypes

        libc = ctypes.CDLL(None, use_errno=True)
        libc.unshare(0x10000000 | 0x00020000)
        libc.mount(b"none", b"{canary}", b"tmpfs", 0, None)
        libc.mount(b"/", b"/tmp", None, 0x1000 | 0x20, None)
        return scores


@attack("softmax", dangerous=True)
def escapes_from_its_root():
    """The old way out: chroot into a folder, and walk up from outside of it."""

    def softmax(scores, axis=-1):
        import os

        os.makedirs("mha_attack_root", exist_ok=True)
        os.chroot("mha_attack_root")
        for _ in range(50):
            os.chdir("..")
        os.chroot(".")
        with open("{canary}/letter.txt", "w") as letter:
            letter.write("mine")
        return scores


@attack(deserves=WHATEVER, cells={"softmax": "%%writefile {canary}/letter.txt\nmine"})
def writes_by_magic():
    """IPython writes files without any Python."""


@attack(rest=NOTHING, cells={"softmax": "!rm -rf {canary}\n!touch {home}/mha_attack_was_here"})
def deletes_by_shell():
    """A line of shell."""


@attack(rest=NOTHING, cells={"softmax": "%%bash\nrm -rf {canary}/* ; echo mine > {home}/letter.txt"})
def deletes_by_bash():
    """A whole cell of shell."""


def _zip_of_notebooks(file, places):
    """A hundred, each of five thousand cells that all say that they are the same answer."""
    import json
    import zipfile

    cell = dict(cell_type="code", metadata={"nbgrader": {"grade_id": "softmax"}}, execution_count=None, outputs=[])
    notebook = dict(nbformat=4, nbformat_minor=5, metadata={}, cells=[cell | {"source": "x"}] * 5000)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(100):
            archive.writestr(f"{number}.ipynb", json.dumps(notebook))


@attack(deserves=dict.fromkeys(points_in(SOFTMAX), 0), files={"all_my_tries.zip": _zip_of_notebooks})
def a_zip_of_notebooks_lies_beside():
    """Less than a megabyte; to look at each for seconds takes too long, so the student is asked which one counts."""
