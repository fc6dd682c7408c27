# nbgrader looks for its settings in the working directory only; ours live with the autograder.
c = get_config()  # noqa: F821
load_subconfig("autograder/nbgrader_config.py")  # noqa: F821
