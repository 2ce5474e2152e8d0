"""Gamma and gamma-cat: agreement on spans that may overlap, over their best alignment.

A unitary alignment holds at most one span of each annotator; its disorder is the mean dissimilarity
of its pairs, position and category together, 1 for a span beside nothing. The best alignment of a
text has the least disorder; pygamma-agreement (extra `gamma`) finds it.

Sources: Y. Mathet, A. Widlöcher, J.-P. Métivier, The Unified and Holistic Method Gamma for
Inter-Annotator Agreement Measure and Alignment, Computational Linguistics 41(3), 2015; Y. Mathet,
The Agreement Measure Gamma-Cat, Computational Linguistics 43(3), 2017; H. Titeux, R. Riad,
pygamma-agreement, JOSS 6(62), 2021.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np

from pipeline.agreement.coefficients.estimates import (
    Estimate,
    generator,
    no_estimate,
    ratio_estimates,
)
from pipeline.agreement.coefficients.forms import Span
from pipeline.agreement.coefficients.unitised import NO_PAIR, NO_SPAN, Continuum
from pipeline.agreement.votes.ratings import Real
from pipeline.core.errors import MissingDependencyError
from pipeline.core.extras import install_command

#: Unitary alignments that a text may have: (spans + 1) to the power of its annotators. More take
#: seconds a text, and gigabytes.
MOST_ALIGNMENTS: Final = 1_000_000
#: Random texts: so many first, then as many as the precision takes, up to the last number.
FIRST: Final = 400
LAST: Final = 6_000
#: The expected disorder is known to this share with 95 % confidence (Mathet et al., Section 5.3).
PRECISION: Final = 0.02
_Z: Final = 1.959964
#: Seconds of a processor: to load the package, for an alignment, and for a unitary alignment.
_LOAD, _EACH, _UNITARY = 15.0, 0.006, 4e-7
ONE_CATEGORY: Final = "aligned spans have one category only: chance disagreement is 0"


class Gamma(NamedTuple):
    """Gamma and gamma-cat, and how many random texts gave the disorder expected by chance."""

    gamma: Estimate
    gamma_cat: Estimate
    random_texts: int = 0


@dataclass(frozen=True)
class GammaCost:
    """What gamma takes: alignments to find and seconds of a processor, both at most.

    `refused` says in words why it is not tried at all.
    """

    texts: int
    alignments: int
    seconds: float
    refused: str = ""


def require_package() -> None:
    """Raise MissingDependencyError without pygamma-agreement; loads nothing."""
    if find_spec("pygamma_agreement") is None:
        raise MissingDependencyError("pygamma-agreement", install_command("gamma"))


def cost(texts: Sequence[Continuum]) -> GammaCost:
    """Return what gamma of these texts takes, by a model: the number of spans decides."""
    pairable = [text for text in texts if len(text.answers) > 1]
    own = sum(_unitary(text) for text in pairable)
    spans = max((len(answer) for text in pairable for answer in text.answers), default=0)
    people = max((len(text.answers) for text in pairable), default=0)
    most = (spans + 1) ** people
    alignments = len(pairable) + LAST if pairable else 0
    random = LAST * own / max(1, len(pairable))
    seconds = _LOAD + _EACH * alignments + _UNITARY * (own + random)
    refused = ""
    if most > MOST_ALIGNMENTS:
        refused = (
            f"{people} annotators with up to {spans} spans a text may be aligned in {most:,} ways;"
            f" allowed: {MOST_ALIGNMENTS:,} (spans + 1 to the power of the annotators): fewer"
            " annotators an item, or shorter texts"
        )
    return GammaCost(len(pairable), alignments, round(seconds, 1), refused)


def _unitary(text: Continuum) -> int:
    return math.prod(len(answer) + 1 for answer in text.answers)


def gamma(
    texts: Sequence[Continuum],
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    bootstrap: int = 0,
    seed: int = 0,
) -> Gamma:
    """Return gamma and gamma-cat of all texts together.

    Both are 1 - observed / expected disorder. The observed disorder of a corpus is that of its
    texts' best alignments, summed, over the spans of an average annotator, summed; one text gives
    the paper's own. For chance, an annotator of a random text answers as some annotator answered
    some text, turned by a random distance, as the paper turns the annotations of one text.
    Gamma-cat compares the categories of aligned spans alone, each pair weighted by how near they
    are; spans beside nothing do not count (the package counts them).

    `alpha` and `beta` weigh position and category. Spans of one annotator may overlap in any way;
    equal ones count once. With `bootstrap` the interval holds the 2.5th to the 97.5th percentile
    over resamples of the texts, chance as it is. `n` is the number of texts with two annotators.
    Neither the order of texts and annotators nor names change anything.

    Raises MissingDependencyError without pygamma-agreement.
    """
    pairable = sorted((_canonical(text) for text in texts if len(text.answers) > 1), key=repr)
    if not any(answer for text in pairable for answer in text.answers):
        reason = NO_SPAN if pairable else NO_PAIR
        nothing = no_estimate(reason, len(pairable))
        return Gamma(nothing, nothing)
    with _quiet():
        aligner = _Aligner(alpha, beta)
        observed = np.array([aligner.parts(text) for text in pairable])
        random = _random_parts(aligner, pairable, seed)
    disorder, weight, categories, confidence = random.sum(axis=0).tolist()
    by_chance = categories / confidence if confidence else 0.0
    options = {"bootstrap": bootstrap, "seed": seed}
    return Gamma(
        _estimate(observed[:, :2], disorder / weight, NO_SPAN, **options),
        _estimate(observed[:, 2:], by_chance, ONE_CATEGORY, **options),
        len(random),
    )


def _canonical(text: Continuum) -> Continuum:
    return Continuum(text.length, tuple(sorted(tuple(sorted(set(a))) for a in text.answers)))


def _random_parts(aligner: _Aligner, texts: Sequence[Continuum], seed: int) -> Real:
    """Return the parts of as many random texts as the precision takes, (random texts, 4)."""
    chance = generator(seed, "gamma")
    answers = [answer for text in texts for answer in text.answers]
    sizes = [end - start for answer in answers for start, end, _ in answer]
    draw = _RandomTexts(texts, answers, max(1, round(sum(sizes) / len(sizes) / 2)), chance)
    parts: list[tuple[float, ...]] = []
    wanted = FIRST
    while len(parts) < wanted:
        parts += [aligner.parts(draw()) for _ in range(wanted - len(parts))]
        wanted = min(LAST, _needed(np.array(parts)))
    return np.array(parts)


def _needed(parts: Real) -> int:
    """Return how many random texts bring the expected disorder to its precision."""
    disorder, weight = parts[:, 0], parts[:, 1]
    if not weight.sum():
        return len(parts) * 2
    ratio = disorder.sum() / weight.sum()
    error = float(np.std(disorder - ratio * weight) / weight.mean())
    return math.ceil((_Z * error / (PRECISION * ratio)) ** 2) if ratio else len(parts)


@dataclass(frozen=True)
class _RandomTexts:
    """Draws texts as annotators answer by chance: answers to any text, turned apart.

    No two are turned by distances nearer than `apart`, half a span, if the text is long enough.
    """

    texts: Sequence[Continuum]
    answers: Sequence[tuple[Span, ...]]
    apart: int
    chance: np.random.Generator

    def __call__(self) -> Continuum:
        text = self.texts[int(self.chance.integers(len(self.texts)))]
        drawn = self.chance.integers(len(self.answers), size=len(text.answers))
        by = self._distances(text.length, len(text.answers))
        turned = (
            _turn(self.answers[n], distance, text.length)
            for n, distance in zip(drawn, by, strict=True)
        )
        return Continuum(text.length, tuple(turned))

    def _distances(self, length: int, count: int) -> list[int]:
        distances: list[int] = []
        places = np.arange(length)
        for _ in range(count):
            near = np.abs(places[:, None] - np.array(distances, np.int64)) < self.apart
            free = places[~near.any(axis=1)]
            distances.append(int(self.chance.choice(free if len(free) else places)))
        return distances


def _turn(spans: Sequence[Span], by: int, length: int) -> tuple[Span, ...]:
    """Move spans by a distance; one that would begin behind the text begins at its front."""
    moved = (((start + by) % length, min(end - start, length), name) for start, end, name in spans)
    return tuple((start, start + size, name) for start, size, name in moved)


def _estimate(parts: Real, expected: float, nothing: str, *, bootstrap: int, seed: int) -> Estimate:
    """Return 1 - observed / expected; `parts` are (texts, 2): disorder and what it is out of."""
    if not expected or not parts[:, 1].sum():
        return no_estimate(nothing, len(parts))
    total = parts[:, 1:] * expected
    [estimate] = ratio_estimates(
        total - parts[:, :1],
        total,
        np.ones(len(parts), np.int64),
        [len(parts)],
        nothing,
        bootstrap=bootstrap if len(parts) > 1 else 0,
        seed=seed,
        purpose="gamma",
    )
    return estimate


class _Aligner:
    """The package's dissimilarity of these weights, and what texts add up to under it."""

    def __init__(self, alpha: float, beta: float) -> None:
        require_package()
        import pygamma_agreement
        from pyannote.core import Segment

        self._continuum, self._segment = pygamma_agreement.Continuum, Segment
        self._dissimilarity = pygamma_agreement.CombinedCategoricalDissimilarity(
            alpha=alpha, beta=beta, delta_empty=1.0
        )

    def parts(self, text: Continuum) -> tuple[float, float, float, float]:
        """Return disorder, spans of an average annotator, and the same of categories.

        The last two are the dissimilarity of the categories of aligned spans and its weights.
        """
        spans = sum(map(len, text.answers))
        if not spans:
            return 0.0, 0.0, 0.0, 0.0
        continuum = self._continuum()
        for number, answer in enumerate(text.answers):
            who = f"{number:04}"
            continuum.add_annotator(who)
            for start, end, name in answer:
                continuum.add(who, self._segment(start, end), name)
        alignment = continuum.get_best_alignment(self._dissimilarity)
        each = [unitary.disorder for unitary in alignment.unitary_alignments]
        # random texts may repeat a span: the package keeps one
        return (
            float(sum(each)),
            float(continuum.avg_num_annotations_per_annotator),
            *self._cat(alignment.unitary_alignments),
        )

    def _cat(self, alignments: Sequence[Any]) -> tuple[float, float]:
        """Return the disorder of categories and its weight (Mathet 2017, Section 4.2.5)."""
        disorder = total = 0.0
        for alignment in alignments:
            units = [unit for _, unit in alignment.n_tuple if unit is not None]
            for left, right in combinations(units, 2):
                apart = self._dissimilarity.positional_dissim.d(left, right)
                near = max(0.0, 1 - self._dissimilarity.alpha * apart)
                weight = near / (len(units) - 1)
                disorder += weight * (left.annotation != right.annotation)
                total += weight
        return disorder, total


@contextmanager
def _quiet() -> Iterator[None]:
    """Hold back the package's note on its solver, which it sends to the root logger each time."""
    root, handler = logging.getLogger(), logging.NullHandler()

    def others(record: logging.LogRecord) -> bool:
        return not record.getMessage().startswith("CBC solver not installed")

    root.addHandler(handler)  # else the first note would set up a handler that stays
    root.addFilter(others)
    try:
        yield
    finally:
        root.removeFilter(others)
        root.removeHandler(handler)
