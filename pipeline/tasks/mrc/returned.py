"""Checks of returned questions: what an inspector should look at before accepting one.

A check reads an answer of the round `write` and tells what the rules of Section 3.7.1 have against
it. Faults break a rule that can be counted; hints are signs of one. No finding repeats any text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, NamedTuple

from pipeline.contracts.returned import Finding
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Fields
from pipeline.core.errors import SpecError
from pipeline.core.morphology import morphemes, readings, word_parts
from pipeline.tasks.mrc.spec import ReadingSampling, Returned
from pipeline.tasks.mrc.task import UNANSWERABLE, Reading

_BRACKETS: Final = re.compile(r"\([^()]*\)")
_SIGNS: Final = re.compile(r"[\W_]+")
#: What carries meaning: nouns, numbers, verbs, adjectives, adverbs, foreign words. Particles,
#: endings, affixes, the copula, auxiliaries and bound nouns do not.
_CONTENT: Final = frozenset(
    ["NNG", "NNP", "NR", "NP", "VV", "VA", "MAG", "MM", "SL", "SH", "SN", "XR"]
)
#: What only asks.
_ASKING: Final = frozenset(
    [
        *("무엇", "뭐", "누구", "언제", "어디", "얼마", "어느"),
        *("어떤", "어떻", "무슨", "몇", "왜", "이름"),
    ]
)
_PARTICLES: Final = frozenset(["JKS", "JKO", "JKG", "JKC", "JKB", "JKQ", "JX", "JC"])
_WORD: Final = re.compile(r"\S+")
_EDGES: Final = re.compile(r"^[\W_]+|[\W_]+$")
#: The end of a sentence, also where the blank behind it is missing.
_END: Final = re.compile(
    r"(?<=[다요죠까음임]\.)(?=[^\s\"'”’)\]])|(?<=[.?!…])[\"'”’)\]」』》〉]*\s+|\n+"
)


class Word(NamedTuple):
    """A word between blanks: its text without signs around it, and its content, base forms."""

    text: str
    content: frozenset[str]


def words_of(text: str) -> list[Word]:
    """Return the words of a text; a word that only asks (무엇인가, 이름은) has no content."""
    words: list[Word] = []
    every = morphemes(text)
    for match in _WORD.finditer(text):
        parts = (part for m in every if match.start() <= m.start < match.end() for part in m.parts)
        content = frozenset(form for form, tag in parts if tag in _CONTENT) - _ASKING
        words.append(Word(_EDGES.sub("", match.group()), content))
    return words


def ends_in_particle(text: str) -> bool:
    """Tell whether a text of several morphemes ends in a particle."""
    units = readings(text)
    return len(units) > 1 and units[-1].tag in _PARTICLES


def sentences(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of the sentences of a text; together they are all of it."""
    cuts = [0, *(match.end() for match in _END.finditer(text) if match.end()), len(text)]
    return [(a, b) for a, b in pairwise(cuts) if b > a]


def longest_run(question: list[str], passage: list[str]) -> int:
    """Return how many words of a question stand in a row in a passage just so."""
    best = 0
    while best < len(question):
        size = best + 1
        runs = {tuple(passage[i : i + size]) for i in range(len(passage) - best)}
        if not any(tuple(question[i : i + size]) in runs for i in range(len(question) - best)):
            break
        best = size
    return best


@dataclass(frozen=True)
class _Question:
    """A question with its passage; `marks` are its answers, of type 3 the fake ones."""

    text: str
    kind: int
    marks: list[dict[str, Any]]
    fields: Fields
    limits: Returned

    @property
    def context(self) -> str:
        return str(self.fields["context"])

    @cached_property
    def words(self) -> list[Word]:
        return words_of(self.text)

    @cached_property
    def content(self) -> frozenset[str]:
        return frozenset().union(*(word.content for word in self.words))

    @cached_property
    def shared_forms(self) -> set[str]:
        """The base forms that the passage holds as letters in a row."""
        return {form for form in self.content if form in self.context}

    @cached_property
    def evidence(self) -> list[str]:
        """The sentences in which an answer begins."""
        starts = [mark["start"] for mark in self.marks]
        spans = sentences(self.context)
        return [self.context[a:b] for a, b in spans if any(a <= start < b for start in starts)]

    @cached_property
    def near(self) -> str:
        return "\n".join(self.evidence)


def findings(answer: Reading, fields: Fields, limits: Returned) -> list[Finding]:
    """Return what speaks against a question and its answers, faults and hints, in a fixed order.

    `answer` is one of the round `write`, `fields` those of its item: title, context and, where it
    was assigned, question_type.
    """
    is_fake = answer["type"] == UNANSWERABLE
    marks = answer.get("plausible_answers", []) if is_fake else answer["answers"]
    question = _Question(answer["question"].strip(), answer["type"], marks, fields, limits)
    return [finding for check in _CHECKS for finding in check(question)]


def _type(question: _Question) -> Iterator[Finding]:
    asked = question.fields.get("question_type", question.kind)
    if asked != question.kind:
        yield Finding("mrc.returned.type@1", f"type {question.kind}; {asked} was assigned")


