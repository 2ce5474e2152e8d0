"""What kss says of one syllable, asked once where the answer cannot change.

kss (see `engine`) walks a linked list of syllables and asks each, through dozens of cached methods,
whether a sentence may end here. Most answers depend on the character and its tag alone. Which ones
do is found out by asking kss about a probe that raises as soon as a neighbour is read. The linked
list here answers the same questions as kss's own, from memos; which characters and tags matter,
and what follows from them, is left to kss.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import repeat
from operator import call
from types import SimpleNamespace
from typing import Any, NamedTuple

from pipeline.corpus.kss.parts import load_parts

KSS = load_parts()
NOWHERE = KSS.Empty()
CORRECTOR = KSS.SentencePreprocessor()
_REPAIRER = KSS.SentencePostprocessor()
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

    def __init__(self, traits: Traits) -> None:
        """Begin without links."""
        self.traits = traits
        self.text = traits.text
        self.pos = traits.pos

    def refresh(self) -> None:
        """Take over a tag that kss has set."""
        self.traits = traits_of(self.text, self.pos)

    def check_pos(self, *poses: str, exclude: Any = None) -> bool:
        """Return whether kss finds one of `poses`, and none of `exclude`, in this tag."""
        return tags(poses, exclude)[self.pos]

    def check_text(self, *texts: str, exclude: Any = None) -> bool:
        """Return whether one of `texts`, and none of `exclude`, is in this character, or empty."""
        found = self.text in texts or "" in texts
        return found and (exclude is None or self.text not in exclude)

    def next_skip(self, *poses: str, exclude: Any = None) -> Any:
        """Return the nearest later syllable whose tag is another."""
        reached, skipped = self, tags(poses, exclude)
        while skipped[(reached := reached.next).pos]:
            pass
        return reached

    def prev_skip(self, *poses: str, exclude: Any = None) -> Any:
        """Return the nearest earlier syllable whose tag is another."""
        reached, skipped = self, tags(poses, exclude)
        while skipped[(reached := reached.prev).pos]:
            pass
        return reached


class _Tags(dict[str, bool]):
    """kss's answers to one question about tags. There are as many tags as the dictionary has."""

    def __init__(self, poses: tuple[str, ...], exclude: Any) -> None:
        self.ask = partial(KSS.Syllable.check_pos, exclude=exclude)
        self.poses = poses

    def __missing__(self, tag: str) -> bool:
        self[tag] = bool(self.ask(SimpleNamespace(pos=tag), *self.poses))
        return self[tag]


tags = lru_cache(maxsize=1 << 10)(_Tags)


class Splitter(type("UncachedSplitter", (KSS.SentenceSplitter,), _UNCACHED)):  # type: ignore[misc]
    """kss's rules for one syllable, without its caches and with two cheap refusals in front."""

    def __init__(self, syllable: Any) -> None:
        """Ask about `syllable` and what its links lead to."""
        self.syllable = syllable

    def check_split_start(self) -> bool:
        """Ask only the rules that do not refuse this character and tag out of hand."""
        return any(map(call, self.syllable.traits.rules, repeat(self)))

    def _check_next_is_unavailable_split(self) -> bool:
        follower = self.syllable.next
        while follower.check_pos(*self._all_s_poses, exclude=self._all_s_exclude):
            follower = follower.next
        if follower.check_text(*_REFUSED_STARTS):
            return bool(super()._check_next_is_unavailable_split())
        return False

    def _check_multiple_prev_texts_from_before(self, *texts: str) -> bool:
        likely, before = _by_last_character(texts), self.syllable.prev
        if before.check_text(*likely):
            texts = next(likely[last] for last in likely if before.check_text(last))
            return bool(super()._check_multiple_prev_texts_from_before(*texts))
        return False


