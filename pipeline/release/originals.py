"""What official files hold beside the tables of the release that was made of them.

A release of official files has their texts, labels and votes in its own tables, once. What a file
says otherwise, or besides, stands in `official/`: `files.json` has its layout and its digest, and
`CONFIG.parquet` (ORIGINALS) a row for each of its records, in their order, with the rest of the
record. Out of the two the file is written again, byte for byte, or its first byte that cannot be
known is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.contracts.official.files import RELEASE_FILES, write_official
from pipeline.contracts.official.tables import Official, Row, Vote, of_rows, rows_of
from pipeline.core import schemas
from pipeline.core.fingerprint import of_file
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.specs import Spec
from pipeline.core.wording import verb
from pipeline.release.official import answers_by_item
from pipeline.release.privacy import public_name

#: Where in a release the files are described.
FOLDER: Final = "official"
FILES: Final = f"{FOLDER}/files.json"
#: So many lines whose blanks are unlike those of the layout are kept of a file.
_MOST_LINES: Final = 1_000
_UNLIKE: Final = "its blanks, the order of its keys or the spelling of its numbers are its own"
#: The parts of a record that rest tells key by key, and what it holds of a vote, in this order.
_PARTS: Final = ("fields", "gold", "meta")
_OF_VOTE: Final = ("label", "annotator", "seat", "report")
#: Records of a task by guid, as the tables of a release make them.
Records = Mapping[str, Row]


class Unlike(Spec):
    """The first byte of a file that cannot be written again: its offset, its line, and why."""

    offset: int
    line: int
    reason: str


class OriginalFile(Spec):
    """An official file: its form and frame as its task reads them, and its digest.

    `lines` are those, by number, whose blanks alone are unlike the frame.
    """

    file: str
    task: str
    form: str
    frame: dict[str, Any]
    lines: list[tuple[int, str]]
    sha256: str
    unlike: Unlike | None = None


class Originals(Spec):
    """The files of a release, and the names under which their votes were published."""

    annotators: list[str]
    files: list[OriginalFile]


def records_of(
    task: str, examples: Iterable[Example], votes: pa.Table, names: Mapping[str, str]
) -> Records:
    """Return the records that examples and votes (VOTES) make; `names` are published names."""
    file = RELEASE_FILES[task]
    answers = answers_by_item(votes) if file.voted else {}
    records = {example.id: file.row(example, answers.get(example.id, ())) for example in examples}
    for record in records.values():
        record.votes = [
            vote._replace(annotator=names.get(vote.annotator or "", vote.annotator))
            for vote in record.votes
        ]
    return records


def published_names(release: str, annotators: Iterable[str]) -> dict[str, str]:
    """Return the published name of each annotator by the one that votes of a release have."""
    return {public_name(release, name): name for name in annotators}


def describe(
    path: Path, file: str, official: Official, records: Records
) -> tuple[OriginalFile, pa.Table]:
    """Return what is kept of an official file that was read, and its rows (ORIGINALS).

    Records that the release lacks are left out, and so is what cannot be written again.
    """
    rows: list[dict[str, object]] = [
        {"file": file, "guid": row.item, "rest": canonical(_rest(row, records[row.item]))}
        for row in rows_of(official)
        if row.item in records
    ]
    table = schemas.build("originals", rows)
    original = OriginalFile(
        file=file,
        task=official.task,
        form=official.form,
        frame=official.frame,
        lines=[],
        sha256=of_file(path),
    )
    with TemporaryDirectory() as folder:
        again = Path(folder) / path.name
        restore(original, table, records, again)
        old, new = path.read_bytes(), again.read_bytes()
    lines = _blank_lines(old, new)
    if lines is not None:
        return original.model_copy(update={"lines": lines}), table
    faults = [row for row in official.problems if not row.rule.startswith("official.kept.")]
    lost = len(faults) + official.items.num_rows - len(rows)
    are = verb(lost, "is", "are")
    reason = f"{lost:,} of its records cannot be read, and {are} left out" if lost else _UNLIKE
    offset = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(new))
    line = old.count(b"\n", 0, offset) + 1
    unlike = Unlike(offset=offset, line=line, reason=reason)
    return original.model_copy(update={"unlike": unlike}), table


def restore(original: OriginalFile, table: pa.Table, records: Records, path: Path) -> bool:
    """Write a file again out of its rows (ORIGINALS); tell whether it has the bytes that it had."""
    rows = [
        _with_rest(records[guid], parsed(rest))
        for file, guid, rest in schemas.rows(table, "file", "guid", "rest")
        if file == original.file
    ]
    official = replace(of_rows(original.task, original.form, rows), frame=original.frame)
    write_official(official, path)
    if original.lines:
        lines = path.read_bytes().split(b"\n")
        for number, text in original.lines:
            if number <= len(lines) and lines[number - 1].split() == text.encode().split():
                lines[number - 1] = text.encode()
        path.write_bytes(b"\n".join(lines))
    return of_file(path) == original.sha256


def patch(
    table: pa.Table, columns: Mapping[str, set[str]], removed: Iterable[str], task: str
) -> pa.Table:
    """Return rows (ORIGINALS) without removed examples, and of others without outdated forms.

    `columns` are those of the release that were changed, by guid.
    """
    gone, forms = set(removed), RELEASE_FILES[task].forms
    rows: list[dict[str, object]] = []
    for file, guid, text in schemas.rows(table, "file", "guid", "rest"):
        outdated = {forms[name] for name in columns.get(guid, ()) if name in forms}
        rest = parsed(text)
        for key in outdated:
            rest.get("meta", {}).get("set", {}).pop(key, None)
        if guid not in gone:
            rows.append({"file": file, "guid": guid, "rest": canonical(rest)})
    return schemas.build("originals", rows)


def _blank_lines(old: bytes, new: bytes) -> list[tuple[int, str]] | None:
    """Return the numbered lines of `old` that differ from `new`, if they do so in blanks alone."""
    if old.count(b"\n") != new.count(b"\n"):
        return None
    pairs = enumerate(zip(old.split(b"\n"), new.split(b"\n"), strict=True), start=1)
    other = [(number, a, b) for number, (a, b) in pairs if a != b]
    if len(other) > _MOST_LINES or any(a.split() != b.split() for _, a, b in other):
        return None
    return [(number, line.decode()) for number, line, _ in other]


def _rest(row: Row, record: Row) -> dict[str, Any]:
    """Return what a record of a file has otherwise than the one that tables make."""
    rest: dict[str, Any] = {}
    for part in _PARTS:
        want, have = getattr(row, part), getattr(record, part)
        if want == have:
            continue
        if not isinstance(want, dict) or not isinstance(have, dict):
            rest[part] = {"is": want}
            continue
        other = {k: value for k, value in want.items() if k not in have or have[k] != value}
        gone = [key for key in have if key not in want]
        rest[part] = ({"set": other} if other else {}) | ({"gone": gone} if gone else {})
    want, have = list(map(_plain, row.votes)), list(map(_plain, record.votes))
    if want != have:
        names = [vote.annotator for vote in row.votes]
        ordered = len(set(names)) == len(names) and sorted(want, key=str) == sorted(have, key=str)
        rest |= {"order": names} if ordered else {"votes": want}
    return rest


def _plain(vote: Vote) -> list[Any]:
    values = [getattr(vote, name) for name in _OF_VOTE]
    return [list(value) if isinstance(value, tuple) else value for value in values]


def _vote(label: Any, *others: Any) -> Vote:
    ranked = tuple(label) if isinstance(label, list) else label
    return Vote(**dict(zip(_OF_VOTE, (ranked, *others), strict=True)))


def _with_rest(record: Row, rest: dict[str, Any]) -> Row:
    parts = {part: _part(getattr(record, part), rest.get(part, {})) for part in _PARTS}
    votes = record.votes
    if "order" in rest:
        by_name = {vote.annotator: vote for vote in votes}
        votes = [by_name[name] for name in rest["order"]]
    elif "votes" in rest:
        votes = [_vote(*values) for values in rest["votes"]]
    return replace(record, **parts, votes=votes)


def _part(have: Any, change: dict[str, Any]) -> Any:
    if "is" in change:
        return change["is"]
    if not change:
        return have
    kept = {key: value for key, value in have.items() if key not in change.get("gone", ())}
    return kept | change.get("set", {})
