"""progress(): the course at a glance, for the learner alone. It says done or not yet, and counts no points.

where_to_begin(): which lesson suits somebody who knows a part already, by a test in the first lesson.
course.toml lists the test's tasks, each with the lesson that teaches what it asks.
"""

from contextlib import chdir
from dataclasses import dataclass
from html import escape

from ..catalogue import EXERCISES, LESSONS
from ..outline import outline
from . import journal
from .card import COLOURS, FRAME, Card, linked, marked_up, title
from .check import lesson_text
from .review import due

SYMBOLS = {"done": "✓", "tried": "◐", "not yet": "○"}
CELL = "text-align:left;vertical-align:top;padding:0.2em 1em 0.2em 0;background:transparent"
BAR = "width:8em;height:0.7em;margin-top:0.3em;border:1px solid #7f7f7f"


def progress(hide=None, reset=False):
    """Show how far you are, and what comes next.

    hide: True hides it, here and at the end of every lesson; False shows it again.
    reset: begin anew; the old file is kept under another name.
    """
    if reset:
        files = " and ".join(f"`{file}`" for file in journal.start_anew())
        where = f"What you had until now is kept in {files}." if files else "Nothing was remembered until now."
        return Card("waiting", "Your progress begins anew", f"{where} Your notebooks are as they were.")
    if hide is not None:
        journal.choose(journal.HIDDEN, hide)
    if journal.is_on(journal.HIDDEN):
        return Card("waiting", "Your progress is hidden. To see it again: progress(hide=False)", "")
    return Overview()


def next_lesson(folder, lessons):
    """Return the lesson in a folder that `progress()` calls the next one, or the last one if all are done."""
    with chdir(folder):
        task = Overview(lessons).next
    return task.lesson if task else lessons[-1]


class Overview:
    """Each lesson with its exercises, and the next thing to do: as a table, and as text."""

    def __init__(self, lessons=LESSONS):
        done, tried, read = map(journal.tasks, ("done", "tried", "solution"))
        self.tasks = [task for lesson in lessons for task in _in_order(lesson)]
        names = [task.name for task in self.tasks]
        self.states = {name: "done" if name in done else "tried" if name in tried else "not yet" for name in names}
        self.lessons = {lesson: LessonSoFar(lesson, {state: [] for state in SYMBOLS}) for lesson in lessons}
        for task in self.tasks:
            shown = f"{task.name} (solution read)" if task.name in read else task.name
            self.lessons[task.lesson].names[self.states[task.name]].append(shown)
        self.parts = {}
        for lesson in lessons:
            self.parts.setdefault(_part_of(lesson), []).append(self.lessons[lesson])
        self.due = len(due())

    @property
    def title(self):
        """Say how far the part of the course is that one is working on."""
        name = _part_of(self.next.lesson if self.next else [*self.lessons][-1])
        return f"{name} so far: {_summary(self.parts[name])}"

    @property
    def review(self):
        """Say how many questions are due to be asked again; nothing if none is."""
        number = "1 question is" if self.due == 1 else f"{self.due} questions are"
        return f"{number} due: `mha review`, in a terminal, asks them again." if self.due else ""

    @property
    def next(self):
        """Return the first open task of the lesson worked on last, or advised, then after it, then before it."""
        here = next(iter(self.lessons))
        for entry in journal.entries():
            if entry["task"] in self.states:
                here = EXERCISES[entry["task"]].lesson
            elif entry["what"] == "begin" and entry.get("lesson") in self.lessons:
                here = entry["lesson"]
        waiting = [task for task in self.tasks if self.states[task.name] != "done"]
        return min(waiting, key=lambda task: task.lesson < here, default=None)

    @property
    def coming(self):
        return f"Next: {self.next.name}, in lesson {title(self.next.lesson)}." if self.next else "All of it is done."

    def _repr_html_(self):
        head = "".join(f'<th style="{CELL}">{name}</th>' for name in ("lesson", "how far", "exercises"))
        rows = ""
        for name, lessons in self.parts.items():
            said = f"<strong>{escape(name)}</strong>: {_summary(lessons)}"
            heading = f'<tr style="background:transparent"><td colspan="3" style="{CELL}">{said}</td></tr>'
            rows += "".join([heading * (len(self.parts) > 1), *(lesson.row() for lesson in lessons)])
        table = f'<table style="margin:0.5em 0;border:0"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        table = f'<div style="overflow-x:auto">{table}</div>'  # in a narrow window
        frame = FRAME.format(colour=COLOURS["hint"])
        review = f"<br>{marked_up(self.review)}" if self.review else ""
        coming = linked(escape(self.coming), self.next.lesson) if self.next else self.coming
        return f'<div style="{frame}"><strong>{self.title}</strong>{table}{coming}{review}</div>'

    def __str__(self):
        said = [self.title]
        for name, lessons in self.parts.items():
            heading = [f"{name}: {_summary(lessons)}"] if len(self.parts) > 1 else []
            said.append("\n".join([*heading, *(line for lesson in lessons for line in lesson.lines())]))
        return "\n\n".join([*said, self.coming, *filter(None, [self.review])])

    __repr__ = __str__


