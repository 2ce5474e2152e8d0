"""Krippendorff's alpha for units that annotators cut out of a text themselves (alpha_u)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.agreement.coefficients.estimates import Estimate, no_estimate, trim
from pipeline.agreement.coefficients.forms import Span
from pipeline.agreement.votes.ratings import Ratings, Real, Whole
from pipeline.core.files import refuse

NO_PAIR = "no text has spans of two annotators"
NO_SPAN = "nobody marked such a span in a text that has two annotators"
NO_CHOICE = "the spans fit into no other places: chance disagreement is 0"


@dataclass(frozen=True)
class Continuum:
    """One text as several annotators cut it.

    `length` counts its characters; `answers` has the spans of each annotator, none for one who
    marked nothing; a span is (start, end, category), the end exclusive, counted from 0. Spans of
    one annotator and one category must not overlap; those of two categories may.
    """

    length: int
    answers: tuple[tuple[Span, ...], ...]


class Unitised(NamedTuple):
    """Alpha_u over all categories, and of each category by name, in code point order."""

    overall: Estimate
    per_category: dict[str, Estimate]


def alpha_u(texts: Sequence[Continuum]) -> Unitised:
    """Return alpha_u of spans, overall and per category.

    The texts lie end to end. No span crosses from one text into the next, so a gap ends with its
    text; one text gives Krippendorff's own numbers. Annotators may differ from text to text: then a
    text of m annotators adds its disagreement divided by m - 1, as units of alpha do, and texts of
    one annotator are left out. `n` of an estimate is the number of texts that count; there is no
    interval. The value is null, with the reason, where no text has two annotators, where nobody
    marked a span, or where no two placements of the spans could differ.

    Raises InputError for a span outside its text, without length, or overlapping another of the
    same annotator and category.

    Source: K. Krippendorff, Content Analysis, 2nd ed., 2004, pages 251 to 256.
    """
    for number, text in enumerate(texts):
        _check(number, text)
    pairable = [text for text in texts if len(text.answers) > 1]
    names = sorted({name for text in texts for answer in text.answers for _, _, name in answer})
    if not pairable or not names:
        reason = NO_SPAN if pairable else NO_PAIR
        return Unitised(no_estimate(reason), {name: no_estimate(reason) for name in names})
    spans = _code_spans(pairable, names)
    observed = _observed_disagreement(spans, len(names)) / float(spans.seats @ spans.lengths)
    expected = np.array([_expected_disagreement(spans, code) for code in range(len(names))])
    many = np.bincount(spans.category, minlength=len(names))
    by_category = zip(names, observed, expected, many, strict=True)
    return Unitised(
        _estimate(observed.sum(), expected.sum(), many.sum(), len(pairable)),
        {name: _estimate(o, e, number, len(pairable)) for name, o, e, number in by_category},
    )


def _check(number: int, text: Continuum) -> None:
    for answer in text.answers:
        ends: dict[str, int] = {}
        for start, end, category in sorted(answer):
            where = f"text {number}: span {start} to {end} of {category}"
            is_outside = not 0 <= start < end <= text.length
            refuse(
                where,
                (is_outside, f"allowed: 0 <= start < end <= {text.length}"),
                (
                    start < ends.get(category, 0),
                    "overlaps another one of the same annotator and category; join them or leave"
                    " one out",
                ),
            )
            ends[category] = end


@dataclass(frozen=True, eq=False)
class _Spans:
    """The spans as parallel arrays, sorted by category, text and start.

    `seats` and `lengths` (texts,) are the number of annotators and the length of each text.
    """

    category: Whole
    text: Whole
    who: Whole
    start: Whole
    end: Whole
    seats: Whole
    lengths: Whole


def _code_spans(texts: Sequence[Continuum], names: Sequence[str]) -> _Spans:
    code = {name: i for i, name in enumerate(names)}
    rows = [
        (code[category], number, start, who, end)
        for number, text in enumerate(texts)
        for who, answer in enumerate(text.answers)
        for start, end, category in answer
    ]
    category, text, start, who, end = np.array(sorted(rows), np.int64).reshape(-1, 5).T
    seats, lengths = np.array([(len(text.answers), text.length) for text in texts], np.int64).T
    return _Spans(category, text, who, start, end, seats, lengths)


def _observed_disagreement(spans: _Spans, categories: int) -> Real:
    """Return, for each category, the sum over ordered pairs of annotators, by m - 1.

    Two spans that meet differ by their starts squared plus their ends squared; a span that meets
    none of another annotator's lies in a gap and differs by its length squared.
    """
    left, right = _meeting(spans)
    by = 2.0 / (spans.seats[spans.text] - 1)
    apart = np.square(spans.start[left] - spans.start[right])
    apart += np.square(spans.end[left] - spans.end[right])
    meeting = np.bincount(spans.category[left], apart * by[left], categories)
    most = int(spans.seats.max())
    met = np.unique(
        np.concatenate([left * most + spans.who[right], right * most + spans.who[left]])
    )
    alone = spans.seats[spans.text] - 1 - np.bincount(met // most, minlength=len(spans.text))
    gaps = alone * np.square(spans.end - spans.start) * by
    return np.asarray(meeting + np.bincount(spans.category, gaps, categories), np.float64)


def _meeting(spans: _Spans) -> tuple[Whole, Whole]:
    """Return all pairs of spans of one category and text and two annotators that share a place.

    Spans are sorted by start, so a span meets those that follow it until one starts at its end.
    """
    pairs = [np.zeros((2, 0), np.int64)]
    left, lag = np.arange(len(spans.start)), 1
    while len(left := left[: np.searchsorted(left, len(spans.start) - lag)]):
        right = left + lag
        same = (spans.category[left] == spans.category[right]) & (
            spans.text[left] == spans.text[right]
        )
        left = left[same & (spans.start[left + lag] < spans.end[left])]
        others = left[spans.who[left] != spans.who[left + lag]]
        pairs.append(np.stack([others, others + lag]))
        lag += 1
    left, right = np.concatenate(pairs, axis=1)
    return left, right


def _expected_disagreement(spans: _Spans, category: int) -> float:
    """Return the expected disagreement of a category.

    A span is put against all spans of the category in every way in which they meet, and into every
    place of every gap that is at least as long.
    """
    in_category = spans.category == category
    lengths = (spans.end - spans.start)[in_category]
    size = lengths.astype(np.float64)
    against = (in_category.sum() - 1) / 3 * (2 * size**3 - 3 * size**2 + size)
    # in how many places of the gaps a span of each length fits
    gaps = np.bincount(_gaps(spans, in_category), minlength=int(spans.lengths.max(initial=0)) + 2)
    at_least = np.cumsum(gaps[::-1])[::-1]
    into = size**2 * np.cumsum(at_least[::-1])[::-1].astype(np.float64)[lengths]
    total = float(spans.seats @ spans.lengths)
    placements = total * (total - 1) - float((size * (size - 1)).sum())
    return 2 * float((against + into).sum()) / max(placements, 1.0)


def _gaps(spans: _Spans, chosen: npt.NDArray[np.bool_]) -> Whole:
    """Return the lengths of all sections that are no spans of a category, of all annotators."""
    most = int(spans.seats.max())
    seat = spans.text[chosen] * most + spans.who[chosen]
    order = np.lexsort((spans.start[chosen], seat))
    seat, start, end = seat[order], spans.start[chosen][order], spans.end[chosen][order]
    first = np.ones(len(seat), np.bool_)
    first[1:] = seat[1:] != seat[:-1]
    last = np.append(first[1:], True)[: len(seat)]
    before = start - np.where(first, 0, np.append(0, end[:-1])[: len(seat)])
    after = spans.lengths[seat // most][last] - end[last]
    empty = spans.seats - np.bincount(seat[first] // most, minlength=len(spans.seats))
    gaps = np.concatenate([before, after, np.repeat(spans.lengths, empty)])
    return gaps[gaps > 0]


def _estimate(observed: float, expected: float, spans: int, texts: int) -> Estimate:
    if not spans:
        return no_estimate(NO_SPAN, texts)
    if expected <= 0:
        return no_estimate(NO_CHOICE, texts)
    return Estimate(trim(1 - observed / expected), n=texts)


def continua(
    ratings: Ratings, lengths: Mapping[str, int], *, overlapping: bool = False
) -> list[Continuum]:
    """Return every item as the annotators cut it, in the order of the items.

    `ratings.values` are lists of (start, end, label); `lengths` is how many code points the text of
    each item has, where it is known (else its last span ends it). Overlapping spans of one person
    and label are joined, since unitising takes them as one, unless they may stay `overlapping`.
    """
    ends = np.searchsorted(ratings.unit, np.arange(len(ratings.units) + 1)).tolist()
    joined = [tuple(v) if overlapping else _join_overlaps(v) for v in ratings.values]
    continua = []
    for unit, (start, stop) in enumerate(pairwise(ends)):
        answers = tuple(joined[code] for code in ratings.value[start:stop].tolist())
        longest = max((end for answer in answers for _, end, _ in answer), default=1)
        length = max(lengths.get(ratings.units[unit], 0), longest)
        continua.append(Continuum(length, answers))
    return continua


def _join_overlaps(spans: Sequence[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for start, end, label in sorted(spans, key=lambda span: (span[2], *span[:2])):
        if joined and joined[-1][2] == label and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end), label)
        else:
            joined.append((start, end, label))
    return tuple(joined)
