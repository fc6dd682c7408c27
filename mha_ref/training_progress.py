"""Show how far a training is."""


def show_progress(step, steps, loss):
    """Show one line of text, which is written over again and again: every 20th step, and the last one."""
    if step % 20 == 0 or step == steps:
        done = 30 * step // steps
        print(f"\r[{'#' * done:.<30}] step {step} of {steps}, loss {loss:.4f}", end="\n" if step == steps else "")