@dataclass(frozen=True)
class LessonSoFar:
    """How far a lesson is: state -> names of the exercises that are in it, as they are shown."""

    lesson: str
    names: dict

    @property
    def number(self):
        return sum(map(len, self.names.values()))

    @property
    def share(self):
        return len(self.names["done"]) / self.number

    @property
    def state(self):
        """Return the state of the whole lesson; one that was begun is tried."""
        filled = [state for state, names in self.names.items() if names]
        return filled[0] if len(filled) == 1 else "tried"

    def __str__(self):
        return f"{SYMBOLS[self.state]} {title(self.lesson)}"

    def row(self):
        """Show it as a row. The exercises of one that was begun are open, those of others fold out."""
        bar = f'<div style="{BAR}"><div style="width:{self.share:.0%};height:100%;background:#7f7f7f"></div></div>'
        summary = ", ".join(f"{SYMBOLS[state]} {len(names)} {state}" for state, names in self.names.items() if names)
        names, is_open = "<br>".join(map(escape, self._by_state())), " open" if self.state == "tried" else ""
        details = f"<details{is_open}><summary>{summary}</summary>{names}</details>"
        cells = f'<td style="{CELL};white-space:nowrap">{self}</td><td style="{CELL}">{bar}</td>'
        return f'<tr style="background:transparent">{cells}<td style="{CELL}">{details}</td></tr>'

    def lines(self):
        """Show it as a line of text, and of one that was begun the exercises below it."""
        bar = "#" * round(10 * self.share)
        yield f"{self!s:<28} [{bar:.<10}] {len(self.names['done'])} of {self.number} done"
        if self.state == "tried":
            yield from (f"    {line}" for line in self._by_state())

    def _by_state(self):
        return [f"{SYMBOLS[state]} {state}: {', '.join(names)}" for state, names in self.names.items() if names]


def _part_of(lesson):
    """Return the name of a lesson's part; a course that names no parts has one."""
    first = outline().parts or {"Your course": ""}
    return [name for name, begins in first.items() if begins <= lesson][-1]


def _in_order(lesson):
    """Return the exercises of a lesson in the order of its text, without reviews, which may be skipped."""
    text = lesson_text(lesson)
    tasks = [task for task in EXERCISES.values() if task.lesson == lesson and task.points]
    return sorted(tasks, key=lambda task: text.find(f'exercise="{task.name}"'))


def _summary(lessons):
    """Say how much is done, and how long the rest takes: of each lesson's minutes, the share that is not done."""
    minutes = sum(outline().about(lesson.lesson).get("minutes", 0) * (1 - lesson.share) for lesson in lessons)
    done, number = sum(len(lesson.names["done"]) for lesson in lessons), sum(lesson.number for lesson in lessons)
    return f"{done} of {number} done" + (f", {_hours(minutes)} left" if minutes else "")


def _hours(minutes):
    """Return minutes in words: rounded to 5 minutes below an hour, to half hours above."""
    if minutes < 55:
        return f"about {max(5, 5 * round(minutes / 5))} minutes"
    halves = int(minutes + 15) // 30
    return "about an hour" if halves == 2 else f"about {halves // 2}{'½' if halves % 2 else ''} hours"


def where_to_begin():
    """Say which lesson to begin with: the first that teaches something which is not right in the test."""
    asked, done = outline().entry, journal.tasks("done")
    if not any(task in done | journal.tasks("tried") for task in asked if not EXERCISES[task].points):
        return Card("waiting", "○ Where to begin: no question is answered yet", "You may leave the test out.")
    missed = [task for task in asked if task not in done]
    known = sorted({*asked.values()} - {asked[task] for task in missed})
    lesson = asked[missed[0]] if missed else [*outline().parts.values()][-1]
    journal.note("begin", lesson=lesson if known else LESSONS[0])  # where `mha lab` opens
    return Card("hint", f"Begin with lesson {title(lesson)}", _why(missed, known, lesson), lesson=lesson)


def _why(missed, known, lesson):
    """Return what the test found, in sentences."""
    asked = outline().entry
    found = f"Right: {len(asked) - len(missed)} of {len(asked)}."
    if missed:
        listed = ", ".join(f"`{task}` (lesson {_number(asked[task])})" for task in missed)
        found += f" Not right, or left out: {listed}."
    if not known:
        return f"{found}\n\nThe page that you are on leads there: read it first."
    skip = f"You may skip lessons {', '.join(map(_number, known))}: all that the test asks of them was right."
    return f"{found}\n\n{skip}\n\n`mha lab` opens lesson {_number(lesson)} the next time."


def _number(lesson):
    return title(lesson).partition(" ")[0]
