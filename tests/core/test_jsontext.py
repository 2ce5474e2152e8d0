"""One text for one value, and no number that is none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.jsontext import canonical, parsed, repeats_a_key

VALUES: Any = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(),
    ),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=10,
)


@given(VALUES)
def test_a_text_says_what_was_written(value: Any) -> None:
    assert parsed(canonical(value)) == value
    assert canonical(parsed(canonical(value))) == canonical(value)


def test_equal_values_are_equal_texts() -> None:
    assert canonical({"나": 3.0, "가": [1, 2.5]}) == '{"가":[1,2.5],"나":3}'


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", '{"a":1,"a":1}', "{", ""])
def test_what_is_no_value_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a JSON number|twice|Expecting"):
        parsed(text)


def test_a_number_that_no_double_holds_is_read_but_never_written() -> None:
    assert parsed("[-1e400]") == [float("-inf")]
    with pytest.raises(ValueError, match="JSON"):
        canonical(parsed("1e999"))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_has_no_text_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical([value])


def _pairs(value: Any) -> Any:
    """Return what spells an object or value: objects as lists of pairs."""
    return st.lists(st.tuples(st.sampled_from(["a", "b", ":", '":', "\\"]), value), max_size=4)


SPELT: Any = st.recursive(
    st.sampled_from(['"x"', '" :"', '"\\":"', "1", "null"]),
    lambda inner: st.one_of(
        _pairs(inner).flatmap(
            lambda pairs: st.sampled_from([":", " :", "\n: "]).map(
                lambda mark: "{" + ",".join(f"{json.dumps(key)}{mark}{v}" for key, v in pairs) + "}"
            )
        ),
        st.lists(inner, max_size=3).map(lambda values: f"[{','.join(values)}]"),
    ),
    max_leaves=8,
)


@given(SPELT.map(lambda text: '{"k":' + text + "}"))
def test_a_key_given_twice_is_found_however_it_is_spelt(text: str) -> None:
    twice: list[bool] = []
    value = json.loads(
        text, object_pairs_hook=lambda pairs: twice.append(len(dict(pairs)) < len(pairs)) or pairs
    )
    assert value
    assert repeats_a_key(text.encode(), json.loads(text)) == any(twice)
