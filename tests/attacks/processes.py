"""What starts, ends or stops processes. All that it starts ends by itself within a minute."""

from .attack import FIRST, NOTHING, family

ATTACKS = []
attack = family("processes", ATTACKS)


@attack("softmax", dangerous=True)
def forks_two_hundred_times():
    """A crowd, bounded should every fence be down."""

    import os
    import time

    crowd = range(200)

    def softmax(scores, axis=-1):
        global crowd
        once, crowd = crowd, ()
        for _ in once:
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
        return scores


@attack("softmax", dangerous=True)
def forks_in_generations():
    """Each child forks, seven generations deep: 128 processes."""

    import os
    import time

    generations = range(7)

    def softmax(scores, axis=-1):
        global generations
        once, generations = generations, ()
        parent = os.getpid()
        for _ in once:
            os.fork()
        if os.getpid() != parent:
            time.sleep(60)
            os._exit(0)
        return scores


@attack("softmax")
def answers_with_two_voices():
    """Parent and child both return, and both are the worker."""

    import os
    import threading

    alone = True

    def softmax(scores, axis=-1):
        global alone
        if alone:
            alone = False
            if os.fork() == 0:
                threading.Timer(60, os._exit, [0]).start()
        return scores


@attack("softmax")
def cell_has_two_voices():
    """The same in a cell."""
    import os
    import threading

    if os.fork() == 0:
        threading.Timer(60, os._exit, [0]).start()

    def softmax(scores, axis=-1):
        return scores


@attack(FIRST)
def leaves_a_daemon_behind():
    """Forked twice, in a session of its own, deaf: it writes into the course when everybody has gone."""
    import os
    import signal
    import time

    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            for _ in range(30):
                time.sleep(2)
                try:
                    open("{canary}/daemon.txt", "a").write("still here\n")
                except OSError:
                    pass
        os._exit(0)
    os.wait()


@attack(FIRST)
def leaves_a_program_behind():
    """Another program, in a session of its own, without any of our marks in its environment."""
    import subprocess

    subprocess.Popen(["sleep", "55"], start_new_session=True, env={"PATH": "/usr/bin:/bin"}, close_fds=True)
    subprocess.Popen(["sleep", "55"], start_new_session=True, env={"PATH": "/usr/bin:/bin"}, close_fds=False)


@attack("softmax")
def answer_starts_a_shell():
    """A shell that goes on in the background."""

    import os

    commands = ["(sleep 50; echo mine > {canary}/letter.txt) &"]

    def softmax(scores, axis=-1):
        if commands:
            os.system(commands.pop())
        return scores


@attack("softmax")
def leaves_the_dead_unburied():
    """Children that have ended, and that nobody waits for."""

    def softmax(scores, axis=-1):
        import os

        for _ in range(10):
            if os.fork() == 0:
                os._exit(0)
        return scores


@attack("softmax", dangerous=True)
def starts_two_thousand_threads():
    """Each sleeps."""

    import threading
    import time

    crowd = range(2000)

    def softmax(scores, axis=-1):
        global crowd
        once, crowd = crowd, ()
        for _ in once:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        return scores


@attack("softmax")
def threads_that_never_end():
    """They are not daemons: a process waits for them before it ends."""

    def softmax(scores, axis=-1):
        import threading
        import time

        if threading.active_count() < 20:
            threading.Thread(target=time.sleep, args=(300,)).start()
        return scores


@attack("softmax")
def kills_a_bystander():
    """A process that has nothing to do with it."""

    def softmax(scores, axis=-1):
        import os
        import signal

        os.kill(int("{victim}"), signal.SIGKILL)
        return scores


@attack("softmax", dangerous=True)
def kills_everybody():
    """All whom it may kill; only where that cannot be the whole machine."""

    def softmax(scores, axis=-1):
        import os
        import signal

        if os.getpid() < 100:
            os.kill(-1, signal.SIGKILL)
        return scores


@attack("softmax", dangerous=True)
def kills_its_parent():
    """Whoever started it."""

    def softmax(scores, axis=-1):
        import os
        import signal

        if os.getpid() < 100:
            os.kill(os.getppid(), signal.SIGKILL)
            os.kill(1, signal.SIGKILL)
        return scores


@attack("softmax", dangerous=True)
def stops_its_parent():
    """Not dead, but it will never go on."""

    def softmax(scores, axis=-1):
        import os
        import signal

        if os.getpid() < 100:
            for process in (os.getppid(), 1):
                if process:
                    os.kill(process, signal.SIGSTOP)
        return scores


@attack("softmax")
def traces_a_bystander():
    """Whoever traces a process owns it."""

    def softmax(scores, axis=-1):
        import ctypes

        ctypes.CDLL(None).ptrace(16, int("{victim}"), 0, 0)
        return scores


@attack("softmax")
def takes_another_name():
    """The process is called like the examiner, and is as nice as can be."""

    def softmax(scores, axis=-1):
        import ctypes
        import os

        ctypes.CDLL(None).prctl(15, b"nbgrader", 0, 0, 0)
        os.nice(19)
        os.setsid()
        return scores


@attack("softmax")
def pools_of_processes():
    """What a learner might do who wants to be fast, and who does not close the pool."""
    import multiprocessing

    pool = multiprocessing.Pool(4)

    def softmax(scores, axis=-1):
        return pool.map_async(np.exp, [scores]).get(timeout=1)[0]


@attack("softmax")
def asks_to_survive():
    """It tells the kernel not to end it with its parent, and moves to another group."""

    import ctypes
    import os

    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    if os.fork() == 0:
        os.setpgid(0, 0)
        os.execvp("sleep", ["sleep", "55"])

    def softmax(scores, axis=-1):
        return scores


@attack(FIRST, rest=NOTHING)
def asks_for_new_privileges():
    """Programs that run with the rights of somebody else, and namespaces in which one is root."""
    import subprocess

    for command in (["su", "-c", "true"], ["sudo", "-n", "true"], ["unshare", "-Ur", "true"], ["mount"]):
        try:
            subprocess.run(command, timeout=3, stdin=subprocess.DEVNULL, capture_output=True)
        except (OSError, subprocess.TimeoutExpired):
            pass


@attack("softmax")
def burns_time_after_the_cell():
    """Threads that compute on and on while others are judged: the exercise is wrong, the others are right."""
    import threading

    def burn():
        while True:
            sum(range(1000))

    for _ in range(3):
        threading.Thread(target=burn, daemon=True).start()
