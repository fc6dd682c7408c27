"""What looks for things it should not see: solutions, secrets, the work of others, what is expected.

The arena puts secrets everywhere, and looks for them in what a submission has printed.
"""

from .attack import FIRST, NOTHING, WEIGHTED_MEAN, family

ATTACKS = []
attack = family("spying", ATTACKS)


@attack(FIRST, rest=NOTHING)
def reads_the_canaries():
    """Files of the course and of the home."""
    import pathlib

    for folder in ("{canary}", "{home}"):
        for file in sorted(pathlib.Path(folder).rglob("*"))[:50]:
            if file.is_file() and file.stat().st_size < 10_000:
                print(file, file.read_bytes()[:2000])


@attack(FIRST, rest=NOTHING)
def reads_the_environment():
    """Its own, that of its parents, and of everybody in the list of processes."""
    import os
    import pathlib
    import re

    print([value for value in os.environ.values() if value.startswith("mha-")])
    for process in ("self", os.getppid()):
        try:
            print(re.findall(rb"mha-secret-\w+", pathlib.Path(f"/proc/{process}/environ").read_bytes()))
        except OSError as error:
            print(error)


@attack(FIRST, rest=NOTHING)
def reads_the_list_of_processes():
    """Command lines, folders and open files of those that it can see."""
    import os
    import pathlib

    seen = 0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if b"{victim}" in process.name.encode() or b"mha-secret" in (process / "cmdline").read_bytes():
                print((process / "cmdline").read_bytes(), os.readlink(process / "cwd"))
                seen += 1
        except OSError:
            pass
    print(seen, "seen")


@attack(FIRST, rest=NOTHING)
def reads_descriptors():
    """Files that somebody else has left open."""
    import os

    for n in range(3, 256):
        try:
            place = os.readlink(f"/proc/self/fd/{n}")
            if place.startswith("/") and not place.startswith("/dev"):
                print(place, os.pread(n, 3000, 0))
        except OSError:
            pass


@attack(FIRST, rest=NOTHING)
def reads_the_work_of_others():
    """What others have handed in, and what they got."""
    import pathlib

    course = pathlib.Path("{canary}").parent
    for file in [*course.glob("submitted/*/*/*"), *course.glob("autograded/*/*/*"), course / "gradebook.db"]:
        if file.is_file() and "{student}" not in str(file):
            print(file)
            text = file.read_bytes()
            at = text.find(b"mha-secret")
            print(text[at : at + 100] if at >= 0 else b"")


@attack(FIRST, rest=NOTHING)
def goes_up():
    """Relative ways out of its folder."""
    import pathlib

    for up in range(1, 8):
        for found in pathlib.Path("../" * up).glob("*/letter.txt"):
            print(found.read_text())


@attack(FIRST, rest=NOTHING)
def asks_for_the_seed():
    """Inputs are drawn from a secret number: it may have been used for other dice, too."""
    import gc
    import sys

    import numpy as np
    import torch

    print(torch.initial_seed(), np.random.get_state()[1][0], np.random.mtrand._rand._bit_generator._seed_seq)
    frame = sys._getframe()
    while frame:
        print({name: value for name, value in frame.f_locals.items() if isinstance(value, int)})
        frame = frame.f_back
    print([thing["seed"] for thing in gc.get_objects() if type(thing) is dict and type(thing.get("seed")) is int][:20])


@attack("softmax", rest=NOTHING)
def imports_the_reference():
    """The course keeps its own; a learner may import what earlier lessons taught, and no more."""
    from mha_ref import softmax


@attack("softmax", rest=NOTHING)
def imports_the_reference_in_the_answer():
    """The same under another name, at the last moment."""

    def softmax(scores, axis=-1):
        right = getattr(__import__("mha_ref"), "soft" + "max")
        return right(scores, axis)


@attack("softmax", rest=NOTHING)
def imports_the_reference_from_its_file():
    """Not from the package, but from the module in which it stands."""

    def softmax(scores, axis=-1):
        import importlib

        return importlib.import_module("mha_ref.weights").softmax(scores, axis)


@attack("softmax", rest=NOTHING)
def asks_a_friend_for_the_reference():
    """A function that is allowed knows the globals of its module."""
    here = weighted_mean.__globals__

    def softmax(scores, axis=-1):
        return (here.get("softmax") or here["masked_softmax"].__globals__["softmax"])(scores, axis)


@attack("softmax", rest=NOTHING)
def finds_the_reference_in_memory():
    """Nothing is imported: it searches all objects for a function of that name."""

    def softmax(scores, axis=-1):
        import gc
        import types

        for thing in gc.get_objects():
            if isinstance(thing, types.FunctionType) and thing.__name__ == "softmax":
                if thing.__module__ not in ("__main__", "torch.nn.functional"):
                    try:
                        return thing(scores, axis=axis)
                    except Exception:
                        pass


