"""The work around grading: what goes out to students, and what an instructor wants to know of a class.

kit            what students receive, and what a platform needs to grade a lesson by itself
status         how far the work of a class is, and the work of one student
regrade        what judging again would change
report         what a class has understood, of what counting finds
feedback       what goes back to students, as returned prepares it, and rendering makes it pages that are safe
lone_notebook  what one notebook earned, by itself, told as a person or a platform wants it
marks          marks by hand, and all of them back into a platform's table
gradebook      all that these read of a graded class
cheat_sheet    every formula of the course
"""
