"""How good tables are on the text of lesson 09 if each leans on the next shorter one (Witten and Bell, 1991).

Run: python benchmarks/tables.py
"""

import math
from collections import Counter

from mha_ref.language_model import UNSEEN, alphabet, prose

LONGEST = 6  # characters that the longest table looks at


def runs(text, length):
    return [text[n : n + length] for n in range(len(text) - length + 1)]


def main():
    text = prose()
    cut, size = round(len(text) * (1 - UNSEEN)), len(alphabet(text))
    seen, unseen = text[:cut], text[cut:]
    counts = Counter(run for length in range(LONGEST + 2) for run in runs(seen, length))
    totals = Counter(run for length in range(1, LONGEST + 2) for run in (each[:-1] for each in runs(seen, length)))
    kinds = Counter(run[:-1] for run in counts if run)  # how many characters follow it

    def share(run):
        """Return the probability of a run's last character after the others."""
        shorter = share(run[1:]) if len(run) > 1 else 1 / size
        before = run[:-1]
        if not totals[before]:
            return shorter
        return (counts[run] + kinds[before] * shorter) / (totals[before] + kinds[before])

    for before in range(LONGEST + 1):
        losses = [-math.log(share(run)) for run in runs(unseen, before + 1)]
        print(f"{before} characters before: {sum(losses) / len(losses):.2f}")


if __name__ == "__main__":
    main()
