"""The command `mha`."""

import click


@click.group()
def main():
    """Multi-head attention, learned by writing it."""


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def lab(options):
    """Open the lessons in JupyterLab.

    Your copies are in my_course/; what you wrote there is never overwritten.
    OPTIONS go to JupyterLab: `mha lab --port 9999`.
    """
    from .lab import open_lab

    open_lab(options)


@main.command()
def build():
    """Make the notebooks from solutions/*.py."""
    from .build import LessonError, build

    try:
        changed = build()
    except LessonError as error:
        raise click.ClickException(str(error)) from None
    for file in changed:
        click.echo(f"changed: {file}")


if __name__ == "__main__":
    main()
