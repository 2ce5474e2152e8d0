"""Passages put together from the sections of an article, and known texts that are left out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.errors import InputError, StoreError
from pipeline.core.jsontext import parsed
from pipeline.core.stage import Call
from pipeline.sampling import inputs

Row = dict[str, Any]
_DOCUMENT = ["id", "text", "title", "section", "url", "date"]
_SECTION = ["id", "document", "title", "start", "end", "sentences"]


class Section(NamedTuple):
    """A section: its rows of DOCUMENTS and SECTIONS, and its kept sentences by id."""

    row: Row
    document: Row
    kept: dict[str, str]


def sections(call: Call, source: str) -> Iterator[Section]:
    """Yield the sections of a source in their order.

    Sections, documents and kept sentences are three streams in one order, so that no more than a
    batch of each is held. Raises StoreError where they are not of one corpus.
    """
    by_document = itemgetter("document")
    documents = _rows(inputs.rows(call, source, "documents"), _DOCUMENT)
    kept = groupby(_rows(inputs.units(call, source), ["id", "document", "text"]), by_document)
    rows = _rows(inputs.rows(call, source, "sections"), _SECTION)
    waiting = next(kept, None)
    for name, group in groupby(rows, by_document):
        document = next((row for row in documents if row["id"] == name), None)
        if document is None:
            raise StoreError(f"{source}: sections and documents differ; run the build again")
        texts: dict[str, str] = {}
        if waiting is not None and waiting[0] == name:
            texts = {row["id"]: row["text"] for row in waiting[1]}
            waiting = next(kept, None)
        for row in group:
            yield Section(row, document, texts)
    if waiting is not None:
        raise StoreError(f"{source}: kept sentences and sections differ; run the build again")


def _rows(tables: Iterator[pa.Table], columns: list[str]) -> Iterator[Row]:
    for table in tables:
        yield from table.select(columns).to_pylist()


def repeats(call: Call, source: str) -> dict[str, str]:
    """Return the kept text of every exact duplicate of a source, by the id of the unit that left.

    The input among the call's that holds the ledger of duplicates is the one of all sources.
    """
    originals: dict[str, str] = {}
    for table in inputs.rows(call, "all", "ledger"):
        rows = table.filter(
            (pc.field("source") == source) & (pc.field("rule") == "duplicate.exact@1")
        )
        kept = pc.replace_substring_regex(rows.column("reason"), "^repeats ", "")
        originals |= zip(rows.column("unit").to_pylist(), kept.to_pylist(), strict=True)
    wanted = pa.array(sorted(set(originals.values())), pa.string())
    texts: dict[str, str] = {}
    for table in inputs.units(call, source):
        rows = table.filter(pc.is_in(table.column("id"), value_set=wanted))
        texts |= zip(rows.column("id").to_pylist(), rows.column("text").to_pylist(), strict=True)
    return {unit: texts[kept] for unit, kept in originals.items() if kept in texts}


def boilerplate(call: Call, source: str, rules: Sequence[str]) -> frozenset[str]:
    """Return the sentences that these rules of cleaning dropped as a whole."""
    is_boilerplate = (pc.field("action") == "drop") & pc.field("rule").isin(list(rules))
    tables = inputs.rows(call, source, "ledger")
    units = (table.filter(is_boilerplate).column("unit").to_pylist() for table in tables)
    return frozenset(chain.from_iterable(units))


Hashes = np.ndarray[Any, np.dtype[np.uint64]]

WIDTH: Final = 24
SAMPLE: Final = 16

_BASE: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = np.uint64(0xFF51AFD7ED558CCD)
_HALF: Final = np.uint64(32)


def fingerprints(text: str) -> Hashes:
    """Return the sampled window hashes of a text, sorted and distinct; short texts have none."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(c for c in folded if c.isalnum()).encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(letters, dtype=np.uint32).astype(np.uint64)
    windows = len(codes) - WIDTH + 1
    if windows < 1:
        return np.array([], np.uint64)
    hashes = np.zeros(windows, np.uint64)
    for at in range(WIDTH):
        hashes = hashes * _BASE + codes[at : at + windows]
    hashes ^= hashes >> _HALF
    hashes *= _MIX
    hashes ^= hashes >> _HALF
    return np.unique(hashes[hashes % np.uint64(SAMPLE) == 0])


def shared_fraction(prints: Hashes, others: Hashes) -> float:
    """Return the share of `prints` that is among `others` (both sorted), from 0 to 1."""
    if not len(prints) or not len(others):
        return 0.0
    places = np.minimum(np.searchsorted(others, prints), len(others) - 1)
    return round(float(np.mean(others[places] == prints)), 6)


#: Where the JSON of a benchmark keeps its passages, at any depth.
KEYS: Final = ("context", "passage", "text")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>가-힣]{0,300}>")


