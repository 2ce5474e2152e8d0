"""Entities of a sentence: a tagger's mentions, names of the knowledge base (gazetteer), and forms.

The gazetteer takes the longest title, from the beginning of a word. The titles stay in the
knowledge base's B-tree on disk: it is asked only for the spans of a sentence that may be names.
These are few, since a name ends with a word or before a particle.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.core.morphology import Morpheme, morphemes
from pipeline.sampling.tagging.registry import Checked, Mention, Tagger, tag_checked
from pipeline.sampling.tagging.spans import SpanTagger
from pipeline.tasks.re.entities import Entity, merge_entities, unite_equal
from pipeline.tasks.re.knowledge import Knowledge, NameInfo
from pipeline.tasks.re.knowledge.properties import LONGEST, SHORTEST
from pipeline.tasks.re.patterns import find_forms
from pipeline.tasks.re.ranking import Ranking, Span

#: The types of KLUE-NER as those of KLUE-RE; a tagger trained on KLUE-RE spans gives the latter.
#: POH is any other proper noun (a work, an event) or an occupation, NOH any other number.
TYPES: Final = {
    "PS": "PER",
    "LC": "LOC",
    "OG": "ORG",
    "DT": "DAT",
    "TI": "DAT",
    "QT": "NOH",
    **{name: name for name in ("PER", "LOC", "ORG", "DAT", "POH", "NOH")},
}
#: The most words of a name.
MOST_WORDS: Final = 6
#: The first tag of what may follow a name within its word: particles, the copula, suffixes, nouns
#: that depend on another.
_TAGS_AFTER_NAME: Final = ("J", "VCP", "XSN", "NNB")
#: Particles, for names that mecab cuts elsewhere, which is common in foreign ones.
_PARTICLE: Final = re.compile(
    r"들?(은|는|이|가|을|를|의|에|도|만|과|와|로|으로|께서|이?랑|이?나|이?며|이?란|이?라는|이?라고|이?다"
    r"|(에|에서|에게|으로|로|과|와|까지|부터|보다|처럼|로서|으로서)(는|도|의|만)?)"
)
#: The tags that make a span a name: a proper noun, or foreign letters.
_PROPER_TAGS: Final = ("NNP", "SL", "SH")
#: The tags of which an occupation or a position may consist.
_OCCUPATION_TAGS: Final = ("NNG", "XPN", "XSN", "NNB", "NNBC", "SN", "NR", "MM", "XR", "JKG")
#: The types, and the least characters, of a name that mecab splits into common words.
_SPLIT_TYPES: Final = ("PER", "ORG", "LOC")
_SPLIT_LENGTH: Final = 3
#: The first part of a span that holds no quotation mark and no opening bracket; without (주).
_PLAIN: Final = r"[^\s\"'“”‘’(\[\]「」『』《》〈〉]+"
_UNQUOTED: Final = re.compile(rf"(?:[주유사재]\))?({_PLAIN}(?: +{_PLAIN})*)")
_WORD: Final = re.compile(r"\S+")
#: A word of an address: a place by its end.
_PLACE: Final = re.compile("[가-힣]+(?:특별시|광역시|자치시|자치도|[도시군구주현])")
#: Letters and digits in a row.
_RUN: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Detection:
    """The detectors of a call: a tagger, names of a knowledge base, forms, and what ranks spans."""

    tagger: Tagger | None
    base: Knowledge | None
    has_forms: bool = False
    ranking: Ranking | None = None

    def detect(self, texts: Sequence[str]) -> Iterator[tuple[list[Entity], Checked]]:
        """Yield the entities of every text in order, and what the tagger found.

        With a ranking they are those of all possible ones that it takes, and may overlap. Without
        one they do not, but for the parts of a place (부산 사하구), which are entities too.
        """
        for text, own in zip(texts, self._tag(texts), strict=True):
            words = morphemes(text)
            entities, scores = self.possible(text, words, own.mentions)
            if self.ranking is None:
                entities = merge_entities(entities)
            else:
                entities = self.ranking.choose(text, words, unite_equal(entities), scores)
            yield sorted([*entities, *_parts_of_places(text, entities, words)]), own

    def possible(
        self, text: str, words: Sequence[Morpheme], mentions: Iterable[Mention]
    ) -> tuple[list[Entity], dict[Span, float]]:
        """Return all that the detectors find, given the tagger's mentions, and these' scores."""
        best = _best_by_span(text, mentions)
        entities = [Entity(*span, TYPES[m.label], ("tagger",)) for span, m in best.items()]
        entities += find_names(text, words, self.base) if self.base else []
        if self.has_forms:
            entities += _formed(text, entities)
        return entities, {span: m.score for span, m in best.items()}

    def _tag(self, texts: Sequence[str]) -> list[Checked]:
        if self.tagger is None:
            return [Checked(())] * len(texts)
        if self.ranking is not None and isinstance(self.tagger, SpanTagger):
            return [Checked(tuple(mentions)) for mentions in self.tagger.spans(texts)]
        return tag_checked(self.tagger, texts, labels=tuple(TYPES))


def _best_by_span(text: str, mentions: Iterable[Mention]) -> dict[Span, Mention]:
    """Return the mentions by the whole words that they cover, of several the best one."""
    return {
        span: mention
        for mention in sorted(mentions, key=lambda m: m.score)
        for span in _whole_words(text, mention.start, mention.end)
    }


def _formed(text: str, others: Sequence[Entity]) -> Iterator[Entity]:
    """Yield the entities by form.

    A name in parentheses has the type of the name before them, and is none without one; a ruler
    begins where his name does.
    """
    ends = {entity.end: entity for entity in others}
    for form in find_forms(text):
        name = ends.get(form.after)
        if form.is_ruler and name is not None:
            yield Entity(min(name.start, form.start), form.end, form.type, ("forms",))
        elif form.type:
            yield Entity(form.start, form.end, form.type, ("forms",))
        elif name is not None:
            yield Entity(form.start, form.end, name.type, ("forms",))


def _parts_of_places(
    text: str, entities: Sequence[Entity], words: Sequence[Morpheme]
) -> Iterator[Entity]:
    """Yield the words of places of several words that are places by their end or in a dictionary.

    Annotators of KLUE-RE mark now the whole, now a part.
    """
    seen = {(entity.start, entity.end) for entity in entities}
    known = {(word.start, word.end) for word in words if word.meaning == "지명"}
    for entity in entities:
        if entity.type == "LOC" and " " in text[entity.start : entity.end]:
            for match in _WORD.finditer(text, entity.start, entity.end):
                is_place = match.span() in known or _PLACE.fullmatch(match[0])
                if is_place and match.span() not in seen:
                    seen.add(match.span())
                    yield entity._replace(start=match.start(), end=match.end())


def _whole_words(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the span of a name up to a quotation mark or bracket; none for half a word.

    Of the official spans one in a hundred begins within a word, of the tagger's that do 3 of 151
    are right.
    """
    if part := _UNQUOTED.search(text, start, end):
        start, end = part.span(1)
        if not text[:start][-1:].isalnum():
            yield start, end