def _form(question: _Question) -> Iterator[Finding]:
    length, limits = len(question.text), question.limits
    if not limits.shortest <= length <= limits.longest:
        allowed = f"{limits.shortest} to {limits.longest}"
        yield Finding("mrc.returned.length@1", f"{length} characters; {allowed} wanted")
    if not question.text.endswith("?"):
        yield Finding("mrc.returned.ending@1", "no question mark at the end")


def _span(question: _Question) -> Iterator[Finding]:
    """Every answer stands where it says it does, and is no more than the answer."""
    if not question.marks:
        kind = "fake answer" if question.kind == UNANSWERABLE else "answer"
        yield Finding("mrc.returned.no_answer@1", f"no {kind} is marked")
    for number, mark in enumerate(question.marks, start=1):
        start, text = mark["start"], mark["text"]
        if question.context[start : start + len(text)] != text or not text.strip():
            yield Finding("mrc.returned.span@1", f"answer {number} does not stand at {start}")
        elif ends_in_particle(text):
            yield Finding(
                "mrc.returned.boundary@1", f"answer {number} ends in a particle", is_hint=True
            )


def _topic(question: _Question) -> Iterator[Finding]:
    """No answer is the title or the main topic, the noun that the passage holds most often."""
    answers = {_bare(mark["text"]) for mark in question.marks}
    title = question.fields.get("title") or ""
    if answers & {_bare(title), _bare(_BRACKETS.sub("", title))} - {""}:
        yield Finding("mrc.returned.title@1", "an answer equals the title")
    parts = word_parts(question.context)
    nouns = ("NNG", "NNP", "SL")
    counts = Counter(form for form, tag in parts if tag in nouns and len(form) > 1)
    most = max(counts.values(), default=0)
    if answers & {_bare(noun) for noun, n in counts.items() if n == most}:
        yield Finding("mrc.returned.topic@1", "an answer is the most frequent noun", is_hint=True)
    if any(answer and answer in _bare(question.text) for answer in answers):
        yield Finding("mrc.returned.told@1", "the question holds an answer", is_hint=True)


def _check_copied(question: _Question) -> Iterator[Finding]:
    passage = (_EDGES.sub("", word) for word in question.context.split())
    asked = [word.text for word in question.words if word.text]
    run = longest_run(asked, list(filter(None, passage)))
    if run >= question.limits.copied:
        yield Finding("mrc.returned.copied@1", f"{run} words in a row stand in the passage just so")


def _overlap(question: _Question) -> Iterator[Finding]:
    """Type 1: more than half of the question's words must not stand in its evidence.

    A word stands there when all its content does: a particle that was changed is no other word.
    """
    if question.kind != 1 or not question.words:
        return
    contents = [word.content for word in question.words if word.content]
    evidence = [{form for form, _ in word_parts(text)} for text in question.evidence]
    most = max((sum(content <= forms for content in contents) for forms in evidence), default=0)
    if round(most / len(question.words), 6) >= question.limits.overlap:
        yield Finding("mrc.returned.overlap@1", "half of the words or more stand in its evidence")


def _check_scattered(question: _Question) -> Iterator[Finding]:
    """Type 2: something asked about stands outside the sentence of the answer."""
    if question.kind == 2 and all(form in question.near for form in question.shared_forms):
        yield Finding(
            "mrc.returned.one_sentence@1",
            "all of it that the passage holds stands in the sentence of the answer",
            is_hint=True,
        )


def _check_related(question: _Question) -> Iterator[Finding]:
    """Type 3: the question speaks of something in the passage."""
    shared = len(question.shared_forms)
    if question.kind == UNANSWERABLE and shared < question.limits.related:
        yield Finding("mrc.returned.unrelated@1", f"{shared} words of the passage in it")


def _once(question: _Question) -> Iterator[Finding]:
    """Words that the passage holds once, beside the answer, give it away."""
    long = {form for form in question.content if len(form) > 1 and form in question.near}
    rare = sum(question.context.count(form) == 1 for form in long)
    if rare >= question.limits.once:
        yield Finding(
            "mrc.returned.once@1",
            f"{rare} words stand in the passage once, all beside the answer",
            is_hint=True,
        )


def _bare(text: str) -> str:
    return _SIGNS.sub("", text.casefold())


_CHECKS: Final = (
    _type,
    _form,
    _span,
    _topic,
    _check_copied,
    _overlap,
    _check_scattered,
    _check_related,
    _once,
)


def _check(
    answer: Reading, fields: Fields, _meta: Mapping[str, Any], spec: TaskSpec
) -> list[Finding]:
    if not isinstance(spec.sampling, ReadingSampling):
        raise SpecError(
            f"{spec.name}: has no section `sampling`, whose part `returned` holds the numbers of"
            " these checks; add it to the spec, as annotation_specs/mrc/spec.yaml has it"
        )
    return findings(answer, fields, spec.sampling.returned)


CHECK: Final = _check