def read_fingerprints(paths: Sequence[Path]) -> Hashes:
    """Return the fingerprints of all texts in these files, sorted and distinct.

    Raises InputError for a file that cannot be read or holds no text.
    """
    prints = [np.array([], np.uint64)]
    for path in paths:
        count = len(prints)
        prints += [fingerprints(text) for text in texts(path)]
        if len(prints) == count:
            raise InputError(
                f"{path}: holds no text; give texts one a line, JSONL, or JSON with a key"
                f" {', '.join(KEYS)}"
            )
    return np.unique(np.concatenate(prints))


def texts(path: Path) -> Iterator[str]:
    """Yield the texts of a file, without the tags of HTML.

    ``.json`` is SQuAD-like or any other JSON with KEYS, ``.jsonl`` one such value a line, anything
    else one text a line. Raises InputError, with the line.
    """
    form = path.suffix.lower()
    try:
        with path.open(encoding="utf-8-sig") as lines:
            parts = [lines.read()] if form == ".json" else lines
            for number, part in enumerate(parts, start=1):
                if form == ".json" or part.strip():
                    is_json = form in (".json", ".jsonl")
                    values = _contexts(_parse(part, path, number)) if is_json else [part]
                    yield from (_TAG.sub(" ", text) for text in values)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot be read ({type(error).__name__}); give a UTF-8 file of known texts"
        ) from None


def _parse(text: str, path: Path, line: int) -> Any:
    try:
        return parsed(text.rstrip(), words=True)
    except (ValueError, RecursionError) as error:
        place = getattr(error, "lineno", 1) + line - 1
        raise InputError(
            f"{path}:{place}: no JSON, or a key is there twice; mend it, or give texts one a"
            " line as .txt"
        ) from None


def _contexts(value: Any) -> Iterator[str]:
    """Yield the texts of a JSON value, from the inside of lists and objects as well."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += reversed(value)
        elif isinstance(value, dict):
            yield from (value[key] for key in KEYS if isinstance(value.get(key), str))
            waiting += [inner for inner in reversed(value.values()) if not isinstance(inner, str)]


#: What ends a line for the segmentation, which counts it to no sentence.
_BREAK: Final = re.compile(r"\r\n|[\n\r\u2028\u2029]|<br\s*/?>|</?p>", re.IGNORECASE)
#: How a sentence ends, with what may close behind it; many articles leave out the full stop.
_ENDED: Final = re.compile(r"(?:[.?!…。]|다)[\"'”’)\]」』》〉]*$")


class Passage(NamedTuple):
    """The text of a section, the sentences it lost, and how much of it is prose.

    `lost` and `restored` hold sentence ids: of those that are missing, and of those whose text was
    taken from their duplicate. `uncut` tells that text was left out before it had sentences.
    `prose` is the share of characters in whole sentences, `lines` the share of lines that end as a
    sentence does, both from 0 to 1.
    """

    text: str
    lost: tuple[str, ...]
    restored: tuple[str, ...]
    uncut: bool
    prose: float
    lines: float


def assemble(section: Section, *, boilerplate: Set[str], repeats: Mapping[str, str]) -> Passage:
    """Put a section together again from its kept sentences and what stood between them.

    A sentence of `repeats` left because its text stands elsewhere, and has it back; one of
    `boilerplate` (a byline, a copyright notice) leaves no gap; any other that was not kept is lost.
    Between sentences stand an empty line, a line break, a blank or nothing, as in the
    document.
    """
    raw, pieces, between = section.document["text"], list[str](), ""
    lost, restored, uncut = list[str](), list[str](), False
    position = section.row["start"]
    for member in section.row["sentences"]:
        between += raw[position : member["start"]]
        position = member["end"]
        name = member["id"]
        text = section.kept.get(name, repeats.get(name))
        if text is None:
            lost += [] if name in boilerplate else [name]
            continue
        restored += [] if name in section.kept else [name]
        uncut = uncut or _letters(between)
        pieces += [_gap(between) if pieces else "", text]
        between = ""
    uncut = uncut or _letters(between + raw[position : section.row["end"]])
    whole = "".join(pieces)
    lines = [line for line in whole.splitlines() if line]
    prose, ended = _sentence_share(pieces[1::2], len), _sentence_share(lines, bool)
    return Passage(whole, tuple(lost), tuple(restored), uncut, prose, ended)


def _sentence_share(texts: list[str], weight: Callable[[str], int]) -> float:
    """Return the share of texts, by weight, that end as a sentence does."""
    total = sum(map(weight, texts))
    return round(sum(weight(t) for t in texts if _ENDED.search(t)) / total, 6) if total else 0.0


def _gap(between: str) -> str:
    lines = len(_BREAK.findall(between))
    if lines:
        return "\n\n" if lines > 1 else "\n"
    return " " if any(c.isspace() for c in between) else ""


def _letters(between: str) -> bool:
    return any(c.isalnum() for c in _BREAK.sub("", between))
