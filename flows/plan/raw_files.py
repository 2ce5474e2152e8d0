"""The raw files of a source, as a build file names them: how they are read, and their digests."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from pipeline.contracts.parts import part_modules
from pipeline.contracts.registry import TASKS
from pipeline.core.buildfile import InputFile
from pipeline.core.errors import InputError, RetryError, SpecError, StoreError
from pipeline.core.files import refuse
from pipeline.core.fingerprint import of_path, printable
from pipeline.core.objects.address import address_of, is_address
from pipeline.corpus.catalogue import Source
from pipeline.corpus.readers.base import READERS, check_options

#: The folder of a work directory with copies of objects.
OBJECTS: Final = "objects"
#: The reader of official KLUE files.
OFFICIAL: Final = "klue_texts"


def reading(item: InputFile, source: Source, where: str) -> dict[str, Any]:
    """Return how an input is read, as parameters of the stage; raises SpecError."""
    reader = item.reader or source.reader
    if reader is None:
        raise SpecError(f"{where}: the catalogue names no reader; set `reader`")
    options = {
        "columns": {key: str(value) for key, value in item.columns.items()},
        "encoding": item.encoding,
        "delimiter": item.delimiter,
        "header": item.header,
        "only": item.only,
        "pattern": item.pattern,
    }
    try:
        check_options(reader, options)
    except SpecError as error:
        raise SpecError(f"{where}: {error}") from None
    return {"name": item.name or item.path.name, "reader": reader, "options": options}


def at_hand(item: InputFile, where: str, work: Path) -> InputFile:
    """Return an input that lies on a file system: of objects, their copy in the work directory.

    Raises InputError or StoreError, and RetryError for a store that cannot be reached.
    """
    if not is_address(item.path):
        return item
    from pipeline.core.objects.copies import copy_of

    try:
        source = address_of(item.path)
        assert source is not None
        copy = copy_of(source, work / OBJECTS / "inputs", pattern=item.pattern)
    except (InputError, StoreError, RetryError) as error:
        raise type(error)(f"{where}: {error}") from None
    return item.model_copy(update={"path": copy})


def digest(item: InputFile, where: str) -> str:
    """Return the digest of a raw file or folder; raises InputError for one that cannot be read."""
    path = item.path
    if (name := printable(path.name)) != path.name:
        raise InputError(f"{where}: the name {name} is not UTF-8; rename the file")
    is_special = path.exists() and not path.is_file() and not path.is_dir()
    refuse(f"{where}: {path}", (is_special, "is a device or pipe; write it to a file first"))
    try:
        content = of_path(path, item.pattern) if path.exists() else None
    except (OSError, RuntimeError, ValueError) as error:
        why = str(error)
        if isinstance(error, OSError) and error.filename is not None:
            inside = "" if str(error.filename) == str(path) else f"{error.filename}: "
            why = f"{inside}{error.strerror}"
        raise InputError(f"{where}: {path} cannot be read: {why}; mend it") from None
    if content is None:
        raise InputError(
            f"{where}: {path} does not exist; correct the path, or leave the source out of the"
            " build file"
        )
    return content


def reader_code(readers: set[str]) -> tuple[str, ...]:
    """Return the modules that readers run; the texts of official files are read by task."""
    modules = sorted({READERS.module(reader) for reader in readers})
    if OFFICIAL in readers:
        modules += [module for task in TASKS for module in part_modules(task, "official")]
    return tuple(modules)
