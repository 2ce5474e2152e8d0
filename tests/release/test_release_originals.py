"""What a file says beside the tables: added to what they say, it gives the record of the file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.official.tables import Row, Vote
from pipeline.core.jsontext import canonical, parsed
from pipeline.release.originals import _rest, _with_rest

_VALUES = st.one_of(st.text(max_size=3), st.integers(0, 2), st.none(), st.booleans())
_OBJECTS = st.dictionaries(st.sampled_from("abcd"), _VALUES)
_VOTES = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(["03", "11", "17"])).map(lambda pair: Vote(*pair)),
    max_size=3,
    unique_by=lambda vote: vote.annotator,
)
_RECORDS = st.builds(
    Row,
    st.just("guid"),
    fields=_OBJECTS,
    gold=st.one_of(_OBJECTS, _VALUES),
    meta=_OBJECTS,
    votes=_VOTES,
)


@given(_RECORDS, _RECORDS)
def test_the_rest_makes_any_record_of_any_other(row: Row, record: Row) -> None:
    assert _with_rest(record, parsed(canonical(_rest(row, record)))) == row


@given(_RECORDS)
def test_nothing_is_kept_of_what_the_tables_say(row: Row) -> None:
    assert _rest(row, row) == {}


@given(st.permutations(["03", "11", "17"]))
def test_votes_in_another_order_are_kept_as_an_order(names: list[str]) -> None:
    record = Row("guid", {}, None, votes=[Vote(int(name), name) for name in ("03", "11", "17")])
    row = Row("guid", {}, None, votes=[Vote(int(name), name) for name in names])
    assert _rest(row, record) in ({}, {"order": names})
    assert _with_rest(record, _rest(row, record)) == row
