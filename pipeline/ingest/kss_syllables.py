"""What kss says of one syllable, asked once where the answer cannot change.

kss walks a linked list of syllables and asks each, through dozens of cached methods, whether a
sentence may end here. Most answers depend on the character and its tag alone. Which ones do is
found out by asking kss about a probe that raises as soon as a neighbour is read, so that no rule
of kss is restated here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_
from types import SimpleNamespace
from typing import Any, NamedTuple

from pipeline.ingest.kss_parts import load_parts

KSS = load_parts()
_NOWHERE = KSS.Empty()
_CORRECTOR = KSS.SentencePreprocessor()
_UNCACHED = {
    name: method.__wrapped__
    for name, method in vars(KSS.SentenceSplitter).items()
    if hasattr(method, "cache_info")
}
_REFUSED_STARTS = frozenset(words[0] for words in KSS.SentenceSplitter.unavailable_next)
_KssSyllable: Any = KSS.Syllable


class Syllable(_KssSyllable):  # type: ignore[misc]
    """One code point of kss's linked list, with plain slots.

    `start` and `end` keep kss's verdicts on this place of this text; None means not asked yet.
    """

    __slots__ = ("next", "pos", "prev", "text", "traits")
    __eq__ = object.__eq__
    __hash__ = object.__hash__
    idx = 0
    start: bool | None = None
    end: tuple[bool, bool] | None = None

    def __init__(self, traits: Traits, prev: Any = _NOWHERE) -> None:
        """Stand behind `prev`."""
        self.traits = traits
        self.text = traits.text
        self.pos = traits.pos
        self.prev = prev
        self.next = _NOWHERE

    def refresh(self) -> None:
        """Take over a tag that kss has set."""
        if self.pos != self.traits.pos:
            self.traits = traits_of(self.text, self.pos)

    def check_pos(self, *poses: str, exclude: Any = None) -> bool:
        """Answer as kss does, from a memo."""
        return _has_tag(self.pos, poses, exclude)

    def next_skip(self, *poses: str, exclude: Any = None) -> Any:
        """Return the first syllable after this one without such a tag."""
        node = self.next
        while _has_tag(node.pos, poses, exclude):
            node = node.next
        return node

    def prev_skip(self, *poses: str, exclude: Any = None) -> Any:
        """Return the last syllable before this one without such a tag."""
        node = self.prev
        while _has_tag(node.pos, poses, exclude):
            node = node.prev
        return node


@lru_cache(maxsize=1 << 14)
def _has_tag(pos: str, poses: tuple[str, ...], exclude: Any) -> bool:
    return bool(KSS.Syllable.check_pos(SimpleNamespace(pos=pos), *poses, exclude=exclude))


class Splitter(type("UncachedSplitter", (KSS.SentenceSplitter,), _UNCACHED)):  # type: ignore[misc]
    """kss's rules for one syllable, without its caches and with two cheap refusals in front."""

    def __init__(self, syllable: Any) -> None:
        """Ask about `syllable` and what its links lead to."""
        self.syllable = syllable

    def check_split_start(self) -> bool:
        """Ask only the rules that do not refuse this character and tag out of hand."""
        return any(rule(self) for rule in self.syllable.traits.rules)

    def _check_next_is_unavailable_split(self) -> bool:
        following = self.syllable.next_skip(*self._all_s_poses, exclude=self._all_s_exclude)
        if following.text not in _REFUSED_STARTS:
            return False
        return bool(super()._check_next_is_unavailable_split())

    def _check_multiple_prev_texts_from_before(self, *texts: str) -> bool:
        likely = _by_last_character(texts).get(self.syllable.prev.text, ())
        return bool(super()._check_multiple_prev_texts_from_before(*likely))


