"""Which of all possible spans of a sentence are offered as entities.

The tagger, forms and names of a knowledge base give more spans than are wanted, and those of them
that overlap are rivals. Two logistic regressions over the same features judge a span: how likely it
is an entity (learnt from KLUE-NER, where all are marked) and how likely annotators of KLUE-RE mark
it, who mark two of a sentence. A span is offered when the second chance makes up for what the first
lacks: of all ways to choose, this finds the most marked spans at a given mean of the first.

The weights hold for the scores of one tagger, `crf-re`; `tools/fit_ranking.py` makes them.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from pipeline.core.jsontext import parsed
from pipeline.core.morphology import Morpheme
from pipeline.core.resources import DATA
from pipeline.sampling.tagging.registry import Tagger
from pipeline.tasks.re.entities import Entity

#: The weights that come with the project.
RANKING: Final = DATA / "models" / "re-ranking" / "weights.json"
#: A span is offered when P(marked) + SHARE * (P(entity) - LEVEL) is not negative. Chosen on the
#: tuning half of KLUE-RE, so that as many spans are right as when the longest were offered.
SHARE: Final = 0.5
LEVEL: Final = 0.7
#: Added to both logits of a name of the knowledge base; chosen on the tuning half, not fitted, so
#: that no base shapes the weights.
NAME_BONUS: Final = 1.0
#: Scores beyond these say no more than these.
_LEAST, _MOST = 0.01, 0.99

Span = tuple[int, int]


@dataclass(frozen=True)
class Ranking:
    """Weights of features for P(entity) and for P(marked).

    `tagger` is the digest of the tagger whose scores they hold for.
    """

    tagger: str
    entity: Mapping[str, float]
    marked: Mapping[str, float]

    def choose(
        self,
        text: str,
        words: Sequence[Morpheme],
        entities: Sequence[Entity],
        scores: Mapping[Span, float],
    ) -> list[Entity]:
        """Return the entities that are offered, in the order given.

        `words` are the morphemes of the text; `scores` those of the tagger, 0 for other spans.
        Forms and occupations are not judged: KLUE-NER marks neither titles nor occupations.
        """
        rows = describe(text, words, entities, scores)
        return [
            entity
            for entity, row in zip(entities, rows, strict=True)
            if not is_judged(entity) or self._is_offered(entity, row)
        ]

    def _is_offered(self, entity: Entity, row: Mapping[str, float]) -> bool:
        bonus = NAME_BONUS if "gazetteer" in entity.detectors else 0.0
        marked, chance = _chance(self.marked, row, bonus), _chance(self.entity, row, bonus)
        return marked + SHARE * (chance - LEVEL) >= 0


def is_judged(entity: Entity) -> bool:
    """Tell whether an entity is offered by its chances; forms and occupations always are."""
    return "forms" not in entity.detectors and not entity.is_occupation


def _chance(weights: Mapping[str, float], row: Mapping[str, float], bonus: float) -> float:
    logit = bonus + sum(value * weights.get(name, 0.0) for name, value in row.items())
    return 1 / (1 + math.exp(-logit))


def ranking_for(tagger: Tagger) -> Ranking | None:
    """Return the ranking that comes with the project if it was fitted on the scores of a tagger."""
    ranking = _load()
    return ranking if ranking.tagger == tagger.digest else None


@cache
def _load() -> Ranking:
    facts = parsed(RANKING.read_text("utf-8"))
    return Ranking(facts["tagger"], facts["entity"], facts["marked"])


def describe(
    text: str,
    words: Sequence[Morpheme],
    entities: Sequence[Entity],
    scores: Mapping[Span, float],
) -> Iterator[dict[str, float]]:
    """Yield the features of each entity, by name; those that are not named are 0."""
    for entity in entities:
        start, end, kind = entity[:3]
        chance = _logit(scores.get((start, end), 0.0))
        yield {
            "bias": 1.0,
            "chance": chance,
            f"type={kind}": 1.0,
            f"chance of {kind}": chance,
            "begins": float(start == 0),
            "place": start / len(text),
            "parenthesis": float(text[end : end + 1] == "("),
            f"characters={min(end - start, 4)}": 1.0,
            "long": max(0, end - start - 10) / 10,
            f"words={min(text.count(' ', start, end), 3)}": 1.0,
            **_tags(words, start, end),
            **_rivals(entity, scores),
        }


def _logit(score: float) -> float:
    score = min(max(score, _LEAST), _MOST)
    return math.log(score / (1 - score))


def _tags(words: Sequence[Morpheme], start: int, end: int) -> dict[str, float]:
    """Return the tags at the ends of a span and of what is written together with it."""
    first = bisect_left(words, start + 1, key=lambda word: word.end)
    last = bisect_left(words, end, key=lambda word: word.start) - 1
    head, tail = words[first], words[last]
    before = words[first - 1] if first else None
    after = words[last + 1] if last + 1 < len(words) else None
    left = before.tag.split("+")[0] if before and before.end == head.start else ""
    right = after.tag.split("+")[0] if after and after.start == tail.end else ""
    return {
        f"first={head.tag.split('+')[0]}": 1.0,
        f"last={tail.tag.split('+')[-1]}": 1.0,
        f"before={left}": 1.0,
        f"after={right}": 1.0,
        f"class={head.meaning}": 1.0,
        f"class of last={tail.meaning}": 1.0,
        "half a morpheme": float(tail.end != end),
    }


def _rivals(entity: Entity, scores: Mapping[Span, float]) -> dict[str, float]:
    """Return the best scores of spans that the entity lies in, holds, or crosses."""
    best = {"lies in": 0.0, "holds": 0.0, "crosses": 0.0}
    start, end = entity.start, entity.end
    for (left, right), score in scores.items():
        if (left, right) == (start, end) or right <= start or end <= left:
            continue
        lies, holds = left <= start and end <= right, start <= left and right <= end
        name = "lies in" if lies else "holds" if holds else "crosses"
        best[name] = max(best[name], score)
    return best
