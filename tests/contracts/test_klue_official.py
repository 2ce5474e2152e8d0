from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.official.tables import Row, Vote, _text_of, corpus, gather, need, rows_of
from pipeline.core import schemas
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import canonical

_VALUES = st.one_of(
    st.text(st.characters(codec="utf-8")),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.none(),
)


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), _VALUES))
def test_texts_of_tables_are_canonical(value: dict[str, object]) -> None:
    assert _text_of(value) == canonical(value)
    strings = {key: str(one) for key, one in value.items()}
    assert _text_of(strings) == canonical(strings)


@pytest.mark.parametrize("value", ["\ud800", {"a": "\ud800"}, {"a": ["\ud800"]}, float("inf")])
def test_what_no_table_can_hold_is_a_fault(value: object) -> None:
    with pytest.raises(RecordError):
        _text_of(value)


def test_rows_come_out_of_the_tables_as_they_went_in() -> None:
    rows = [
        Row("b", {"text": "x"}, ["사회"], "yna", None, {"n": [1, None]}, [Vote(["사회"], "03")]),
        Row("a", {"text": "y"}, None, votes=[Vote(4, None, "validator", "validate", "label2")]),
        Row("c", {"text": "z"}, {"n": 2.5}, votes=[Vote(None, "7", report="hate")]),
    ]
    made = [Row(**{**_as_dict(row), "votes": [_hashable(v) for v in row.votes]}) for row in rows]
    found = gather("tc", "json", Path("f"), list(enumerate(made, 1)), lambda row: row)
    assert list(rows_of(found)) == rows
    schemas.check(found.votes, "votes")


def _as_dict(row: Row) -> dict[str, object]:
    return {name: getattr(row, name) for name in Row.__slots__}


def _hashable(vote: Vote) -> Vote:
    return vote._replace(label=tuple(vote.label) if isinstance(vote.label, list) else vote.label)


def test_the_first_of_two_records_of_one_guid_counts() -> None:
    rows = [(1, Row("a", {"text": "first"}, None)), (5, Row("a", {"text": "second"}, None))]
    found = gather("ner", "tsv", Path("f"), rows, lambda row: row)
    assert [row.fields["text"] for row in rows_of(found)] == ["first"]
    assert [(p.line, p.rule) for p in found.problems] == [(5, "official.twice@1")]


def test_no_record_at_all_is_an_error_with_the_first_fault() -> None:
    with pytest.raises(InputError, match=r"f: no record .* record 3: lacks the key 'guid'"):
        gather("sts", "json", Path("f"), [(3, {})], lambda one: need(one, "guid", Row))


def test_corpora_have_their_names_of_the_catalogue() -> None:
    given_ = ["NSMC", "paraKQC", "policy_briefing", "wikitree"]
    assert [corpus(name) for name in given_] == ["nsmc", "parakqc", "policy", "wikitree"]