@lru_cache(maxsize=4)
def _by_last_character(texts: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return {last: tuple(t for t in texts if t[-1] == last) for last in {t[-1] for t in texts}}


class Traits(NamedTuple):
    """What kss says of a character with a tag before any neighbour is looked at.

    `rules` are kss's rules for "a sentence may end here" that need the neighbours. `end` is kss's
    answer to "it ended before this" and "even inside a quote", None where the neighbours decide.
    `calm` syllables change nothing while no sentence is about to end. `flags` tell what steps of
    kss have work to do: RETAG, EMOJI, CLOSER.
    """

    text: str
    pos: str
    rules: tuple[Any, ...]
    end: tuple[bool, bool] | None
    now: bool
    toggles: bool
    quote: bool
    calm: bool
    flags: int


RETAG, EMOJI, CLOSER = 1, 2, 4


class _NeighbourReadError(Exception):
    """The answer depends on the context."""


class _Probe(_KssSyllable):  # type: ignore[misc]
    """A syllable that refuses to tell what stands beside it."""

    @property
    def next(self) -> Any:
        raise _NeighbourReadError

    prev = next


class _Alone(Splitter):
    """kss's rules about a probe; `open_rules` are those that wanted to see the neighbours."""

    def __init__(self, probe: Any) -> None:
        self.syllable = probe
        self.open_rules = tuple(rule for rule in _RULES if _ask(rule, self) is not False)

    def check_split_start(self) -> bool:
        if self.open_rules:
            raise _NeighbourReadError
        return False


_RULES = tuple(
    getattr(Splitter, name) for name in KSS.SentenceSplitter.check_split_start.__code__.co_names
)


def _ask(question: Any, *given: Any) -> Any:
    """Return the answer, or None if it depends on the context."""
    try:
        return question(*given)
    except _NeighbourReadError:
        return None


@lru_cache(maxsize=1 << 16)
def traits_of(text: str, pos: str) -> Traits:
    """Ask kss about the character `text` tagged `pos`, alone."""
    probe = _Probe(text, pos, 1)
    alone = _Alone(probe)
    now = alone.check_split_right_now()
    toggles, quote = _quoting(text)
    retag = _ask(_CORRECTOR._correct_wrong_tags, [_Probe(text, pos, 1)]) is None
    emoji, closer = probe.check_pos("EMOJI"), probe.check_pos("SSC", "QTC")
    return Traits(
        text=text,
        pos=pos,
        rules=alone.open_rules,
        end=_ask(alone.check_split_end),
        now=now,
        toggles=toggles,
        quote=quote,
        calm=not alone.open_rules and not now and not toggles,
        flags=retag * RETAG | emoji * EMOJI | closer * CLOSER,
    )


@lru_cache(maxsize=1 << 14)
def _quoting(text: str) -> tuple[bool, bool]:
    """Ask kss whether `text` opens or closes a quote, and whether it is a quote of any kind."""
    probe = _Probe(text, "", 1)
    toggled, named = KSS.EmbracingProcessor(), KSS.EmbracingProcessor()
    toggled.process(1, 1, probe)
    named.update_index(1, 1, probe)
    return not toggled.empty(), bool(named.single_idx or named.double_idx)


class Token(NamedTuple):
    """A mecab token cut into syllables: their traits, and the union of their flags."""

    traits: tuple[Traits, ...]
    flags: int


@lru_cache(maxsize=1 << 15)
def token_of(surface: str, tag: str) -> Token:
    """Cut a mecab token into syllables, each with the tag that kss's own table gives it."""
    traits = tuple(_corrected(character, tag) for character in surface)
    return Token(traits, reduce(or_, (t.flags for t in traits), 0))


@lru_cache(maxsize=1 << 16)
def _corrected(character: str, tag: str) -> Traits:
    table = _CORRECTOR._correction.items()
    better = (better for applies, better in table if applies(character, tag))
    return traits_of(character, next(better, tag))


class Chain:
    """The syllables of one text, linked, in kss's order; and which of its steps have work to do."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        """Link the tokens' syllables behind the space that kss puts before every text."""
        last = Syllable(_SPACE)
        self.syllables: list[Any] = [last]
        self.flags = 0
        for token in tokens:
            self.flags |= token.flags
            for traits in token.traits:
                syllable = Syllable(traits, last)
                last.next = syllable
                self.syllables.append(syllable)
                last = syllable
        if self.flags & RETAG:
            _CORRECTOR._correct_wrong_tags(self._retaggable())
        if self.flags & EMOJI:
            self._space_out_emoji()

    def _retaggable(self) -> Iterator[Syllable]:
        """Yield what kss may retag, with the tags that it gave to earlier ones taken over."""
        for syllable in self.syllables:
            syllable.refresh()
            if syllable.traits.flags & RETAG:
                yield syllable
                syllable.refresh()

    def _space_out_emoji(self) -> None:
        """Let kss put a space, an object of its own class, before each run of emoji."""
        self.syllables = _CORRECTOR._append_space_before_emoji(self.syllables)
        for syllable in self.syllables:
            if not isinstance(syllable, Syllable):
                syllable.traits, syllable.start, syllable.end = _SPACE, None, None

    def unlink(self) -> None:
        """Cut the circular links: memory is free at once, not when garbage is collected."""
        for syllable in self.syllables:
            syllable.prev = None


_SPACE = traits_of(" ", "SP")
