"""A table as a learning platform exports it; whatever is not changed is written back byte for byte."""

import codecs
import re
from pathlib import Path

BOMS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Sheet:
    """The rows of a table: each cell with its quotes, and how each row ends."""

    def __init__(self, file):
        data = Path(file).read_bytes()
        self.bom = next((bom for bom in BOMS if data.startswith(bom)), b"")
        text, self.encoding = _decoded(data.removeprefix(self.bom), BOMS.get(self.bom))
        if "\0" in text:
            raise ValueError("it is not text")
        self.separator = max(",;\t", key=text.partition("\n")[0].count)
        self.rows, self.ends = _parsed(text, self.separator)
        self.header = [plain(cell) for cell in self.rows[0]]

    def __bytes__(self):
        text = "".join(self.separator.join(row) + end for row, end in zip(self.rows, self.ends))
        return self.bom + text.encode(self.encoding)

    def value(self, row, column):
        """Return what a cell says; "" if the row is too short, or there is no such column."""
        return plain(self.rows[row][column]).strip() if column is not None and column < len(self.rows[row]) else ""

    def write(self, row, column, value):
        """Set the value of a cell, in quotes if the cell has some."""
        self.rows[row] += [""] * (column + 1 - len(self.rows[row]))
        self.rows[row][column] = f'"{value}"' if self.rows[row][column].startswith('"') else value


def plain(cell):
    """Return what a cell says without its quotes, as a program reads it."""
    return cell[1:-1].replace('""', '"') if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _decoded(data, encoding):
    """Return the text of a table, and its encoding; raise ValueError if it cannot be read.

    If the code page is unknown, only names look odd: what is written back is the same.
    """
    for guess in [encoding] if encoding else ["utf-8", "latin-1"]:
        try:
            return data.decode(guess), guess
        except UnicodeDecodeError:
            continue
    raise ValueError("its characters cannot be read")


def _parsed(text, separator):
    cell = re.compile(rf'((?:"(?:[^"]|"")*")?[^{separator}\r\n]*)({separator}|\r\n|\r|\n|\Z)')
    rows, ends, place = [[]], [], 0
    while True:
        found = cell.match(text, place)
        rows[-1].append(found[1])
        place = found.end()
        if found[2] == separator:
            continue
        ends.append(found[2])
        if place == len(text):
            return rows, ends
        rows.append([])
