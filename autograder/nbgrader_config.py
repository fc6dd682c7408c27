"""The one place that touches nbgrader's settings; nbgrader_config.py at the root loads it."""

from pathlib import Path

from autograder.grading import nbgrader_hooks  # noqa: F401  (folders whose names would be markup in formgrader's pages)
from autograder.outline import outline

c = get_config()  # noqa: F821  (nbgrader gives it)

c.CourseDirectory.root = str(outline().folder.parent)
c.CourseDirectory.course_id = outline().id
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "course"

# An unwritten function is empty, and returns nothing; an unwritten answer stays three dots.
c.ClearSolutions.code_stub = {"python": "# your work goes here"}
c.ClearSolutions.text_stub = "*Your words go here: a double click opens this cell.*"

# A deleted check cell is put back before grading, or deleting it would delete the exercise.
c.OverwriteCells.add_missing_cells = True

# Kernels on this machine talk encrypted, or without a warning in every terminal that they do not.
c.KernelManager.transport_encryption = "auto"

# A cell that never ends is interrupted, and only that cell is lost.
c.Execute.timeout = 30
c.Execute.interrupt_on_timeout = True

# What was handed in is read once, and through no link; a notebook whose shape is broken is mended as `mha grade` does.
c.Autograde.exporter_class = "autograder.grading.nbgrader_hooks.HandedIn"

# Submissions run in a sandbox, and are judged outside of it. With "nbgrader.preprocessors.Execute" in the place of the
# examiner, nbgrader does as it always did: cells are judged where they run, and whoever wants to cheat can.
c.Autograde.autograde_preprocessors = [
    "autograder.grading.examiner.Examiner",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# A notebook is validated after all these steps, and not after each.
c.NotebookExporter.optimistic_validation = True

# What handing in late costs: nothing, unless c.LatePolicy.percent_a_day says otherwise.
c.AssignLatePenalties.plugin_class = "autograder.intake.late.LatePolicy"

# In formgrader nothing runs that a learner wrote, or lies over the page, formulas need no network, no page takes hours.
c.HTMLExporter.preprocessors = ["autograder.teaching.rendering.InOwnBoxes"]
c.CSSHTMLHeaderPreprocessor.enabled = False  # it would come later, and forget the styles of this one
c.InOwnBoxes.style = "default"
c.HTMLExporter.filters = {
    name: f"autograder.teaching.rendering.{name}"
    for name in ("markdown2html", "strip_files_prefix", "clean_html", "highlight_code", "ansi2html", "strip_ansi")
}

# Feedback is a self-contained page, and the same as a notebook.
c.GenerateFeedback.exporter_class = "autograder.teaching.rendering.FeedbackPage"
c.GenerateFeedback.preprocessors = ["autograder.teaching.returned.Returned"]
c.FeedbackPage.template_name = "returned"
c.FeedbackPage.extra_template_basedirs = [str(Path(__file__).resolve().parent / "teaching" / "templates")]