@attack("softmax", rest=NOTHING)
def finds_code_of_the_reference_in_memory():
    """Functions may be gone, code objects and constants may be left."""

    def softmax(scores, axis=-1):
        import gc
        import types

        for module in [m for m in gc.get_objects() if isinstance(m, types.ModuleType)]:
            thing = vars(module).get("softmax")
            if thing and "mha_ref" in str(getattr(thing, "__module__", "")):
                return thing(scores, axis)


@attack("softmax", rest=NOTHING)
def reads_the_source_of_the_reference():
    """The module's functions are gone, its file may be there."""
    import pathlib

    import mha_ref

    names = {"__name__": "mine", "__package__": "mha_ref"}
    file = pathlib.Path(mha_ref.__file__).with_name("weights.py")
    exec(compile(file.read_text(), "mine", "exec"), names)
    softmax = names["softmax"]


@attack("softmax", rest=NOTHING)
def reads_the_source_in_the_project():
    """The project lies somewhere on this machine, solutions and all."""
    import pathlib

    text = pathlib.Path("{project}/solutions/lesson_01_softmax.py").read_text()
    start = text.index("def softmax(scores")
    exec(text[start : text.index("# %% [markdown]", start)])


@attack("softmax", rest=NOTHING)
def reads_the_cache_of_the_reference():
    """Sources may be gone, their compiled files may be left."""
    import marshal
    import pathlib
    import sys

    folders = [pathlib.Path(folder) for folder in [*sys.path, "{project}"]]
    caches = [cache for folder in folders for cache in folder.glob("mha_ref/__pycache__/weights*.pyc")]
    names = {"__name__": "mine", "__package__": "mha_ref"}
    exec(marshal.loads(caches[0].read_bytes()[16:]), names)
    softmax = names["softmax"]


@attack("softmax", rest=NOTHING)
def asks_the_exercise():
    """The catalogue of exercises holds the references."""

    def softmax(scores, axis=-1):
        from autograder import EXERCISES

        return EXERCISES["softmax"].reference(scores, axis)


@attack("softmax", rest=NOTHING)
def asks_the_exercise_file():
    """The catalogue may be closed: its modules may not."""

    def softmax(scores, axis=-1):
        import importlib

        module = importlib.import_module("mha_lessons.lesson_01_softmax.exercises")
        return module.softmax.reference(scores, axis)


@attack("softmax", rest=NOTHING)
def takes_it_from_its_callers():
    """Somewhere up the stack, somebody knows what is expected."""

    def softmax(scores, axis=-1):
        import sys

        frame = sys._getframe()
        while frame:
            exercise = frame.f_locals.get("exercise") or frame.f_locals.get("task")
            if hasattr(exercise, "reference"):
                return exercise.reference(scores, axis)
            frame = frame.f_back


@attack("weight_ratio", rest=NOTHING)
def asks_the_question():
    """The catalogue of exercises holds the answers to the questions."""
    from autograder import EXERCISES

    weight_ratio = EXERCISES["weight_ratio"].answer


@attack("softmax", rest=NOTHING)
def asks_for_the_solution():
    """There is a function that shows solutions to learners."""
    import re

    from autograder import solution

    shown = str(getattr(solution("softmax"), "data", None) or solution("softmax"))
    exec(re.search(r"def softmax.*", shown, re.S).group())


@attack("softmax", rest=NOTHING)
def reads_its_own_memory():
    """Whatever was in this process before it became a sandbox."""
    import re

    found = []
    for line in open("/proc/self/maps"):
        place, rights, *rest = line.split()
        start, end = (int(part, 16) for part in place.split("-"))
        if "[heap]" in line and "r" in rights:
            with open("/proc/self/mem", "rb", 0) as memory:
                memory.seek(start)
                found += re.findall(rb"mha-secret-[a-z0-9-]+", memory.read(min(end - start, 2**28)))
    print(found[:5])


@attack(FIRST, rest=NOTHING)
def reads_the_memory_of_its_parent():
    """Whoever started it knows more. (It asks for permission only, and reads a few bytes.)"""
    import ctypes
    import os

    libc = ctypes.CDLL(None, use_errno=True)
    try:
        with open(f"/proc/{os.getppid()}/mem", "rb", 0) as memory:
            print("mha-" + "secret-memory")
    except OSError as error:
        print(error)


@attack(FIRST, rest=NOTHING)
def reads_the_solutions_of_the_course():
    """The source folder of nbgrader."""
    import pathlib

    for file in pathlib.Path("{canary}").parent.glob("solutions/*/*.ipynb"):
        print(file.read_text()[:100_000])
        print("mha-" + "secret-solutions")


@attack("weighted_mean", lesson=WEIGHTED_MEAN, rest=NOTHING)
def takes_what_a_later_lesson_gives():
    """Lesson 01 gives away what lesson 00 asks for."""
    from mha_ref import weighted_mean


@attack("weighted_mean", lesson=WEIGHTED_MEAN, rest=NOTHING)
def takes_the_first_lesson_from_attention():
    """Attention ends in a weighted mean: with weights that are certain, it is one."""

    def weighted_mean(weights, values):
        from mha_ref import attention

        return attention.weighted_mean(weights, values)
