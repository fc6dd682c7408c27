"""A process that imports this never hears Ctrl-C, nor do its copies: that is for whoever asked them.

A copy that is made while that one goes finds its locks gone: of this nobody wants to read.
"""

import signal
import sys


def complain(kind, error, trace):
    if kind is not FileNotFoundError:
        sys.__excepthook__(kind, error, trace)


signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.excepthook = complain
