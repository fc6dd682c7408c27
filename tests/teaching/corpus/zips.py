"""Zips in the place of a notebook."""

import io
import stat
import struct
import zipfile

from .broken import FILE, as_bytes, family

BROKEN = []
broken = family(BROKEN)


def zip_of(**files):
    """With the files of these names and contents."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


@broken(graded=True)
def in_a_zip(notebook):
    """With a folder in it."""
    return {"work.zip": zip_of(**{f"my work/{FILE}": as_bytes(notebook), "__MACOSX/x": b"x"})}


@broken("Beside it lay 0.zip/draft, ")
def very_many_zips(notebook):
    """Told in one sentence."""
    return {FILE: as_bytes(notebook)} | {f"{number}.zip": zip_of(draft=b"") for number in range(100)}


@broken()
def a_zip_with_our_name(notebook):
    """Somebody has changed the ending."""
    return {FILE: zip_of(**{FILE: as_bytes(notebook)})}


@broken(trouble="there is no notebook among what was handed in (work.zip/inner.zip)")
def a_zip_in_a_zip(notebook):
    """We unpack one."""
    return {"work.zip": zip_of(**{"inner.zip": zip_of(**{FILE: as_bytes(notebook)})})}


@broken(trouble="leads out of the zip")
def a_path_that_leads_out(notebook):
    """Into somebody else's folder."""
    return {"work.zip": zip_of(**{f"../../zoe/{FILE}": as_bytes(notebook)})}


@broken(trouble="leads out of the zip")
def a_path_from_the_root(notebook):
    """Into the system."""
    return {"work.zip": zip_of(**{f"/etc/{FILE}": as_bytes(notebook)})}


@broken(trouble="is a link, a pipe or a device")
def a_link_in_a_zip(notebook):
    """To the list of users."""
    made, entry = io.BytesIO(), zipfile.ZipInfo(FILE)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    return {"work.zip": made.getvalue()}


@broken(trouble="the most is 250 MB")
def a_zip_bomb(notebook):
    """300 MB of nothing in 300 KB."""
    return {"work.zip": zip_of(**{FILE: b"\0" * (300 * 2**20)})}


@broken(trouble="MB")
def a_bomb_in_many_pieces(notebook):
    """Each of them is small enough."""
    return {"work.zip": zip_of(**{f"{n}.ipynb": b"\0" * (50 * 2**20) for n in range(6)})}


LISTED = struct.pack("<4s42x", b"PK\1\2") * 200_000  # files without a name, in a zip's table of contents
TOO_MANY = "its table of contents has 9,200,000 bytes; the most is 5,000,000"


@broken(trouble=TOO_MANY)
def a_zip_of_nothing_but_contents(notebook):
    """Some kilobytes once it is zipped; zipfile makes ten times as much of it before anybody can count them."""
    return {"work.zip": b"PK\3\4" + LISTED + struct.pack("<4s8xLLH", b"PK\5\6", len(LISTED), 4, 0)}


@broken(trouble=TOO_MANY)
def a_zip_with_two_ends(notebook):
    """The usual one says that it is empty; what counts is the one that large zips have."""
    end = struct.pack("<4sQ28xQQ", b"PK\6\6", 44, len(LISTED), 4) + struct.pack("<4s4xQL", b"PK\6\7", 0, 1)
    return {"work.zip": b"PK\3\4" + LISTED + end + struct.pack("<4s8xLLH", b"PK\5\6", 0, 0, 0)}


@broken(trouble="work.zip: ")
def a_damaged_zip(notebook):
    """Its end is missing."""
    return {"work.zip": zip_of(**{FILE: as_bytes(notebook)})[:-200]}


@broken(trouble="is damaged in the zip")
def a_zip_with_a_wrong_byte(notebook):
    """Somewhere in the middle."""
    made = bytearray(zip_of(**{FILE: as_bytes(notebook)}))
    made[len(made) // 2] ^= 0xFF
    return {"work.zip": bytes(made)}


@broken(trouble="it unpacks to more than 250 MB")
def zips_that_are_too_much_together(notebook):
    """Each of them alone is not, and some kilobytes long."""
    return {f"{name}.zip": zip_of(draft=b" " * (130 * 2**20)) for name in ("one", "two")}
