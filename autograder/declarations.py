"""What an author may have got wrong in a lesson's exercises and wrong versions, found before notebooks are built."""

from inspect import Parameter, signature

from click import ClickException

from .judging.results import same
from .judging.running import observe, quiet

EQUAL = 1e-9  # relative difference of results that come from the same formula


class WrongDeclaration(ClickException):
    """An exercise, or a wrong version of a step, cannot be used as it is written; the message says why."""


def check_declarations(course):
    """Raise WrongDeclaration for the first one that cannot work."""
    for step in course.steps.values():
        if step.step not in course.mutants.references:
            raise WrongDeclaration(f"`{step.step}` is not in `__all__` of {course.reference}: add it there")
        for misconception in step.own:
            _check_wrong_version(misconception, step)
    for exercise in filter(lambda task: hasattr(task, "cases"), course.exercises.values()):
        _check_cases(exercise)


def _check_wrong_version(misconception, step):
    name, function = f"{misconception.name}, a wrong version of {step.step},", misconception.function
    if not function.__doc__:
        raise WrongDeclaration(f"{name} needs a docstring: it is the message that learners read.")
    unknown = _inputs_of(function) - _inputs_of(step.reference)
    if unknown:
        takes = ", ".join(signature(step.reference).parameters)
        raise WrongDeclaration(f"{name} has the input `{min(unknown)}`, but {step.step} takes {takes}.")


def _inputs_of(function):
    """Return the names of a function's inputs, without the constants of a family, which are keyword-only."""
    return {name for name, p in signature(function).parameters.items() if p.kind is Parameter.POSITIONAL_OR_KEYWORD}


def _check_cases(exercise):
    try:
        cases = exercise.cases()
    except TypeError as wrong:  # an input that the reference does not have
        raise WrongDeclaration(f"cases.py of {exercise.lesson}: {wrong}.") from None
    for version in exercise.wrong_versions:
        misconception = version.mistakes[0]
        if misconception.step == exercise.step and _changes_nothing(version.function, exercise.reference, cases):
            name = f"{misconception.name}, a wrong version of {exercise.step},"
            raise WrongDeclaration(f"{name} gives the right result in every case: correct it, or add a case.")


@quiet()
def _changes_nothing(wrong, right, cases):
    return all(same(observe(wrong, case.inputs), observe(right, case.inputs), EQUAL) for case in cases)
