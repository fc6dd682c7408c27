"""The work of `mha collect`: look at everything, print what became of it, and name those who are late at no cost."""

import shutil
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from nbgrader.coursedir import CourseDirectory
from rich.table import Table
from rich.text import Text
from traitlets.config import Config

from ..told import harmless
from . import platforms
from .collecting import (
    EXCUSED,
    FINE,
    LOOK,
    MENDED,
    MISSING,
    REFUSED,
    SAME,
    TROUBLE,
    UNKNOWN,
    WITHOUT_GRADE,
    collect,
    totals,
)
from .course_folder import course, submitted_folder
from .late import late_for_free
from .progress_output import console
from .students import name_as_told, whom

ORDER = SAME, FINE, MENDED, EXCUSED, MISSING, LOOK, UNKNOWN, REFUSED, TROUBLE  # the last lines stay in sight
STYLES = {LOOK: "yellow", MISSING: "yellow"} | dict.fromkeys(WITHOUT_GRADE, "bold red")


def take_in(source, lesson, roster, platform, dry_run):
    """Collect what was handed in, print what became of it, and return whether something came that cannot be graded."""
    here = course()
    with rehearsed(here.coursedir, lesson) if dry_run else nullcontext(here.coursedir) as coursedir:
        done = tell(collect(source, lesson, coursedir, roster, getattr(platforms, platform, None)))
        names = {line.student: name_as_told(line.name) for line in done if line.student}
        for sentence in late_for_free(here, coursedir.root, lesson, {who: whom(who, names) for who in names}):
            click.echo(harmless(sentence))
    if dry_run:
        click.echo("This was a rehearsal: nothing was taken. Without --dry-run it is.")
    return any(line.state in WITHOUT_GRADE for line in done)


def tell(collecting):
    """Print a table of all that was collected, and return the list in the same order.

    collecting: yields a Collected for each student, as they are looked at.
    """
    done, screen = [], console()
    with screen.status("Looking at what came in ...") as status:
        for line in collecting:
            done.append(line)
            status.update(f"{len(done)} looked at")
    done.sort(key=lambda line: (ORDER.index(line.state), line.student))
    screen.print(_table(done))
    screen.print(f"\n{totals(done)}", highlight=False)
    return done


def _table(lines):
    table = Table("student", "name", "", "what was found", box=None, pad_edge=False, header_style="dim")
    for line in lines:
        name = line.name if line.name != line.student else ""
        texts = (Text(harmless(text)) for text in (line.student, name, line.state, " ".join(line.about)))
        table.add_row(*texts, style=STYLES.get(line.state, ""))
    return table


@contextmanager
def rehearsed(coursedir, lesson):
    """Yield a temporary course in which the lesson can be collected, while the real one stays as it is."""
    root = Path(coursedir.root)
    places = [root / "receipts" / lesson, root / "received" / lesson]
    places += root.glob(submitted_folder(coursedir, lesson, "*").relative_to(root).as_posix())
    with TemporaryDirectory() as folder:
        for place in filter(Path.is_dir, places):
            shutil.copytree(place, Path(folder, place.relative_to(root)), symlinks=True)
        released = str(root / coursedir.release_directory)
        names = ("db_url", "directory_structure", "submitted_directory")
        about = {name: getattr(coursedir, name) for name in names} | dict(root=folder, release_directory=released)
        yield CourseDirectory(config=Config(CourseDirectory=about))
