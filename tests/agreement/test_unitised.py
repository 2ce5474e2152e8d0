"""Alpha of spans against Krippendorff's worked example and his definition, section by section."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.agreement.coefficients.unitised import Continuum, alpha_u
from pipeline.core.errors import InputError

Section = tuple[int, int, bool]


def _cut(
    length: int, names: Sequence[str], spans: Iterable[tuple[str, int, int, str]]
) -> Continuum:
    """Return a text from the names of its annotators and spans (annotator, start, end, label)."""
    return Continuum(
        length, tuple(tuple(span[1:] for span in spans if span[0] == name) for name in names)
    )


def _sections(length: int, spans: list[tuple[int, int]]) -> list[Section]:
    """Cut a continuum into (begin, length, is it a unit)."""
    found, at = [], 0
    for start, end in sorted(spans):
        if start > at:
            found.append((at, start - at, False))
        found.append((start, end - start, True))
        at = end
    return [*found, (at, length - at, False)] if at < length else found


def _apart(one: Section, other: Section) -> float:
    """Return the squared difference of two sections of two annotators."""
    (b, size, unit), (c, wide, also) = one, other
    if unit and also and -size < b - c < wide:
        return (b - c) ** 2 + (b + size - c - wide) ** 2
    if unit and not also and c <= b and b + size <= c + wide:
        return size**2
    if also and not unit and b <= c and c + wide <= b + size:
        return wide**2
    return 0


def _by_definition(text: Continuum) -> dict[str, tuple[float, float]]:
    """Return the observed and the expected disagreement of each category of one text."""
    length, seats = text.length, len(text.answers)
    made = {}
    for category in {name for answer in text.answers for _, _, name in answer}:
        rows = [
            _sections(length, [span[:2] for span in answer if span[2] == category])
            for answer in text.answers
        ]
        observed = sum(
            _apart(one, other)
            for i, row in enumerate(rows)
            for j, also in enumerate(rows)
            if i != j
            for one in row
            for other in also
        )
        pool = [section for row in rows for section in row]
        units = [size for _, size, unit in pool if unit]
        gaps = [size for _, size, unit in pool if not unit]
        expected = sum(
            (len(units) - 1) / 3 * (2 * u**3 - 3 * u**2 + u)
            + u**2 * sum(gap - u + 1 for gap in gaps if gap >= u)
            for u in units
        )
        ways = seats * length * (seats * length - 1) - sum(u * (u - 1) for u in units)
        made[category] = (
            observed / (seats * (seats - 1) * length**2),
            2 / length * expected / ways,
        )
    return made


@st.composite
def texts(draw: st.DrawFn) -> Continuum:
    """Draw a text that two to four annotators cut, some of them not at all."""
    length = draw(st.integers(1, 25))
    names = tuple("abcd"[: draw(st.integers(2, 4))])
    spans = []
    for who in names:
        for category in ("PS", "LC"):
            cuts = sorted(draw(st.sets(st.integers(0, length), max_size=6)))
            spans += [(who, s, e, category) for s, e in zip(cuts[::2], cuts[1::2], strict=False)]
    return _cut(length, names, spans)


@given(text=texts())
def test_alpha_of_one_text_is_its_definition(text: Continuum) -> None:
    found = alpha_u([text])
    expected = _by_definition(text)
    assert list(found.per_category) == sorted(expected)
    for category, (observed, chance) in expected.items():
        value = found.per_category[category].value
        assert value == (pytest.approx(1 - observed / chance, abs=1e-9) if chance else None)
    chance = sum(c for _, c in expected.values())
    observed = sum(o for o, _ in expected.values())
    assert found.overall.value == (
        pytest.approx(1 - observed / chance, abs=1e-9) if chance else None
    )


@given(parts=st.lists(texts(), min_size=1, max_size=4))
def test_order_of_texts_spans_and_annotators_changes_nothing(parts: list[Continuum]) -> None:
    other = [
        Continuum(part.length, tuple(answer[::-1] for answer in part.answers[::-1]))
        for part in parts[::-1]
    ]
    assert alpha_u(parts) == alpha_u(other)


def test_worked_example_of_krippendorff_2004_page_254() -> None:
    spans = (
        ("0", 75, 145, "c"), ("0", 220, 250, "c"), ("1", 70, 150, "c"), ("1", 205, 225, "c"),
        ("1", 250, 270, "c"), ("0", 30, 90, "k"), ("0", 150, 200, "k"), ("1", 30, 90, "k"),
        ("1", 150, 200, "k"),
    )  # fmt: skip
    text = _cut(300, "01", spans)
    found = alpha_u([text])
    assert found.per_category["c"].value == pytest.approx(0.7286, abs=1e-4)
    assert found.per_category["k"].value == 1
    observed, chance = _by_definition(text)["c"]
    assert (observed, chance) == (pytest.approx(0.0144, abs=1e-4), pytest.approx(0.0532, abs=1e-4))
    assert found.overall.value == pytest.approx(0.859, abs=1e-3)


def test_texts_that_end_in_spans_are_one_continuum() -> None:
    # No gap touches the border, so laying the texts end to end changes no section.
    spans = [("a", 0, 2, "x"), ("b", 0, 3, "x"), ("a", 8, 10, "x"), ("b", 7, 10, "x")]
    one = _cut(10, "ab", spans)
    joined = _cut(20, "ab", spans + [(who, s + 10, e + 10, c) for who, s, e, c in spans])
    assert alpha_u([one, one]).overall.value == pytest.approx(alpha_u([joined]).overall.value)


def _scattered(units: int, *, agree: float, seed: int) -> list[Continuum]:
    chance = np.random.default_rng(seed)
    made = []
    for _ in range(units):
        names = tuple("abcde"[: chance.integers(1, 6)])
        place = int(chance.integers(0, 291))
        spans = []
        for who in names:
            start = place if chance.random() < agree else int(chance.integers(0, 291))
            spans.append((who, start, start + 10, "x"))
        made.append(_cut(300, names, spans))
    return made


def test_spans_at_random_agree_no_better_than_chance() -> None:
    random = alpha_u(_scattered(3000, agree=0.0, seed=1)).overall.value
    often = alpha_u(_scattered(3000, agree=0.8, seed=2)).overall.value
    same = alpha_u(_scattered(300, agree=1.0, seed=3)).overall.value
    # The border of a text, which the expectation does not know, moves chance a little below 0.
    assert random == pytest.approx(0, abs=0.05)
    assert often == pytest.approx(0.8**2, abs=0.05)
    assert same == 1


def test_annotators_may_differ_and_texts_of_one_are_left_out() -> None:
    one = _cut(20, "ab", (("a", 2, 5, "x"), ("b", 2, 6, "x")))
    alone = _cut(20, "c", (("c", 2, 5, "x"), ("c", 9, 11, "y")))
    found = alpha_u([one, alone])
    assert found.overall == alpha_u([one]).overall and found.overall.n == 1
    lonely = found.per_category["y"]
    assert lonely.value is None and lonely.reason and "two annotators" in lonely.reason
    three = _cut(30, "acd", (("a", 4, 9, "x"), ("c", 4, 9, "x"), ("d", 4, 9, "x")))
    both = alpha_u([one, three]).overall
    assert both.n == 2 and both.value is not None and both.value > alpha_u([one]).overall.value


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ([], "no text has spans of two annotators"),
        ([_cut(5, "a", (("a", 0, 1, "x"),))], "no text has spans of two annotators"),
        ([_cut(5, "ab", ())], "nobody marked"),
        ([_cut(1, "ab", (("a", 0, 1, "x"), ("b", 0, 1, "x")))], "no other places"),
    ],
)
def test_no_value_is_explained(parts: list[Continuum], reason: str) -> None:
    found = alpha_u(parts)
    for one in (found.overall, *found.per_category.values()):
        assert one.value is None and one.reason and reason in one.reason


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ((("a", 3, 3, "x"),), "span 3 to 3 of x: allowed: 0 <= start < end <= 9"),
        ((("a", 3, 10, "x"),), "end <= 9"),
        ((("a", -1, 2, "x"),), "0 <= start"),
        ((("a", 3, 6, "x"), ("a", 5, 7, "x")), "span 5 to 7 of x: overlaps"),
    ],
)
def test_impossible_spans_are_errors(
    spans: tuple[tuple[str, int, int, str], ...], message: str
) -> None:
    good = _cut(9, "a", (("a", 3, 6, "x"), ("a", 5, 7, "y"), ("a", 6, 9, "x")))
    with pytest.raises(InputError, match=message) as caught:
        alpha_u([good, _cut(9, "ab", spans)])
    assert str(caught.value).startswith("text 1: ")


def test_many_spans_of_one_text_meet_as_they_should() -> None:
    # One long span of a against a hundred short ones of b: every pair meets.
    short = tuple(("b", at, at + 1, "x") for at in range(0, 200, 2))
    text = _cut(200, "ab", (("a", 0, 200, "x"), *short))
    observed, chance = _by_definition(text)["x"]
    assert alpha_u([text]).overall.value == pytest.approx(1 - observed / chance, abs=1e-9)
