"""Nothing that is said gives the answer away: not its line, not under other names, and not as code that is right."""

import ast
import builtins
import inspect
import keyword
import re
import textwrap
from functools import cache
from itertools import permutations

import pytest
from helpers import FUNCTIONS, functions_of, our_answers, solution_cells
from texts_for_learners import about, mistakes, sentences_of_the_judge, sets_of_hints

from autograder import EXERCISES, judge
from autograder.catalogue import LESSONS
from autograder.course import installed
from autograder.exercise import ModuleExercise
from autograder.judging.results import same
from autograder.judging.running import ask, observe

RIGHT = functions_of("right")
TOLERANCE = 1e-3  # looser than the judge's
LIBRARIES = {"np", "torch", "xp", "F", "nn", "math"}
WRITTEN = [name for name in FUNCTIONS if not isinstance(EXERCISES[name], ModuleExercise)]
FORMULA = r"(?=[\w.()²+*/ -]+·)\(*[\w.]+²?\)*(?:\s*[·+*/-]\s*\(*[\w.]+²?\)*)+"
SPANS = re.compile(rf"`([^`]+)`|^ {{4,}}(\S.*)$|({FORMULA})", flags=re.MULTILINE)


def code_in(text):
    """What of a text is code, or a formula such as 2 · d²."""
    for span in SPANS.finditer(text):
        code = next(filter(None, span.groups())).replace("·", "*").replace("²", "**2").strip(" .")
        yield re.sub(r"^return\s+|^[\w, ]+ = ", "", code)


def lines_of(source):
    """What a function returns, or keeps under a name, line by line."""
    for node in ast.walk(ast.parse(textwrap.dedent(source))):
        if isinstance(node, (ast.Return, ast.Assign)) and node.value is not None:
            yield ast.unparse(node.value)


def squeezed(code):
    return re.sub(r"[\s`'\"]", "", code)


def anonymous(code):
    """The same for `query @ key.mT` and `q @ k.mT`, and for every library."""

    def word(match):
        name, before, after = match[0], code[: match.start()].rstrip(), code[match.end() :].lstrip()
        if name in LIBRARIES:
            return "L"
        keeps = name[0].isdigit() or keyword.iskeyword(name) or before.endswith(".") or re.match(r"\(|=[^=]", after)
        return name if keeps else "_"

    return squeezed(re.sub(r"\w+", word, code))


def contains(code, line):
    """As a piece of its own: 2*_ is not in 2*_**3."""
    return re.search(rf"(?<![\w.*]){re.escape(line)}(?![\w*])", code)


@cache
def answers_to(step):
    """The lines of the reference, of our own solution, and of right answers in other styles."""
    ours = [answer for lesson in LESSONS for name, answer in our_answers(lesson).items() if name == step]
    others = [f for name, f in RIGHT.items() if name.partition("__")[0] == step and inspect.isfunction(f)]
    sources = [inspect.getsource(installed().steps[step].reference), *ours, *map(inspect.getsource, others)]
    return {line for source in sources for line in lines_of(source) if re.search(r"[^\w.]", line) and len(line) >= 8}


def says_something(line):
    """More than a call of one thing with another."""
    return len(re.sub(r"[_L()\[\],.]", "", line)) >= 2


def leaked_lines(text, step):
    """Lines of right answers that stand in a text, whatever the names."""
    lines = {anonymous(line): line for line in answers_to(step)}
    pieces = [anonymous(code) for code in code_in(text)]
    return [lines[line] for line in lines if says_something(line) for piece in pieces if contains(piece, line)]


@pytest.mark.slow
def test_no_line_of_a_right_answer_is_said():
    """Neither in messages nor in hints nor in properties, with the lesson's names or with others."""
    said = ((step, text) for step in installed().steps for text in about(step))
    assert [(step, text, leak) for step, text in said for leak in leaked_lines(text, step)] == []


