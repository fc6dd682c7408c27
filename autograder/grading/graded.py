"""What graders tell whoever asked: light to import."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Submissions:
    """Who handed in a lesson, and as whom they are told; where that was looked for, in words; the folder of the course,
    and its gradebook.
    """

    students: dict
    where: str
    root: str
    db_url: str


@dataclass(frozen=True)
class Graded:
    """What became of one submission.

    trouble: why it was not graded; unchanged: it was graded before, and nothing that its score depends on has changed;
    unjudged: tasks that could not be judged by a fault of ours; mended: what was repaired before it was graded;
    look_again: tasks that somebody marked by hand, and that are not what they were then; waiting: answers in words;
    whom: the student, with the name if it is known; told: the same trouble was told when this was tried before;
    without_numbers: others have numbers of their own in this lesson, and no kit was made for this student;
    whose_numbers: a sentence, where the notebook asks with those of others.
    """

    lesson: str
    student: str
    score: float = 0.0
    max_score: float = 0.0
    trouble: str = ""
    unchanged: bool = False
    unjudged: tuple = ()
    mended: tuple = ()
    look_again: tuple = ()
    waiting: tuple = ()
    whom: str = ""
    told: bool = False
    without_numbers: bool = False
    whose_numbers: str = ""

    def __str__(self):
        remarks = [f"mended: {sentence}" for sentence in self.mended]
        remarks += [f"{name} could not be judged: look at it" for name in self.unjudged]
        remarks += [f"{name} was marked by hand, and has changed: see formgrader" for name in self.look_again]
        remarks += [f"{name} waits for your mark: see formgrader" for name in self.waiting]
        remarks += ["not in the roster of the kits, so judged for the common numbers"] if self.without_numbers else []
        remarks += [self.whose_numbers] if self.whose_numbers else []
        trouble = f"as before, {self.trouble}" if self.told else self.trouble
        return trouble or ", ".join([f"{self.score:g} of {self.max_score:g}", *remarks])
