"""A process that imports this ignores Ctrl-C, and so do its copies: the process that asked them handles it.

A copy that starts while that process ends finds its locks gone; the error this raises is not shown.
"""

import signal
import sys


def complain(kind, error, trace):
    if kind is not FileNotFoundError:
        sys.__excepthook__(kind, error, trace)


signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.excepthook = complain
