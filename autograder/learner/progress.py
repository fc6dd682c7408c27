"""progress(): the course at a glance, for the learner alone. It says done or not yet, and counts no points."""

from contextlib import chdir
from html import escape
from pathlib import Path

from ..catalogue import EXERCISES, LESSONS
from ..course import installed
from . import journal
from .card import COLOURS, FRAME, Card
from .hints import lesson_text

SYMBOLS = {"done": "✓", "tried": "◐", "not yet": "○"}
SHOW_AGAIN = "Your progress is hidden. To see it again: progress(hide=False)"
CELL = "text-align:left;vertical-align:top;padding:0.2em 1em 0.2em 0;background:transparent"
NAME = f"{CELL};white-space:nowrap"
BAR = "width:8em;height:0.7em;margin-top:0.3em;border:1px solid #7f7f7f"


def progress(hide=None, reset=False):
    """Show how far you are, and what comes next.

    hide: True hides it, here and at the end of every lesson; False shows it again.
    reset: begin anew; the old file is kept under another name.
    """
    if reset:
        return _begun_anew()
    if hide is not None:
        journal.hide(hide)
    return Card("waiting", SHOW_AGAIN, "") if journal.is_hidden() else Overview()


def next_lesson(folder, lessons):
    """Return the lesson in a folder that `progress()` calls the next one, or the last one if all are done."""
    with chdir(folder):
        task = Overview(lessons).next
    return task.lesson if task else lessons[-1]


def _begun_anew():
    try:
        kept = journal.start_anew()
    except OSError as error:
        return Card("wrong", "Your progress could not be put aside", f"It is as it was: {error.strerror}.")
    files = " and ".join(f"`{file}`" for file in kept)
    where = f"What you had until now is kept in {files}." if kept else "Nothing was remembered until now."
    return Card("waiting", "Your progress begins anew", f"{where} Your notebooks are as they were.")


class Overview:
    """Each lesson with its exercises, and the next thing to do: as a table, and as text."""

    def __init__(self, lessons=LESSONS):
        self.lessons = lessons
        done, tried, self.read = map(journal.tasks, ("done", "tried", "solution"))
        self.tasks = [task for lesson in lessons for task in _in_order(lesson)]
        self.states = {
            t.name: "done" if t.name in done else "tried" if t.name in tried else "not yet" for t in self.tasks
        }
        self.parts = _parts(lessons)

    @property
    def title(self):
        """Say how far the part of the course is that one is working on."""
        here = self.next.lesson if self.next else self.lessons[-1]
        name, lessons = next((name, lessons) for name, lessons in self.parts.items() if here in lessons)
        return f"{name} so far: {self._summary(lessons)}"

    def _summary(self, lessons):
        states = [self.states[task.name] for task in self.tasks if task.lesson in lessons]
        return f"{_count(states)}{self._time_left(lessons)}"

    def _time_left(self, lessons):
        """Say about how long the rest takes: of each lesson's minutes, the share of what is not done."""
        shares = {lesson: 1 - _share(self.groups(lesson)) for lesson in lessons}
        minutes = sum(installed().outline.about(lesson).get("minutes", 0) * share for lesson, share in shares.items())
        return f", {_hours(minutes)} left" if minutes else ""

    @property
    def next(self):
        """Return the first open task of the lesson worked on last, then of those after it, then of those before."""
        recent = [entry["task"] for entry in journal.entries() if entry["task"] in self.states]
        here = EXERCISES[recent[-1]].lesson if recent else self.lessons[0]
        waiting = [task for task in self.tasks if self.states[task.name] != "done"]
        return min(waiting, key=lambda task: task.lesson < here, default=None)

    def groups(self, lesson):
        """Return state -> the exercises of a lesson that are in it, as they are shown."""
        names = [task.name for task in self.tasks if task.lesson == lesson]
        return {state: [self._shown(name) for name in names if self.states[name] == state] for state in SYMBOLS}

    def _shown(self, name):
        return f"{name} (solution read)" if name in self.read else name

    def _repr_html_(self):
        rows = "".join(row for name, lessons in self.parts.items() for row in self._rows(name, lessons))
        head = "".join(f'<th style="{CELL}">{name}</th>' for name in ("lesson", "how far", "exercises"))
        table = f'<table style="margin:0.5em 0;border:0"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        table = f'<div style="overflow-x:auto">{table}</div>'  # in a narrow window
        frame = FRAME.format(colour=COLOURS["hint"])
        return f'<div style="{frame}"><strong>{self.title}</strong>{table}{_next_in_html(self.next)}</div>'

    def _rows(self, name, lessons):
        """Show the lessons of a part as rows, under its name where there are several parts."""
        if len(self.parts) > 1:
            said = f"<strong>{escape(name)}</strong>: {self._summary(lessons)}"
            yield f'<tr style="background:transparent"><td colspan="3" style="{CELL}">{said}</td></tr>'
        yield from (_row(lesson, self.groups(lesson)) for lesson in lessons)

    def __str__(self):
        parts = "\n\n".join("\n".join(self._part_in_words(*part)) for part in self.parts.items())
        return f"{self.title}\n\n{parts}\n\n{_next_in_words(self.next)}"

    __repr__ = __str__

    def _part_in_words(self, name, lessons):
        if len(self.parts) > 1:
            yield f"{name}: {self._summary(lessons)}"
        for lesson in lessons:
            yield from _lines(lesson, self.groups(lesson))


