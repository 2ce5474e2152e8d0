"""Examples of a release as official KLUE files, which this project's own importers read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.contracts.official.files import write_official
from pipeline.contracts.official.tables import Official, Row, Vote, of_rows
from pipeline.contracts.splits import Split
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.tasks.nli.official import SEATS

#: The name and ending of each task's file, and the form that is written.
_FILES: Final[Mapping[str, tuple[str, str, str]]] = {
    "tc": ("ynat", "json", "json"),
    "sts": ("klue-sts", "json", "json"),
    "nli": ("klue-nli", "json", "source"),
    "ner": ("klue-ner", "tsv", "tsv"),
    "re": ("klue-re", "json", "json"),
    "dp": ("klue-dp", "tsv", "tsv"),
    "mrc": ("klue-mrc", "json", "nested"),
    "dst": ("wos", "json", "json"),
}
#: The tasks whose official files hold raw judgements.
VOTED: Final = ("tc", "sts", "nli")


def file_name(task: str, version: str, split: Split) -> str:
    """Return the name of a task's file, such as klue-sts-v1.1.0_dev.json."""
    stem, ending, _ = _FILES[task]
    return f"{stem}-v{version}_{split}.{ending}"


def official(task: str, examples: Iterable[Example], votes: pa.Table | None = None) -> Official:
    """Return labelled examples as an official file holds them, by guid.

    `votes` (VOTES) are the judgements on them; those of TC, STS and NLI have a place in the files:
    answers of the round that gold is counted from, by annotator. MRC's questions stand by document.
    """
    given = _answers(votes) if votes is not None and task in VOTED else {}
    rows = [_ROWS.get(task, _plain)(one, given.get(one.id, [])) for one in examples]
    order = (lambda r: (*_passage(r), r.item)) if task == "mrc" else (lambda r: r.item)
    return of_rows(task, _FILES[task][2], sorted(rows, key=order))


def write(found: Official, path: Path, *, private: bool = False) -> None:
    """Write an official file; raises InputError when it cannot be written.

    A `private` one can be read by its owner alone (mode 0600) from its first byte on.
    """
    if not private:
        write_official(found, path)
        return
    try:
        with TemporaryDirectory(dir=path.parent) as closed:
            made = Path(closed) / path.name
            write_official(found, made)
            made.chmod(0o600)
            made.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def _answers(votes: pa.Table) -> dict[str, list[dict[str, Any]]]:
    """Return the answers and reports on each item of its counted round, by annotator."""
    found: dict[str, list[dict[str, Any]]] = {}
    names = ("item", "annotator", "seat", "role", "round", "label", "report")
    rows = votes.select(names).to_pylist()
    for row in sorted(rows, key=lambda r: (r["annotator"] or "", r["seat"] or "")):
        if row["round"] in ("main", "validate") and row["role"] != "expert":
            found.setdefault(row["item"], []).append(row)
    return found


def _plain(one: Example, _votes: Sequence[Mapping[str, Any]]) -> Row:
    return Row(one.id, dict(one.fields), one.label, one.source, one.sampler, {"source": one.source})


def _topic(one: Example, votes: Sequence[Mapping[str, Any]]) -> Row:
    meta = {key: value for key, value in one.meta.items() if value is not None}
    if one.date is not None:
        meta["date"] = one.date
    found = [
        Vote(tuple(parsed(vote["label"])), vote["annotator"])
        if vote["label"] is not None
        else Vote(None, vote["annotator"], report=vote["report"])
        for vote in _each_once(votes)
        if vote["label"] is not None or vote["report"] == "unable_to_decide"
    ]
    return Row(one.id, dict(one.fields), one.label[:1], one.source, None, meta, found)


def _similarity(one: Example, votes: Sequence[Mapping[str, Any]]) -> Row:
    found = [
        Vote(parsed(vote["label"]), vote["annotator"])
        for vote in _each_once(votes)
        if vote["label"] is not None
    ]
    name = "-".join(part for part in (one.source, one.sampler) if part)
    if one.sampler and one.sampler.startswith(f"{one.source}-"):
        name = one.sampler
    return Row(one.id, dict(one.fields), one.label, one.source, None, {"source": name}, found)


def _inference(one: Example, votes: Sequence[Mapping[str, Any]]) -> Row:
    """Return a pair with its author's label and up to four others, in the order of their names."""
    given = [vote for vote in votes if vote["label"] is not None]
    author = [vote for vote in given if vote["seat"] == SEATS[0]]
    others = [vote for vote in given if vote["seat"] != SEATS[0]]
    seats = chain(((SEATS[0], vote) for vote in author[:1]), zip(SEATS[1:], others, strict=False))
    found = [Vote(parsed(vote["label"]), seat=seat) for seat, vote in seats]
    fields = {key: one.fields[key] for key in ("premise", "hypothesis")}
    return Row(one.id, fields, one.label, one.source, None, {"source": one.source}, found)


def _tree(one: Example, _votes: Sequence[Mapping[str, Any]]) -> Row:
    tree = {key: one.label[key] for key in ("heads", "deprels")}
    meta = {key: one.label[key] for key in ("lemmas", "pos")}
    return Row(one.id, dict(one.fields), tree, one.source, None, meta)


def _reading(one: Example, _votes: Sequence[Mapping[str, Any]]) -> Row:
    meta = {"source": one.source, **one.meta}
    return Row(one.id, dict(one.fields), one.label, one.source, None, meta)


def _passage(row: Row) -> tuple[Any, ...]:
    return row.fields["title"], row.fields["context"]


def _each_once(votes: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return one vote a person: the official forms have no place for a second one."""
    found: dict[str, Mapping[str, Any]] = {}
    for vote in votes:
        if vote["annotator"] not in found or found[vote["annotator"]]["label"] is None:
            found[vote["annotator"]] = vote
    return list(found.values())


_ROWS: Final[Mapping[str, Callable[[Example, Sequence[Mapping[str, Any]]], Row]]] = {
    "tc": _topic,
    "sts": _similarity,
    "nli": _inference,
    "dp": _tree,
    "mrc": _reading,
}
