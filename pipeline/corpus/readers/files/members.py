"""What members of folders and archives have in common: names, refusals and capped reading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pipeline.core.errors import InputError, RecordError
from pipeline.corpus.readers import base, records
from pipeline.corpus.readers.base import Record, Rejected

#: Too large members of one archive may not add up to more: each byte must be inflated to get past.
MAX_SKIPPED_BYTES = 1024**3


@dataclass
class Skipped:
    """Counts the bytes of an archive that are inflated only to get past them."""

    path: Path
    total: int = 0

    def add(self, size: int) -> None:
        """Count the bytes of one more member; raises InputError when there are too many."""
        self.total += size
        if self.total > MAX_SKIPPED_BYTES:
            raise InputError(
                f"{self.path}: members that are too large to read take more than"
                f" {MAX_SKIPPED_BYTES:,} bytes; unpack it and give the folder"
            )


def name_of(raw: bytes) -> str:
    """Return a file name as text: Korean archives hold names in UTF-8 or CP949."""
    for encoding in ("utf-8", "cp949"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", "backslashreplace")


def leaves_folder(name: str) -> bool:
    """Tell whether a name would lead out of the folder that it lies in."""
    parts = re.split(r"[/\\]", name)
    return parts[0] == "" or ".." in parts or re.match(r"[A-Za-z]:", name) is not None


def refusal(name: str, suffix: str, *, plain: bool) -> RecordError | None:
    """Return why a member is not read, judged by its name and kind; None if it is."""
    if leaves_folder(name):
        return RecordError("read.archive_path@1", "the name leads out of the folder")
    if not plain:
        return RecordError("read.archive_path@1", "is a link, device or pipe")
    if not name.lower().endswith(suffix):
        return RecordError("read.not_a_record@1", f"is no {suffix} file")
    return None


def too_large() -> RecordError:
    """Return the fault of a member above the cap."""
    return RecordError("read.too_large@1", f"holds more than {base.MAX_RECORD_BYTES:,} bytes")


def read(stream: IO[bytes]) -> bytes:
    """Read one member up to a byte above the cap; what a header says of its size is not trusted."""
    return stream.read(base.MAX_RECORD_BYTES + 1)


def record(data: bytes, file: str, archive: str = "") -> Record | Rejected:
    """Return the record of what `read` found in a member; above the cap, it is rejected."""
    if len(data) > base.MAX_RECORD_BYTES:
        return records.rejected(too_large(), file, 1)
    return Record(file, 1, data, archive)


def damaged(path: Path, count: int) -> InputError:
    """Return the error of an archive that breaks off after so many members."""
    return InputError(f"{path}: is damaged or cut off after {count:,} members; fetch it again")
