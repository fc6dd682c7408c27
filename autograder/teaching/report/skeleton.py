"""Write the first lines of a missing misconception, for whoever adds it to the course."""

from inspect import Parameter

from ...catalogue import EXERCISES
from ...exercise import Exercise, Question
from ...ordering import Ordering
from ...outline import outline

MESSAGE = "What we saw in your output. The idea behind it. What to try next."
OF_A_FUNCTION = '''\
# {package}/{lesson}/steps/{name}.py, or that of the smallest step that can hold it
@{name}.misconception
def says_in_a_few_words_what_they_believe({parameters}):
    """{message}"""
    return ...  # what their code does; all names of {reference} mean the right versions'''
OF_A_QUESTION = """\
# {package}/{lesson}/exercises.py
{name} = Question(
    wrong={{
        {answer}: "{message}",
    }},"""
OF_A_VARIED_QUESTION = """\
# {package}/{lesson}/exercises.py, in the function {name}: a formula of its numbers, which makes {answer}
Question(
    wrong={{
        ...: "{message}",
    }},"""


COMES_OUT = "shape", "values", "property"  # reasons of answers that are known by what comes out of them
NOT_BY_RESULTS = "own_work", "same_input_same_result", "memory_makes_no_difference"  # by something else


def skeleton(row):
    """Return how to name a wrong answer; "" for a test, and where no result could identify the mistake."""
    task = EXERCISES.get(row.exercise)
    if row.reason not in COMES_OUT or row.property in NOT_BY_RESULTS:
        return ""
    if isinstance(task, Question):
        words = OF_A_VARIED_QUESTION if task.variants else OF_A_QUESTION
        return words.format(
            package=outline().package, lesson=task.lesson, name=task.name, answer=row.alike or "...", message=MESSAGE
        )
    task = task.exercise if isinstance(task, Ordering) else task
    if isinstance(task, Exercise):
        parameters = ", ".join(_written(*parameter) for parameter in task.parameters.items())
        names = dict(package=outline().package, reference=outline().reference, lesson=task.lesson, name=task.name)
        return OF_A_FUNCTION.format(**names, parameters=parameters, message=MESSAGE)
    return ""


def _written(name, default):
    return name if default is Parameter.empty else f"{name}={default!r}"
