"""Pack a class's feedback into one zip, which a learning platform hands out."""

from collections import Counter

import click

from ...intake import archives
from ...intake.platforms import entry_of
from ...intake.receipts import receipt_or_trouble
from ...intake.wording import cut


def pack(platform, lesson, given, archive, to, root):
    """Write the zip, and return sentences about it. given: a Feedback for each student."""
    entries = _entries(platform, archive)
    chosen = {
        one.student: _chosen(entries, lesson, one.student, receipt_or_trouble(root, lesson, one.student))
        for one in given
    }
    owners = Counter(entry.who for entry in chosen.values() if entry)
    reasons = {one.student: _why_not(one, chosen[one.student], owners, archive) for one in given}
    packed = {chosen[one.student]: one for one in given if not reasons[one.student]}
    archives.pack(dict(_named(platform, lesson, entry, one) for entry, one in packed.items()), to, archive)
    return [
        f"{to}: feedback for {len(packed)} of {len({entry.who for entry in entries})} in {archive}",
        *(line for entry in packed for line in platform.remarks(entry)),
        *(f"no feedback for {one.whom or one.student}: {why}" for one in given if (why := reasons[one.student])),
        *(f"no feedback for {entry.name}: nothing of theirs has been graded" for entry in _others(entries, owners)),
    ]


def _named(platform, lesson, entry, one):
    """Return (name in the zip, the file that goes there)."""
    name, ending = platform.feedback(entry, lesson)
    return name, one.folder / f"{lesson}{ending}"


def _why_not(one, entry, owners, archive):
    if one.trouble or not entry:
        return one.trouble or f"nothing in {archive} is theirs, as far as names and receipts tell"
    return f"{owners[entry.who]} of the folders here belong to {entry.name}" if owners[entry.who] > 1 else ""


def _others(entries, owners):
    """Return one file of each student whose work is not graded here."""
    return {entry.who: entry for entry in entries if entry.who not in owners}.values()


def _entries(platform, archive):
    names = _names(archive)
    entries = [entry for name in names if (entry := entry_of(platform, name)) and entry.takes]
    if not entries:
        some = ", ".join(map(cut, names[:3])) or "nothing at all"
        raise click.ClickException(
            f"No name in {archive} is one of {platform.name}'s: there is {some}. "
            "Give the zip of submissions as it was downloaded."
        )
    return entries


def _names(archive):
    try:
        with archives.opened(archive) as submissions:
            return [str(path) for path, _ in archives.members(submissions)]
    except archives.Refused as refused:
        raise click.ClickException(f"{archive}: {refused}.") from None


def _chosen(entries, lesson, student, noted):
    """Return the file that a student was graded for: by the receipt, else by the number that names the folder."""
    came_as = {*noted.get("came_as", ()), *(found["file"] for found in noted.get("found", ()))}
    theirs = [entry for entry in entries if entry.name in came_as]
    if len({entry.who for entry in theirs}) != 1:
        theirs = [entry for entry in entries if entry.who == student]
    return max(theirs, key=lambda entry: _likeness(entry.name, lesson), default=None)


def _likeness(name, lesson):
    return name.endswith(".ipynb"), lesson in name
