"""What `mha collect` does: everything is looked at, then told, and what is late at no cost is said at the end."""

from contextlib import nullcontext

import click

from ..course_folder import course
from ..late import late_for_free
from ..progress_output import harmless
from ..student_names import name_as_told, whom
from .collecting import collect
from .lines import WITHOUT_GRADE
from .rehearsal import rehearsed
from .telling import tell


def take_in(source, lesson, roster, dry_run):
    """Whether something came that cannot be graded."""
    here = course()
    with rehearsed(here.coursedir, lesson) if dry_run else nullcontext(here.coursedir) as coursedir:
        done = tell(collect(source, lesson, coursedir, roster))
        names = {line.student: name_as_told(line.name) for line in done if line.student}
        for sentence in late_for_free(here, coursedir.root, lesson, {who: whom(who, names) for who in names}):
            click.echo(harmless(sentence))
    if dry_run:
        click.echo("This was a rehearsal: nothing was taken. Without --dry-run it is.")
    return any(line.state in WITHOUT_GRADE for line in done)
