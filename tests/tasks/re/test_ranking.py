"""Ranking of possible spans: what the features say, what is offered, and for which tagger."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_knowledge import Lexical

from pipeline.core.morphology import morphemes
from pipeline.sampling.tagging.crf import SHIPPED_RE, Crf, load_crf
from pipeline.tasks.re.detection import Detection
from pipeline.tasks.re.entities import Entity
from pipeline.tasks.re.ranking import LEVEL, SHARE, Ranking, describe, ranking_for

TAGGER, NAMES = ("tagger",), ("gazetteer",)
TEXT = "가람포 FC의 주장 문태율(33)이 왔다."
CLUB, CITY = Entity(0, 6, "ORG", TAGGER), Entity(0, 3, "LOC", TAGGER)
SCORES = {(0, 6): 0.7, (0, 3): 0.2}


@pytest.fixture(scope="module")
def crf_re() -> Crf:
    return load_crf(SHIPPED_RE)


def test_features_of_a_span_and_of_its_rivals() -> None:
    club, city, name = describe(
        TEXT, morphemes(TEXT), [CLUB, CITY, Entity(11, 14, "PER", NAMES)], SCORES
    )
    assert club["holds"] == 0.2 and club["lies in"] == 0
    assert city["lies in"] == 0.7 and city["holds"] == 0
    assert math.isclose(club["chance"], math.log(0.7 / 0.3))
    assert club["chance of ORG"] == club["chance"] and club["words=1"] == 1
    assert club["begins"] == 1 and name["begins"] == 0
    assert name["parenthesis"] == 1 and name["chance"] < city["chance"]
    assert club["after=JKG"] == 1 and name["before="] == 1


@pytest.mark.parametrize(
    ("entity", "marked", "is_offered"),
    [(LEVEL, 0.01, True), (LEVEL - 0.1, 0.04, False), (LEVEL - 0.1, SHARE * 0.1 + 0.01, True)],
)
def test_a_span_is_offered_when_one_chance_makes_up_for_the_other(
    entity: float, marked: float, is_offered: bool
) -> None:
    logits = [{"bias": math.log(p / (1 - p))} for p in (entity, marked)]
    ranking = Ranking("", *logits)
    assert bool(ranking.choose(TEXT, morphemes(TEXT), [CLUB], SCORES)) is is_offered


def test_names_have_a_bonus_and_forms_and_occupations_are_always_offered() -> None:
    unlikely = Ranking("", {"bias": 0.0}, {"bias": -3.0})
    kept = [
        CLUB._replace(detectors=("tagger", "gazetteer")),
        CLUB._replace(detectors=("forms",)),
        Entity(8, 10, "POH", NAMES, is_occupation=True),
    ]
    words = morphemes(TEXT)
    assert unlikely.choose(TEXT, words, [CLUB, *kept], SCORES) == kept


def test_the_ranking_holds_for_the_tagger_it_was_fitted_on(crf_re: Crf) -> None:
    assert ranking_for(crf_re) is not None
    assert ranking_for(Lexical({})) is None
    ranking = ranking_for(crf_re)
    ((entities, tagged),) = Detection(crf_re, None, True, ranking).detect([TEXT])
    assert ("문태율", "PER") in {(TEXT[e.start : e.end], e.type) for e in entities}
    assert entities == sorted(entities) and not tagged.left_out


@given(st.text(alphabet="가람포 FC의(33)《》. \n1년A,대학교\ud800", max_size=50))
def test_entities_lie_within_any_text(crf_re: Crf, text: str) -> None:
    ((entities, _),) = Detection(crf_re, None, True, ranking_for(crf_re)).detect([text])
    spans = [(entity.start, entity.end) for entity in entities]
    assert len(set(spans)) == len(spans)
    assert all(0 <= start < end <= len(text) for start, end in spans)
