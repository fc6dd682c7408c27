"""The command `mha`: what learners call, then instructors, then authors. Each of its commands calls one function.

What cannot be done is a click.ClickException wherever that is found out: click tells it in one sentence.
"""

from contextlib import chdir
from pathlib import Path

import click

from .cli_for_instructors import INSTRUCTORS, LESSON
from .outline import outline

ABOUT = """{title}.

A lesson may be called by its number or its name: {number}, {name}, {lesson}.
A student may be called by id or by name: 12345, "Jane Doe".
"""


class AsWritten(click.Group):
    """Shows commands in the order in which they are written, not that of the alphabet."""

    def list_commands(self, context):
        return list(self.commands)

    def format_help_text(self, context, formatter):
        """Say what the course is called, and how lessons and students may be; only now course.toml is read."""
        lesson = outline().released[-1]
        number, _, name = lesson.removeprefix("lesson_").partition("_")
        self.help = ABOUT.format(title=outline().title, number=int(number), name=name, lesson=lesson)
        super().format_help_text(context, formatter)

    def invoke(self, context):
        """Run a command; what files, disks and gradebooks have against it becomes a sentence, and no traceback.

        Names chosen by strangers stay on one line in it.
        """
        try:
            return super().invoke(context)
        except BrokenPipeError:  # its output is no longer read, as after `| head`: click ends it
            raise
        except Exception as failed:
            from .failure_messages import harmless, told

            if not told(failed):
                raise
            if not isinstance(failed, click.ClickException):
                failed = click.ClickException(f"{told(failed)}.")
            failed.message = "\n".join(map(harmless, failed.message.split("\n")))
            raise failed


@click.group(cls=AsWritten)
def main():
    """Run one of the course's commands."""


@main.command(context_settings={"ignore_unknown_options": True})
@click.option("--teach", is_flag=True, help="Show the whole course, and the menu Nbgrader with formgrader.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def lab(teach, options):
    """Open your lessons in JupyterLab, at the one that comes next.

    Your copies are in my_course/; what you wrote there is never overwritten.
    OPTIONS go to JupyterLab: `mha lab --port 9999`.
    """
    from .lab import open_lab

    open_lab(options, teach)


@main.command()
@click.argument("lesson", type=LESSON)
def reset(lesson):
    """Begin LESSON again with a new copy.

    Your old one stays beside it, under another name.
    """
    from .lab import places, start_lesson_afresh

    new, kept = start_lesson_afresh(lesson, *places())
    if kept:
        click.echo(f"Your old copy is kept: {kept}")
    click.echo(f"The new one is here: {new}")


@main.command()
def review():
    """Ask again what lessons asked, ten questions at once.

    A right answer is due again after 1 day, then after 3, 7 and 21; a wrong one tomorrow.
    """
    from .lab import places
    from .learner.review import review

    review(*places())


@main.command()
def export():
    """Write what you wrote in the course as programs of your own.

    They are in my_course/, and need no notebook; the first lines of each say how to run it, and what in it is yours.
    """
    from .lab import places
    from .learner.export import export

    _, mine = places()
    if not mine.is_dir():
        raise click.ClickException(f"There is no {mine}: `mha lab` makes it.")
    with chdir(mine):
        click.echo("\n".join(export()))


for command in INSTRUCTORS:
    main.add_command(command)


@main.command()
def build():
    """Make the notebooks from the lessons' texts."""
    from .build import build

    for file in build():
        click.echo(f"changed: {file}")


@main.command("try")
@click.argument("name")
def try_(name):
    """Try all that concerns NAME, a step or an exercise.

    Its reference, answers, wrong versions, clauses, hints and their tone, and whether cases tell all versions apart,
    also in what is built on it.
    """
    from .trying import try_out

    if not try_out(name):
        raise SystemExit(1)


@main.command()
def book():
    """Make the lessons, run and with solutions, a site to read."""
    from sphinx.cmd.build import main as sphinx_build

    folder = Path(__file__).resolve().parent.parent / "book"
    made = folder / "build"
    strict = ["--fail-on-warning", "--keep-going", "--quiet", "--doctree-dir", str(made / "doctrees")]
    if sphinx_build([*strict, str(folder), str(made / "site")]):
        raise click.ClickException("The book could not be made; the reason is above.")
    click.echo(f"The book is here: {made / 'site' / 'index.html'}")


if __name__ == "__main__":
    main()
