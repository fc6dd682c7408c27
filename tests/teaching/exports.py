"""Exports as Canvas and Moodle make them, of a made-up class."""

import zipfile

from corpus.broken import FILE, LESSON, as_bytes, cell_of, solved

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Lesson 1 (77)
    Points Possible,,,,,15
"Doe, Jane",12345,S1,jdoe,Morning,
"Roe, Richard",12346,S2,rroe,Morning,
"Poe, Edgar",12347,S3,epoe,Evening,
"Student, Test",12399,,a1b2c3,Morning,
"""
MOODLE = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission)
Participant 501,Jane Doe,jane@uni.example,Submitted for grading,,15.00,Yes,"Thursday, 5 November 2026, 11:58 PM"
Participant 502,Richard Roe,richard@uni.example,Submitted for grading,,15.00,Yes,-
Participant 503,Edgar Poe,edgar@uni.example,No submission,,15.00,Yes,-
"""
PLAIN = "id;name\njdoe;Jane Doe\nrroe;Richard Roe\nepoe;Jörg Poe\n"
GOOD = as_bytes(solved())


def another(words="a second thought"):
    """Good work, and not the same as before."""
    notebook = solved()
    cell_of("softmax", notebook)["source"] += f"\n# {words}"
    return as_bytes(notebook)


def zipped(file, files):
    """A zip with files of these names and contents."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file


def canvas_zip(file, **more):
    """Two have handed in, one of them late."""
    names = {f"doejane_12345_9001_{FILE}": GOOD, f"roerichard_LATE_12346_9002_{LESSON}-1.ipynb": another("mine")}
    return zipped(file, names | more)
