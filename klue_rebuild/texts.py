"""Tables of texts: cleaned, searched for personal data, pseudonymised."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from klue_rebuild.arguments import checked
from klue_rebuild.cleaned import table_frames, units_and_ledger
from klue_rebuild.records import Cleaned, PersonalData, Pseudonymised
from klue_rebuild.scratch import Scratch, path_or_none, scratch, without_none
from klue_rebuild.tables import (
    Data,
    Place,
    Places,
    frame_of,
    frame_of_rows,
    is_place,
    pandas_frame,
    with_texts,
)
from pipeline.core.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

#: The columns of a piece of personal data.
_HITS: Final = ("row", "type", "start", "end", "confidence", "rule", "validated")
#: The rule of a row whose text is null.
_NULL: Final = "file.missing@1"


@checked
def clean(
    data: Data | Places,
    text: str | None = None,
    *,
    unit: str = "whole",
    personal: str | Mapping[str, str] = "drop",
    key_file: Place | None = None,
    duplicates: str = "drop",
    toxicity: str = "flag",
    language: str = "ko",
    workers: int = 1,
) -> Cleaned:
    """Clean texts by the rules of the corpus flow: `klue clean`, in memory.

    `data` is a table with a column of texts, or files, folders and globs (a path or several).
    `text` names that column; by default it is found by its usual names. Other columns need no
    certain form, and stay.

    A text is judged as a `unit`: `whole`, or `sentence` by sentence. `personal` says what becomes
    of personal data: drop (the unit), mask, pseudonymise (with `key_file`) or keep; a mapping says
    it by type. `duplicates`: drop or keep exact repeats. `toxicity`: flag (scores from 0 to 1),
    off, or drop. `language`: ko, or any.

    Returns a `Cleaned` with three frames. `rows` are the kept rows of a table, in its order and
    under its index, with all of its columns and the cleaned text; a row of which several
    sentences stay is there several times. `units` has one row for each of `rows`: `row` (place in
    the table from 0), `id`, `kind`, `ordinal`, `start` and `end` (code points of the text as
    given), `cluster` (shared by near-duplicates), and with scores `gender_bias` and `hate`.
    `ledger` has a row for each decision: `row`, `unit`, `stage`, `rule`, `action`, `reason`,
    `score`. Of files, `rows` and `ledger` are what the command writes, and `units` is `rows`
    without texts.

    `workers` above 1 starts processes, which a script allows by ``if __name__ == "__main__":``.

    Raises InputError for a missing column, an unknown option, and files that cannot be read.

    >>> import klue_rebuild
    >>> reviews = {"review": ["배송이 빨라서 좋았습니다.", "전화 주세요 010-2345-6789"]}
    >>> cleaned = klue_rebuild.clean(pd.DataFrame(reviews), "review")
    >>> cleaned.dropped
    {'pii.phone@1': 1}
    """
    from flows import clean as command

    frame = None
    with scratch() as place:
        if isinstance(data, list | tuple):
            inputs: Places = data
        elif is_place(data):
            inputs = (data,)
        else:
            frame = pandas_frame(data, "data")
            text = _text_column(frame, text)
            inputs = (place.file(frame, "data", [text]),)
        record, _ = command.clean(
            tuple(map(str, inputs)),
            place.folder / "out",
            workers=workers,
            unit=unit,
            personal=_personal(personal),
            duplicates=duplicates,
            toxicity=toxicity,
            language=language,
            form="parquet",
            **without_none(text_column=text, key_file=path_or_none(key_file)),
        )
        units, ledger = units_and_ledger(place.folder / "out", Path(record.pop("out")))
        result = {**record, "notes": place.notes, "record": record}
    if frame is None or text is None:
        rows = frame_of(units)
        return Cleaned(
            **result, rows=rows, units=rows.drop(columns="text"), ledger=frame_of(ledger)
        )
    return Cleaned(**result, **table_frames(frame, text, units, ledger))


@checked
def find_personal_data(
    data: Data,
    text: str = "text",
    *,
    source: str | None = None,
    types: Collection[str] | None = None,
    min_confidence: float | None = None,
) -> PersonalData:
    """Find personal data in the column `text`: `klue pii scan`.

    `data` is a table, or a file of texts. `source` names a column that says where a row is from,
    for counts by source. `types` are those to look for, all 16 by default (docs/personal-data.md);
    hits less sure than `min_confidence` (0 to 1, 0.5 by default) are left out.

    Returns a `PersonalData`: counts, and the frame `hits` with `row` (from 0), `type`, `start` and
    `end` (code points of the text, end exclusive), `confidence` (0 to 1), `rule`, `validated` (the
    evidence). No value of a text is in it. Null texts are counted under `left_out`.

    Raises InputError for a missing column, an unknown type, a confidence out of range.

    >>> texts = pd.DataFrame({"text": ["전화 주세요 010-2345-6789"]})
    >>> klue_rebuild.find_personal_data(texts).by_type
    {'phone': 1}
    """
    from flows.commands import pii

    with scratch() as place:
        path = place.file(data, "data", [text, *([source] if source else [])])
        hits = place.folder / "hits.jsonl"
        record, _ = pii.scan(
            paths=(path,), hits=hits, **_search(text, source, types, min_confidence)
        )
        return PersonalData(
            rows=record["rows"],
            rows_with_hits=record["rows_with_hits"],
            by_type=record["hits"],
            by_rule=record["rules"],
            by_source=_sources(record, place),
            left_out=record["quarantined"],
            hits=_hits(hits),
            notes=place.notes,
            record={**record, "sources": _sources(record, place)},
        )


@checked
def pseudonymise(
    data: Data,
    text: str = "text",
    *,
    key_file: Place | None = None,
    types: Collection[str] | None = None,
    min_confidence: float | None = None,
) -> Pseudonymised:
    """Replace personal data in the column `text` by pseudonyms: `klue pii pseudonymise`.

    The same value becomes the same pseudonym, of its own form, wherever it stands; no pseudonym is
    a value of the table. With `key_file` (16 random bytes or more) another run gives the same ones;
    else a random key is used and not kept. `types` and `min_confidence` are those of
    `find_personal_data`.

    Returns a `Pseudonymised`: `rows` is the table with all columns, its index and the texts
    changed, and `hits` says where in the given texts something was replaced. Null texts stay
    null; a text that cannot be read (longer than the limit of docs/personal-data.md) has its row
    left out, and is counted under `left_out`.

    Raises InputError for a missing column, an unknown type, or a key that is easily guessed.

    >>> klue_rebuild.pseudonymise(texts, key_file="pseudonym.key").by_type
    {'phone': 1}
    """
    from flows.commands import pii

    table = data if is_place(data) else pandas_frame(data, "data")
    with scratch() as place:
        path = place.file(table, "data", [text])
        out, hits = place.folder / f"out-{path.name}", place.folder / "hits.jsonl"
        record, _ = pii.pseudonymise(
            paths=(path,),
            out=out,
            hits=hits,
            **without_none(key_file=path_or_none(key_file)),
            **_search(text, None, types, min_confidence),
        )
        rows = _read_file(out, text) if is_place(table) else _changed_rows(table, text, out)
        return Pseudonymised(
            rows=rows,
            hits=_hits(hits),
            by_type=record["hits"],
            redacted=record["redacted"],
            left_out=record["quarantined"],
            originals=record["originals"],
            reproducible=record["reproducible"],
            key=record.get("key"),
            notes=place.notes,
            record=_without_places({**record, "sources": _sources(record, place)}),
        )


def _text_column(frame: pd.DataFrame, text: str | None) -> str:
    """Return the column of the texts of a table: the one that is named, or by its usual names."""
    from pipeline.core.io.column_names import show_names
    from pipeline.corpus.readers.heads import text_column

    columns = list(map(str, frame.columns))
    column = text or text_column([columns])
    if column is None:
        raise InputError(
            "table `data`: does not tell which column has the texts; it has:"
            f" {show_names(columns)}; give `text`, one of them"
        )
    return column


def _personal(choice: str | Mapping[str, str]) -> str:
    if isinstance(choice, str):
        return choice
    return ",".join(f"{kind}={action}" for kind, action in choice.items())


def _search(
    text: str, source: str | None, types: Collection[str] | None, minimum: float | None
) -> dict[str, Any]:
    names = None if types is None else ",".join(types)
    return without_none(text=text, source=source, types=names, minimum=minimum)


def _hits(path: Path) -> pd.DataFrame:
    with path.open(encoding="utf-8") as lines:
        return frame_of_rows(map(json.loads, lines), _HITS)


def _sources(record: Mapping[str, Any], place: Scratch) -> dict[str, Any]:
    """Return the counts by source; a table without such a column is one source."""
    return {place.in_python(name): counts for name, counts in record["sources"].items()}


def _without_places(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != "out"}


def _changed_rows(frame: pd.DataFrame, text: str, out: Path) -> pd.DataFrame:
    """Return the rows of a table with the texts of the file that was written of it."""
    import pyarrow.parquet as pq

    unread = _unread(out)
    kept = [row for row in range(len(frame)) if unread.get(row, _NULL) == _NULL]
    texts = iter(pq.read_table(out, columns=[text])[text].to_pylist())
    return with_texts(frame, kept, text, [None if row in unread else next(texts) for row in kept])


def _unread(out: Path) -> dict[int, str]:
    """Return the rule of each row that was left out of a file."""
    path = out.with_name(f"{out.name}.quarantine.jsonl")
    if not path.exists():
        return {}
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return {row["row"]: row["rule"] for row in rows}


def _read_file(out: Path, text: str) -> pd.DataFrame:
    """Return a file of any form as a frame; cells of CSV are texts."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    from pipeline.core.io import guess_source, read_batches

    source = guess_source(out, text=text)
    if source.form == "parquet":
        return frame_of(pq.read_table(out))
    if source.form == "jsonl":
        return pd.read_json(out, lines=True, dtype=False, convert_dates=False)
    if source.form == "csv":
        return pd.read_csv(out, sep=source.delimiter, dtype=str, keep_default_na=False)
    batches = read_batches(source, quarantine=lambda _: None)
    return frame_of(pa.table({text: pa.chunked_array([x.texts for x in batches], pa.string())}))
