"""The work around grading: what goes out to students, and what an instructor wants to know of a class.

kit            what students receive
status         how far the work of a class is, and the work of one student
regrade        what judging again would change
report         what a class has understood, of what counting and misconceptions find
feedback       what goes back to students, as returned prepares it, and rendering makes it pages that are safe
lone_notebook  what one notebook earned, by itself, which platform_results tells as a platform wants it
bundle         what a platform needs to do that
marks          what goes back to the platform
by_hand        a mark that an instructor gives
gradebook      all that these read of a graded class
"""