def _parts(lessons):
    """Return name -> the lessons of a part; a course that names no parts has one."""
    first = installed().outline.parts
    if not first:
        return {"Your course": lessons}
    ends = [*list(first.values())[1:], "~"]  # which is after all lessons
    parts = zip(first.items(), ends, strict=True)
    found = {name: [lesson for lesson in lessons if begin <= lesson < end] for (name, begin), end in parts}
    return {name: found[name] for name in found if found[name]}


def _in_order(lesson):
    """Return the exercises of a lesson in the order of its text, without reviews, which may be skipped."""
    text = lesson_text(lesson)
    tasks = [task for task in EXERCISES.values() if task.lesson == lesson and task.points]
    return sorted(tasks, key=lambda task: text.find(f'exercise="{task.name}"'))


def _count(states):
    states = list(states)
    return f"{states.count('done')} of {len(states)} done"


def _hours(minutes):
    """Return minutes in words: rounded to 5 minutes below an hour, to half hours above."""
    if minutes < 55:
        return f"about {max(5, 5 * round(minutes / 5))} minutes"
    halves = int(minutes + 15) // 30
    return "about an hour" if halves == 2 else f"about {halves // 2}{'½' if halves % 2 else ''} hours"


def _state_of(groups):
    """Return the state of a whole lesson; one that was begun is tried."""
    filled = [state for state, names in groups.items() if names]
    return filled[0] if len(filled) == 1 else "tried"


def _share(groups):
    return len(groups["done"]) / sum(map(len, groups.values()))


def _title(lesson):
    return lesson.removeprefix("lesson_").replace("_", " ")


def _row(lesson, groups):
    """Show a lesson as a row. The exercises of one that was begun are open, those of others fold out."""
    state = _state_of(groups)
    bar = f'<div style="{BAR}"><div style="width:{_share(groups):.0%};height:100%;background:#7f7f7f"></div></div>'
    names = "<br>".join(escape(line) for line in _names(groups))
    summary = ", ".join(f"{SYMBOLS[state]} {len(names)} {state}" for state, names in groups.items() if names)
    details = f"<details{' open' if state == 'tried' else ''}><summary>{summary}</summary>{names}</details>"
    name = f'<td style="{NAME}">{SYMBOLS[state]} {_title(lesson)}</td>'
    return (
        f'<tr style="background:transparent">{name}<td style="{CELL}">{bar}</td><td style="{CELL}">{details}</td></tr>'
    )


def _names(groups):
    return [f"{SYMBOLS[state]} {state}: {', '.join(names)}" for state, names in groups.items() if names]


def _lines(lesson, groups):
    bar = "#" * round(10 * _share(groups))
    states = [state for state, names in groups.items() for _ in names]
    yield f"{SYMBOLS[_state_of(groups)]} {_title(lesson):<26} [{bar:.<10}] {_count(states)}"
    if _state_of(groups) == "tried":
        yield from (f"    {line}" for line in _names(groups))


def _next_in_words(task):
    return f"Next: {task.name}, in lesson {_title(task.lesson)}." if task else "All of it is done."


def _next_in_html(task):
    """Say in HTML what comes next, with a link if its lesson is beside this one."""
    words = escape(_next_in_words(task))
    address = task and f"../{task.lesson}/{task.lesson}.ipynb"
    if not task or not Path(address).exists():
        return words
    lesson = f"lesson {_title(task.lesson)}"
    return words.replace(lesson, f'<a href="{address}" style="text-decoration:underline">{lesson}</a>')
