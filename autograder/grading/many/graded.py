"""What graders report of a submission; light to import."""

from dataclasses import dataclass

from ...intake.wording import points


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
    unjudged: tasks that could not be judged by a fault of ours; remarks: sentences for whoever asked; whom: the
    student, with the name if it is known; told: the same trouble was told when this was tried before.
    """

    lesson: str
    student: str
    score: float = 0.0
    max_score: float = 0.0
    trouble: str = ""
    unchanged: bool = False
    unjudged: tuple = ()
    remarks: tuple = ()
    whom: str = ""
    told: bool = False

    def __str__(self):
        trouble = f"as before, {self.trouble}" if self.told else self.trouble
        return trouble or ", ".join([f"{points(self.score)} of {points(self.max_score)}", *self.remarks])