def find_names(text: str, words: Sequence[Morpheme], base: Knowledge) -> list[Entity]:
    """Return the names of a text in the base, from left to right, without overlap.

    At each place the longest span that is a name is taken. A span that the base has is, by the
    first rule that fits:

    1. an occupation, of type POH, if the base has it as one, and mecab reads it as common nouns, or
       the base has POH as its type;
    2. a name, if mecab finds a proper noun or foreign letters in it, or it contains a blank;
    3. a name, if mecab splits it into several words (차+은+목), it has three or more characters
       and its type in the base is PER, ORG or LOC;
    4. no name.

    The type of a name (2, 3) is that of the base, or POH where the base has none.
    """
    spans = sorted(_spans(text, words), key=lambda span: (span[0], -span[1]))
    known = base.look_up(text[start:end] for start, end in spans)
    names: list[Entity] = []
    for start, end in spans:
        info = known.get(text[start:end])
        if info is None or (names and start < names[-1].end):
            continue
        first = bisect_left(words, start + 1, key=lambda word: word.end)
        last = bisect_left(words, end, key=lambda word: word.start)
        name = _classify(info, text, (start, end), words[first:last])
        names += [name] if name else []
    return names


def _spans(text: str, words: Sequence[Morpheme]) -> Iterator[tuple[int, int]]:
    runs = [match.span() for match in _RUN.finditer(text)]
    cuts = {word.start for word in words if word.tag.startswith(_TAGS_AFTER_NAME)}
    ends = [_ends(text, run, cuts) for run in runs]
    for place, (start, _) in enumerate(runs):
        for other in range(place, len(runs)):
            if (
                runs[other][0] - start > LONGEST
                or text.count(" ", start, runs[other][0]) >= MOST_WORDS
            ):
                break
            yield from ((start, end) for end in ends[other] if SHORTEST <= end - start <= LONGEST)


def _ends(text: str, run: tuple[int, int], cuts: set[int]) -> list[int]:
    """Return where a name may end in a run of letters and digits: with it, or before a particle."""
    first, last = run
    inside = [e for e in range(first + 1, last) if e in cuts or _PARTICLE.fullmatch(text, e, last)]
    return [*inside, last, *([last + 1] if text[last : last + 1] in (")", "!", "?") else [])]


def _classify(
    info: NameInfo, text: str, span: tuple[int, int], words: Sequence[Morpheme]
) -> Entity | None:
    start, end = span
    tags = [part for word in words for part in word.tag.split("+")]
    proper = any(tag in _PROPER_TAGS for tag in tags)
    common = not proper and all(tag in _OCCUPATION_TAGS for tag in tags)
    if info.is_occupation and (common or (proper and info.type == "POH")):
        return Entity(start, end, "POH", ("gazetteer",), is_occupation=True)
    is_long = len(words) > 1 and end - start >= _SPLIT_LENGTH
    if proper or " " in text[start:end] or (is_long and info.type in _SPLIT_TYPES):
        return Entity(start, end, info.type or "POH", ("gazetteer",))
    return None