@lru_cache(maxsize=4)
def _by_last_character(texts: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    lasts = dict.fromkeys(text[-1] for text in texts)
    return {last: tuple(t for t in texts if t[-1] == last) for last in lasts}


class Traits(NamedTuple):
    """What kss says of a character with a tag before any neighbour is looked at.

    `rules` are kss's rules for "a sentence may end here" that need the neighbours. `end` is kss's
    answer to "it ended before this" and "even inside a quote", None where the neighbours decide.
    `calm` syllables change nothing while no sentence is about to end. `flags` tell what steps of
    kss have work to do: RETAG, EMOJI, CLOSER; QUOTED is what opens, closes or counts as a quote.
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


RETAG, EMOJI, CLOSER, QUOTED = 1, 2, 4, 8


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


def _ask(question: Any, *arguments: Any) -> Any:
    """Return the answer, or None if it depends on the context."""
    try:
        return question(*arguments)
    except _NeighbourReadError:
        return None


@lru_cache(maxsize=1 << 16)
def traits_of(text: str, pos: str) -> Traits:
    """Ask kss about the character `text` tagged `pos`, alone."""
    probe = _Probe(text, pos, 1)
    alone = _Alone(probe)
    now = alone.check_split_right_now()
    toggles, quote, retaggable = _quote_marks(text)
    retag = retaggable and _ask(CORRECTOR._correct_wrong_tags, [_Probe(text, pos, 1)]) is None
    emoji = _ask(CORRECTOR._append_space_before_emoji, [probe]) is None
    closer = text in KSS.const.quotes_or_brackets_close_to_open
    return Traits(
        text=text,
        pos=pos,
        rules=alone.open_rules,
        end=_ask(alone.check_split_end),
        now=now,
        toggles=toggles,
        quote=quote,
        calm=not alone.open_rules and not now and not toggles,
        flags=retag * RETAG | emoji * EMOJI | closer * CLOSER | (toggles or quote) * QUOTED,
    )


MOVERS = (
    "_move_first_daggers_in_sentence_to_previous",
    "_move_unexpected_split_sentences_to_previous",
    "_move_symbol_sentences_only_to_previous",
)
"""Repairs of kss that look at how a sentence begins."""


@lru_cache(maxsize=1 << 15)
def may_move(mover: str, text: str, pos: str) -> bool:
    """Ask a repair about a sentence of this syllable alone; False if none that begins so moves."""
    before, probe = _Probe("가", "NNG", 0), _Probe(text, pos, 1)
    return len(_ask(getattr(_REPAIRER, mover), [[before], [probe]]) or ()) < 2


class _Leader(_Probe):
    """A probe that tells what comes next."""

    next = _KssSyllable.next


@lru_cache(maxsize=1 << 15)
def may_retag(text: str, pos: str, next_text: str, next_pos: str) -> bool:
    """Ask kss about a pair of syllables; False if it changes no tag, whatever comes after."""
    leader = _Leader(text, pos, 1)
    follower = _Probe(next_text, next_pos, 2) if next_text else KSS.Empty()
    leader.next = follower
    asked = _ask(CORRECTOR._correct_wrong_tags, [leader])
    return asked is None or (leader.pos, follower.pos) != (pos, next_pos)


class _AnyTag(str):
    """A tag that kss takes for every tag."""

    __slots__ = ()

    def __contains__(self, _: object) -> bool:
        return True


@lru_cache(maxsize=1 << 14)
def _quote_marks(text: str) -> tuple[bool, bool, bool]:
    """Ask kss whether `text` opens or closes a quote, is a quote of any kind, has wrong tags."""
    probe = _Probe(text, "", 1)
    toggled, named = KSS.EmbracingProcessor(), KSS.EmbracingProcessor()
    toggled.process(1, 1, probe)
    named.update_index(1, 1, probe)
    wrong = _ask(CORRECTOR._correct_wrong_tags, [_Probe(text, _AnyTag(), 1)]) is None
    return not toggled.empty(), bool(named.single_idx or named.double_idx), wrong
