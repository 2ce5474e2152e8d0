"""kss's verdicts about places of texts, remembered by what its rules read there.

kss's rules are functions of what they read: a tag, a character, or whether a character is one of a
few, at some distance from the place in question. What is read next follows from what was read so
far. So the readings of all verdicts form a tree for each character and tag: a node says where to
read what, each branch is an answer, and a leaf is the verdict that kss gave when it read just
this. A place whose readings lead to a leaf needs no call of kss; else kss is asked about witnesses,
which note what it reads, and a path is added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, Self

from pipeline.corpus.kss.syllables import KSS, Splitter, Traits, tags

#: How far from the place a remembered verdict may look; places without a text lie around a text.
REACH: Final = 24
#: Nodes of a memory; one that is full starts again from nothing.
NODES: Final = 1 << 16
#: What stands outside a text, as in kss: neither a tag nor a character.
OUTSIDE: Final = Traits("", "", (), None, now=False, toggles=False, quote=False, calm=True, flags=0)
MARGIN: Final = (OUTSIDE,) * REACH

_KssSyllable: Any = KSS.Syllable
_Answer = Any
_Question = Callable[[Traits], _Answer]


def _character(there: Traits) -> str:
    return there.text


def _tag(there: Traits) -> str:
    return there.pos


def _is_numeric(there: Traits) -> bool:
    return there.text.isnumeric()


def _is_outside(there: Traits) -> bool:
    return not there.pos


@lru_cache(maxsize=1 << 10)
def _has_tag(poses: tuple[str, ...], exclude: Any) -> _Question:
    answers = tags(poses, exclude)
    return lambda there: answers[there.pos]


@lru_cache(maxsize=1 << 10)
def _is_one_of(texts: tuple[str, ...]) -> _Question:
    members = frozenset(texts)
    return lambda there: there.text in members


class _Node:
    """Ask this `offset` places away, and go on with the branch of the answer.

    Nine nodes of ten have one branch, which is held without a dictionary.
    """

    __slots__ = ("answer", "offset", "others", "question", "then")

    def __init__(self, offset: int, question: _Question) -> None:
        self.offset, self.question = offset, question
        self.answer: _Answer = _NO_ANSWER
        self.then: Any = None
        self.others = _NO_BRANCH

    def get(self, answer: _Answer) -> Any:
        return self.then if answer == self.answer else self.others.get(answer)

    def __setitem__(self, answer: _Answer, then: Any) -> None:
        if self.answer in (_NO_ANSWER, answer):
            self.answer, self.then = answer, then
        else:
            self.others = {**self.others, answer: then}


_NO_ANSWER: Final = object()
_NO_BRANCH: Final[dict[_Answer, Any]] = {}


class Verdicts:
    """The verdicts of one question to kss, asked about any place of any text."""

    def __init__(self, question: Callable[[Any], Any]) -> None:
        """Remember the answers to `question`, which takes a kss splitter."""
        self.question = question
        self.roots: dict[Traits, Any] = {}
        self.size = 0

    def __call__(self, traits: Sequence[Traits], at: int) -> Any:
        """Return the verdict about place `at` of a text, given with a margin at both ends."""
        node = self.roots.get(traits[at])
        while type(node) is _Node:
            answer = node.question(traits[at + node.offset])
            node = node.then if answer == node.answer else node.others.get(answer)
        return self._ask(traits, at) if node is None else node

    def _ask(self, traits: Sequence[Traits], at: int) -> Any:
        readings = _Readings(traits, at)
        verdict = self.question(Splitter(_Witness(readings, 0)))
        if readings.far:
            return verdict
        if self.size + len(readings.noted) > NODES:
            self.roots, self.size = {}, 0
        branches: Any = self.roots
        key: Any = traits[at]
        for (offset, question), answer in readings.noted.items():
            node = branches.get(key)
            if node is None:
                node = branches[key] = _Node(offset, question)
                self.size += 1
            branches, key = node, answer
        branches[key] = verdict
        return verdict


class _Readings:
    """What is read around one place of a text, in the order of reading, each once."""

    def __init__(self, traits: Sequence[Traits], at: int) -> None:
        self.traits, self.at = traits, at
        self.noted: dict[tuple[int, _Question], _Answer] = {}
        self.far = False

    def there(self, offset: int) -> Traits:
        """Return the traits at a place; OUTSIDE beyond the margins."""
        place = self.at + offset
        self.far = self.far or abs(offset) > REACH
        return self.traits[place] if 0 <= place < len(self.traits) else OUTSIDE

    def ask(self, offset: int, question: _Question) -> _Answer:
        """Ask about a place, and note the answer unless the place itself says it."""
        answer = question(self.there(offset))
        if offset:
            self.noted[offset, question] = answer
        return answer


class _Character(str):
    """The character at a place; any use but the question for a number notes the character."""

    __slots__ = ("witness",)
    witness: _Witness

    def __new__(cls, witness: _Witness) -> Self:
        made = super().__new__(cls, witness.traits.text)
        made.witness = witness
        return made

    def __getattribute__(self, name: str) -> Any:
        if name not in {"witness", "isnumeric"}:
            self.witness.ask(_character)
        return super().__getattribute__(name)

    def isnumeric(self) -> bool:
        return bool(self.witness.ask(_is_numeric))

    def __eq__(self, other: object) -> bool:
        return bool(self.witness.ask(_character) == other)

    def __hash__(self) -> int:
        return hash(self.witness.ask(_character))

    def __contains__(self, part: str) -> bool:  # type: ignore[override]
        return part in self.witness.ask(_character)


class _Witness(_KssSyllable):  # type: ignore[misc]
    """A place of a text as a kss syllable that notes what is read of it."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __init__(self, readings: _Readings, offset: int) -> None:
        self.readings, self.offset = readings, offset

    def ask(self, question: _Question) -> _Answer:
        return self.readings.ask(self.offset, question)

    @property
    def traits(self) -> Traits:
        return self.readings.there(self.offset)

    @property
    def text(self) -> str:
        return _Character(self)

    @property
    def pos(self) -> str:
        return self.ask(_tag)  # type: ignore[no-any-return]

    @property
    def next(self) -> _Witness:
        # From outside no way leads back, so whether this is outside has to be asked.
        stays = self.offset < 0 and self.ask(_is_outside)
        return self if stays else _Witness(self.readings, self.offset + 1)

    @property
    def prev(self) -> _Witness:
        stays = self.offset > 0 and self.ask(_is_outside)
        return self if stays else _Witness(self.readings, self.offset - 1)

    def check_pos(self, *poses: str, exclude: Any = None) -> bool:
        return self.ask(_has_tag(poses, exclude))  # type: ignore[no-any-return]

    def check_text(self, *texts: str, exclude: Any = None) -> bool:
        # The empty text is in every character, and not outside.
        exact = tuple(
            text.witness.ask(_character) if isinstance(text, _Character) else text for text in texts
        )
        found = not self.ask(_is_outside) if "" in exact else self.ask(_is_one_of(exact))
        return found and (exclude is None or self.text not in exclude)

    def check_texts(self, text: str) -> bool:
        place: _Witness = self
        for character in text:
            if not place.check_text(character):
                return False
            place = place.next
        return True

    def next_skip(self, *poses: str, exclude: Any = None) -> _Witness:
        reached = self.next
        while reached.check_pos(*poses, exclude=exclude):
            reached = reached.next
        return reached

    def prev_skip(self, *poses: str, exclude: Any = None) -> _Witness:
        reached = self.prev
        while reached.check_pos(*poses, exclude=exclude):
            reached = reached.prev
        return reached
