"""How much a file may inflate: more is a bomb, and no corpus.

Text packs to a tenth or a thirtieth, rarely to a hundredth. Files of any size pass: what counts is
how much comes out of each byte, once more came out than any memory minds. The functions return what
is wrong, or "".
"""

from __future__ import annotations

from typing import Final

#: A file that inflates beyond both is a bomb.
BOMB_BYTES = 64 * 1024**2
BOMB_RATIO = 250
#: Of more lines, rows or values than this, ...
MANY = 2**20
#: ... lines have this many bytes on average, with their ends; else nearly all of them are blank;
_LINE_BYTES: Final = 2
#: and a byte of a Parquet file stands for no more rows or values than this.
_VALUES: Final = 8
_NO_CORPUS: Final = (
    "no corpus does that; fetch it again from a source that you trust, or unpack it, and remove"
    " what is blank or repeated"
)


def ratio_fault(inflated: int, packed: int, most: int | None = None) -> str:
    """Say that so many bytes out of so few can only be a bomb, if they are one.

    A reader may allow no more than `most` bytes, however large the file is.
    """
    if most is not None and inflated > most:
        return f"unpacks to more than {most:,} bytes, the most that are allowed; give less at once"
    if inflated <= max(BOMB_BYTES, BOMB_RATIO * packed):
        return ""
    return f"inflates to more than {inflated:,} bytes out of {packed:,}: {_NO_CORPUS}"


def values_fault(values: int, packed: int) -> str:
    """Say that a column has too many values for the bytes of its file, if it has."""
    if values <= max(MANY, _VALUES * packed):
        return ""
    return f"holds more than {values:,} values in {packed:,} bytes: {_NO_CORPUS}"


def lines_fault(lines: int, size: int) -> str:
    """Say that nearly all of many lines are blank, if they are; `size` is their bytes."""
    if lines <= MANY or size >= _LINE_BYTES * lines:
        return ""
    return f"nearly all of its first {lines:,} lines are blank: {_NO_CORPUS}"