@pytest.mark.slow
def test_none_of_our_lines_is_said_anywhere():
    """Letter by letter, but for what a stub gives: of functions, classes and tests, in whatever the judge says."""
    cells = "\n".join(cell for lesson in LESSONS for cell in solution_cells(lesson))
    parts = re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", cells, re.DOTALL)
    written = [line for part in parts for line in part.splitlines()]
    lines = {squeezed(part) for line in written for part in (line, re.split(r"\breturn | = ", line)[-1])}
    given = {squeezed(line) for line in re.sub(r"### BEGIN SOLUTION\n.*?### END", "", cells, flags=re.S).splitlines()}
    lines = [line for line in lines - given if len(line) >= 12 and re.search(r"[^\w.]", line)]
    said = {squeezed(hint) for hints in sets_of_hints() for hint in hints}
    said |= {squeezed(text) for text in (*(message for _, message, _ in mistakes()), *sentences_of_the_judge())}
    assert lines and [(line, text) for text in said for line in lines if line in text] == []


@cache
def imported_in(lesson):
    """What a learner's code may use there."""
    nodes = (node for cell in solution_cells(lesson) for node in ast.parse(cell).body)
    variables = {}
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            exec(ast.unparse(node), variables)
    return variables


def bodies(code, exercise):
    """The code as one-line answers: names that nobody has defined stand for parameters, in every way they can."""
    try:
        tree = ast.parse(code, mode="eval")
    except SyntaxError:
        return
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    known = {*imported_in(exercise.lesson), *vars(builtins), *(n.id for n in names if isinstance(n.ctx, ast.Store))}
    used = list(dict.fromkeys(node.id for node in names if node.id not in known or node.id in exercise.parameters))
    strange = [name for name in used if name not in exercise.parameters]
    if not used or isinstance(tree.body, ast.Name) or len(strange) > 3:
        return
    free = [parameter for parameter in exercise.parameters if parameter not in used]
    for meant in permutations(free, len(strange)):
        renamed = dict(zip(strange, meant))
        yield re.sub(r"(?<![\w.])[^\W\d]\w*", lambda match, to=renamed: to.get(match[0], match[0]), code)


def answer_of(body, exercise):
    """The stub with this body."""
    taken = ", ".join(n if d is inspect.Parameter.empty else f"{n}={d!r}" for n, d in exercise.parameters.items())
    variables = dict(imported_in(exercise.lesson))
    exec(f"def {exercise.name}({taken}):\n    return ({body})", variables)
    return variables[exercise.name]


def is_accepted(answer, exercise):
    """The judge takes its time for wrong answers: most of these show in the smallest case."""
    case = exercise.cases()[0]
    got = ask(answer, case.inputs, exercise.library, exercise.parameters)
    return same(got, observe(exercise.reference, case.inputs), TOLERANCE) and judge(answer, exercise).right


def accepted(texts, exercise):
    """What of the code in these texts is a right answer as it stands."""
    said = dict.fromkeys(code for text in texts for code in code_in(text))
    tried = [body for code in said for body in bodies(code, exercise)]
    return [body for body in tried if is_accepted(answer_of(body, exercise), exercise)]


@pytest.mark.slow
def test_no_code_that_is_said_is_a_right_answer():
    """What stands in quotes, or as a formula, is no body that the judge would accept; of inherited mistakes, too."""
    for exercise in (EXERCISES[name] for name in WRITTEN):
        inherited = [text for m in exercise.mistakes for text in (m.message, *m.hints)]
        assert accepted([*about(exercise.step), *inherited], exercise) == [], exercise.name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Then return `weights @ values`.", "weighted_mean"),
        ("Write `w @ v`, say.", "weighted_mean"),
        ("Write:\n\n    return w @ v", "weighted_mean"),
        ("It is `np.exp(s) / np.exp(s).sum(axis=axis, keepdims=True)`, with the maximum taken away.", None),
        ("Try `s = q @ k.mT / np.sqrt(q.shape[-1])`.", "attention_scores"),
        ("Count 8 · tokens · model_size² + 4 · tokens² · model_size.", "attention_flops"),
    ],
)
def test_a_leak_would_be_found(text, name):
    """With any names; a line that is wrong as it stands is no leak."""
    exercise = EXERCISES[name or "softmax"]
    assert bool(accepted([text], exercise)) == bool(name)


def test_a_line_under_other_names_would_be_found():
    """One line of several, from the reference or from a right answer."""
    assert leaked_lines("Put `np.exp(x - x.max(axis=axis, keepdims=True))` there.", "softmax")
    assert leaked_lines("Put `x.max` there.", "softmax") == []
