"""The work around grading: kits, the state of a class, reports, feedback, marks, and judging again.

kit         what students receive
collect     what they handed in; triage: what is broken is mended
report      what a class understood
regrade     what judging again would change
status      how far the work of a class is; show: the work of one student
feedback    what goes back to students
marks       what goes back to the platform

What they share lies beside them: course (where things lie), gradebook, receipts, students and their names (class_list,
known_students, names, students), and names, tables and zips that learning platforms make (exports, sheet, archives).
They use grading; it uses collect, to mend what it grades, and names.
"""
