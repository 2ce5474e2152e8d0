"""One text for one value, and no number that is none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.jsontext import canonical, parsed

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
