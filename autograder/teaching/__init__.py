"""The work around grading: what goes out to students, and what an instructor wants to know of a class.

kit         what students receive
report      what a class understood
regrade     what judging again would change
status      how far the work of a class is; show: the work of one student
feedback    what goes back to students, and the filters of formgrader's pages
marks       what goes back to the platform
gradebook   the points that report, regrade and marks are made of
"""
