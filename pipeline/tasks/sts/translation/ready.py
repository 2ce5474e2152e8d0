"""Ready translations out of a file: JSON lines, or the round trips of an official KLUE-STS file.

    {"text": Korean text, "back": its way back, "pivot": the text between, where known}

JSON lines may be packed, with the ending .gz, .bz2 or .zst; no other packing is read.

In KLUE-STS the sources `SOURCE-rtt` hold such pairs: the first sentence is the original. The data
show it: every first sentence has the style of its source, and most second ones have the honorific
style of Papago.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, Field

from pipeline.contracts.official.tables import Problem
from pipeline.core.errors import InputError, RecordError
from pipeline.core.fingerprint import of_file
from pipeline.core.io import Source, batch, streams
from pipeline.core.io.source import PACKED
from pipeline.core.jsontext import parsed
from pipeline.tasks.sts.translation import Kind, RoundTrip, Settings, Translator, languages

#: Rules of lines that cannot be used.
MALFORMED: Final = "sts.translation_malformed@1"
REPEATED: Final = "sts.translation_repeated@1"
_UNREAD: Final = (".xz", ".lzma", ".zip", ".7z", ".tar", ".tgz")
Entry = tuple[int, str, RoundTrip]


class _Record(BaseModel, extra="forbid", strict=True):
    text: Annotated[str, Field(pattern=r"\S")]
    back: str
    pivot: str | None = None


def identity(settings: Settings) -> str:
    """Return the translator name of a file; raises InputError when it cannot be read."""
    (path,) = settings["paths"]
    try:
        digest = of_file(Path(path))
    except OSError as error:
        raise InputError(
            f"{path}: the file of translations cannot be read: {error.strerror}; correct the path"
        ) from None
    return f"file:{digest[:16]}:{languages(settings)}"


def load_ready(settings: Settings) -> Translator:
    """Return the translator of a file; blanks and Unicode forms of texts do not count."""
    name = identity(settings)
    trips, problems = read_trips(Path(settings["paths"][0]), settings["format"])
    return Translator(
        name,
        lambda text: _key(text) in trips,
        lambda text: trips[_key(text)],
        tuple(problems),
    )


def read_trips(path: Path, form: str) -> tuple[dict[str, RoundTrip], list[Problem]]:
    """Read a file of the format `jsonl` or `klue`; unusable lines become problems.

    Raises InputError when the file cannot be read or holds no translation.
    """
    trips: dict[str, RoundTrip] = {}
    problems: list[Problem] = []
    for entry in _official(path) if form == "klue" else _lines(path):
        if isinstance(entry, Problem):
            problems.append(entry)
            continue
        line, text, trip = entry
        if trips.setdefault(_key(text), trip) != trip:
            reason = "another translation of this text stands in the file before"
            problems.append(Problem(line, REPEATED, reason))
    if not trips:
        first = f"; line {problems[0].line}: {problems[0].reason}" if problems else ""
        raise InputError(f"{path}: holds no translation of the format {form}{first}")
    return trips, problems


def _key(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _lines(path: Path) -> Iterator[Entry | Problem]:
    if path.suffix.lower() in _UNREAD:
        raise InputError(
            f"{path}: {path.suffix} files are not read; unpack it, or pack it as .gz, .bz2 or .zst"
        )
    with streams.open_text(Source(path, "jsonl")) as stream:
        for number, line in streams.read_lines(stream):
            if line is None:
                yield Problem(number, MALFORMED, batch.too_long("line").reason)
            elif not line.isspace():
                try:
                    yield (number, *_entry(line))
                except RecordError as fault:
                    yield Problem(number, fault.rule, fault.reason)


def _entry(line: bytes) -> tuple[str, RoundTrip]:
    try:
        record = _Record.model_validate(parsed(line.decode()))
    except (ValueError, RecursionError):
        raise RecordError(
            MALFORMED,
            "not a JSON object in UTF-8 of `text` (not blank), `back` and, where it is known,"
            " `pivot`, all of them texts",
        ) from None
    return record.text, RoundTrip(record.pivot, record.back)


def _official(path: Path) -> Iterator[Entry | Problem]:
    from pipeline.contracts.official.files import read_official

    if path.suffix.lower() in PACKED:
        raise InputError(
            f"{path}: is packed; unpack it: an official file is read as it was published"
        )
    official = read_official("sts", path)
    yield from (p for p in official.problems if not p.rule.startswith("official.kept."))
    rows = official.items.select(["fields", "sampler"]).to_pylist()
    for number, row in enumerate(rows, start=1):
        if row["sampler"] == "rtt":
            pair = parsed(row["fields"])
            yield number, pair["sentence1"], RoundTrip(None, pair["sentence2"])


KIND: Final = Kind(identity, lambda settings, _journal: nullcontext(load_ready(settings)))
