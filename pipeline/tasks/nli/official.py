"""The files of KLUE-NLI: pairs with five labels, of the author and four unnamed validators.

The key of the source is `genre` in the train file and `source` in the dev file; `Official.form` is
that key. Official pairs have all five labels; in files that this project writes, a label that
nobody gave is null.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.example import Example
from pipeline.contracts.official import documents
from pipeline.contracts.official.files import ReleaseFile, VoteRow
from pipeline.contracts.official.tables import (
    Official,
    Row,
    SourceTexts,
    Vote,
    corpus,
    fault,
    gather,
    more,
    need,
    rows_of,
)
from pipeline.core.jsontext import parsed

LABELS: Final = ("entailment", "contradiction", "neutral")
#: The keys of the five labels in a record.
SEATS: Final = ("author", "label2", "label3", "label4", "label5")
#: The keys that the source can have.
_FORMS: Final = ("genre", "source")
_KEYS: Final = ("guid", "premise", "hypothesis", "gold_label", *SEATS)
#: The votes by key of the file (seat) and label. All pairs share these fifteen objects.
_VOTES: Final = {
    seat: {
        label: Vote(label, None, "author" if seat == "author" else "validator", "validate", seat)
        for label in LABELS
    }
    for seat in SEATS
}
#: Only premises come from the corpus: hypotheses are written by annotators.
TEXTS: Final = SourceTexts(rb'"premise"', ("premise",))


def read(path: Path) -> Official:
    """Read KLUE-NLI train or dev; raises InputError for any other file."""
    text = documents.read_text(path)
    records = documents.load_list(text, path)
    first = records[0][1] if records else None
    key = "source" if isinstance(first, dict) and "source" in first else "genre"
    frame = documents.frame_of(text, path)
    return gather("nli", key, path, records, lambda record: _row(record, key), frame)


def write(official: Official, path: Path) -> None:
    """Write the items as KLUE-NLI, the source under the key that the form names."""
    key = official.form if official.form in _FORMS else "source"
    documents.save_json([_record(row, key) for row in rows_of(official)], path, official.frame)


def _row(record: Any, key: str) -> Row:
    name, gold = need(record, key, str), need(record, "gold_label", str)
    if gold not in LABELS:
        raise fault("label", f"'gold_label' is none of {', '.join(LABELS)}")
    return Row(
        need(record, "guid", str),
        {field: need(record, field, str) for field in ("premise", "hypothesis")},
        gold,
        corpus(name),
        None,
        {"source": name} | more(record, (*_KEYS, key)),
        [_vote(record, seat) for seat in SEATS if record.get(seat, seat) is not None],
    )


def _vote(record: dict[str, Any], seat: str) -> Vote:
    vote = _VOTES[seat].get(need(record, seat, str))
    if vote is None:
        raise fault("label", f"{seat!r} is none of {', '.join(LABELS)}")
    return vote


def _record(row: Row, key: str) -> dict[str, Any]:
    return {
        "guid": row.item,
        key: row.meta.get("source", row.source),
        "premise": row.fields["premise"],
        "hypothesis": row.fields["hypothesis"],
        "gold_label": row.gold,
        **dict.fromkeys(SEATS),
        **{str(vote.seat): vote.label for vote in row.votes},
        **row.meta.get("more", {}),
    }


def _from_example(example: Example, votes: Sequence[VoteRow]) -> Row:
    """Return a pair with its author's label and up to four others, in the order of `votes`."""
    answers = [vote for vote in votes if vote["label"] is not None]
    author = [vote for vote in answers if vote["seat"] == SEATS[0]]
    others = [vote for vote in answers if vote["seat"] != SEATS[0]]
    seats = [*zip(SEATS[:1], author, strict=False), *zip(SEATS[1:], others, strict=False)]
    labels = [Vote(parsed(vote["label"]), seat=seat) for seat, vote in seats]
    fields = {key: example.fields[key] for key in ("premise", "hypothesis")}
    meta = {"source": example.source}
    return Row(example.id, fields, example.label, example.source, None, meta, labels)


FILE: Final = ReleaseFile("klue-nli", form="source", row=_from_example, voted=True)
