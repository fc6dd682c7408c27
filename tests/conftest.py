"""For all tests: one thread each, since small tensors only wait for more, and tests run side by side."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
