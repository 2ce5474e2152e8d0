"""Gamma: published values, what must hold of every corpus, and its cost, said beforehand."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
import pytest
from rating_matrix import from_matrix

from pipeline.agreement.coefficients import gamma as module
from pipeline.agreement.coefficients.alpha import krippendorff_alpha
from pipeline.agreement.coefficients.gamma import cost, gamma
from pipeline.agreement.coefficients.unitised import Continuum
from pipeline.core.errors import MissingDependencyError

Spans = list[tuple[int, int, str]]


def needs_package(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that aligns with pygamma-agreement: loading it alone takes ten seconds."""
    reason = "pygamma-agreement is not installed"
    skipped = pytest.mark.skipif(find_spec("pygamma_agreement") is None, reason=reason)
    return pytest.mark.full(skipped(test))


@pytest.fixture(autouse=True)
def _fewer_random_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six thousand take half a minute each time, and know chance better than these tests ask."""
    monkeypatch.setattr(module, "LAST", 700)


#: The example of Alex, Paul and Suzan, which pygamma-agreement publishes with its values.
ALEX: Spans = [(2, 9, "1"), (11, 17, "2"), (24, 30, "5"), (32, 36, "6"), (36, 44, "6"),
               (44, 60, "7")]  # fmt: skip
PAUL: Spans = [(2, 9, "1"), (11, 17, "3"), (19, 25, "5"), (32, 44, "6")]
SUZAN: Spans = [(2, 9, "1"), (11, 17, "4"), (21, 27, "5"), (32, 36, "6"), (36, 40, "6"),
                (40, 44, "6")]  # fmt: skip


def text(*answers: Spans, length: int = 60) -> Continuum:
    return Continuum(length, tuple(map(tuple, answers)))


def corpus(count: int, seed: int, *, noise: float = 0.0, people: int = 3) -> list[Continuum]:
    """Return texts whose annotators start from one answer and miss, move or rename spans."""
    chance = random.Random(seed)
    texts = []
    for _ in range(count):
        gold = [(n * 12 + chance.randrange(4), chance.choice("ABC")) for n in range(4)]
        answers = []
        for _ in range(people):
            own: Spans = []
            for start, name in gold:
                if chance.random() < noise / 2:
                    continue
                begin = start + (chance.randrange(-2, 3) if chance.random() < noise else 0)
                label = chance.choice("ABC") if chance.random() < noise else name
                own.append((max(0, begin), max(0, begin) + 5, label))
            answers.append(own)
        texts.append(text(*answers, length=50))
    return texts


@needs_package
def test_the_published_example_has_its_published_gamma() -> None:
    """Its tests give 0.44 to 0.47 with positions weighed three times, and a disorder of 0.96."""
    found = gamma([text(ALEX, PAUL, SUZAN)], alpha=3)
    assert found.gamma.value is not None
    assert 0.44 <= found.gamma.value <= 0.47
    parts = module._Aligner(3.0, 1.0).parts(text(ALEX, PAUL, SUZAN))
    assert parts[0] / parts[1] == pytest.approx(0.96, rel=0.01)


@needs_package
def test_equal_answers_agree_and_nothing_else_changes_the_value() -> None:
    same = gamma(corpus(8, 1))
    assert (same.gamma.value, same.gamma_cat.value) == (1.0, 1.0)
    texts = corpus(8, 2, noise=0.3)
    value = gamma(texts, bootstrap=50)
    turned = [Continuum(t.length, t.answers[::-1]) for t in texts[::-1]]
    np.random.seed(1)  # the package draws from the global generator, this does not
    assert gamma(turned, bootstrap=50) == value
    assert value.gamma.value is not None and 0 < value.gamma.value < 1
    assert value.gamma.low is not None and value.gamma.low <= value.gamma.value
    assert gamma(texts, seed=1).gamma.value == pytest.approx(value.gamma.value, abs=0.04)


@needs_package
def test_unrelated_answers_agree_as_by_chance_and_worse_ones_less() -> None:
    """Answers to other texts, put together, are what chance is."""
    texts, chance = corpus(40, 3), random.Random(4)
    shuffled = []
    for _ in texts:
        answers = []
        for _ in range(3):
            by, source = chance.randrange(50), chance.choice(texts).answers[0]
            answers.append([((s + by) % 50, (s + by) % 50 + e - s, name) for s, e, name in source])
        shuffled.append(text(*answers, length=50))
    value = gamma(shuffled).gamma.value
    assert value is not None and abs(value) < 0.1
    ordered = [gamma(corpus(20, 5, noise=noise)).gamma.value for noise in (0.1, 0.3, 0.6)]
    assert ordered == sorted(ordered, key=lambda v: -(v or 0))


@needs_package
def test_gamma_cat_of_given_spans_is_nominal_alpha() -> None:
    """Mathet 2017: on units that everybody has, it behaves as alpha."""
    chance = random.Random(6)
    texts, matrix = [], []
    for _ in range(150):
        truth = chance.choice("ABC")
        said = [truth if chance.random() < 0.7 else chance.choice("ABC") for _ in range(3)]
        texts.append(text(*([(20, 25, one)] for one in said), length=40))
        matrix.append(["ABC".index(one) for one in said])
    found = gamma(texts).gamma_cat.value
    alpha = krippendorff_alpha(from_matrix(np.array(matrix).T.tolist()), level="nominal").value
    assert found is not None and found == pytest.approx(alpha, abs=0.05)


@needs_package
def test_spans_of_one_annotator_may_overlap_and_texts_may_be_empty() -> None:
    nested: Spans = [(0, 20, "A"), (2, 6, "B"), (4, 12, "A")]
    texts = [text(nested, nested), text([], []), text(nested, []), text(nested)]
    found = gamma(texts)
    assert found.gamma.n == 3
    assert found.gamma.value is not None and found.gamma.value < 1
    assert gamma([text(nested, nested)]).gamma.value == 1


def test_what_has_no_value_has_a_reason() -> None:
    assert gamma([text([(0, 1, "A")])]).gamma.reason == module.NO_PAIR
    assert gamma([text([], [])]).gamma.reason == module.NO_SPAN


@needs_package
def test_one_category_has_no_gamma_cat() -> None:
    found = gamma([text([(0, 4, "A"), (9, 12, "A")], [(0, 4, "A"), (9, 13, "A")])])
    assert found.gamma.value is not None
    assert found.gamma_cat.reason == module.ONE_CATEGORY


@needs_package
def test_the_package_leaves_no_trace(capfd: pytest.CaptureFixture[str]) -> None:
    before = np.random.get_state()[1].tolist(), list(logging.getLogger().handlers)
    gamma(corpus(3, 7, noise=0.2))
    assert (np.random.get_state()[1].tolist(), list(logging.getLogger().handlers)) == before
    assert capfd.readouterr() == ("", "")


def test_the_cost_grows_with_texts_and_too_many_ways_are_refused() -> None:
    few, many = cost(corpus(10, 8)), cost(corpus(1000, 8))
    assert (few.texts, many.texts) == (10, 1000)
    assert few.seconds < many.seconds
    long = text(*([(n * 2, n * 2 + 1, "A") for n in range(40)] for _ in range(5)), length=100)
    refused = cost([long]).refused
    assert "5 annotators with up to 40 spans" in refused and "allowed: 1,000,000" in refused


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", {}.get)
    with pytest.raises(MissingDependencyError, match=r"install .*\[gamma\]"):
        gamma(corpus(2, 9))
