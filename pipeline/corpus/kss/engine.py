"""Cut one text into sentences exactly as kss does, several times faster.

kss is the Korean sentence splitter of Hyunwoong Ko and Sang Park, licence BSD-3-Clause, driven here
as a library in version 6.0.6. The steps, their order and what an open quote does to a cut follow
kss's procedure for `split_sentences(text, backend="mecab")`: mask, tag, walk over the syllables,
start over around a quote left open, repair. The linguistic decisions are kss's own, taken by
calling it (see `parts`, `syllables`, `chain`): what may end a sentence and where the end is
reached, what opens a quote, what is a URL, which tag is wrong, what belongs to the sentence before.

kss spends its time on bookkeeping: an analyser per call, a cached method per question, a scan of a
thousand abbreviations per full stop. What is ours is how it is driven:

- verdicts are asked only where the neighbours matter, and once per syllable, also when an open
  quote makes kss start over;
- a step of kss is skipped when the characters that it looks for are absent from the text;
- URLs, e-mails and quotes within English words are masked per call, not in a dict that lives as
  long as the process. kss derives its masks from `hash()`, which differs in every process; ours
  depend on the masked text alone.

Importing this module loads kss's rules and mecab; import it when the first sentence is to be cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial, reduce
from hashlib import blake2b
from itertools import chain, pairwise
from operator import or_
from typing import Any

from pipeline.corpus.kss.chain import SPACE, Chain, Token, token_of
from pipeline.corpus.kss.syllables import (
    CLOSER,
    EMOJI,
    KSS,
    MOVERS,
    QUOTED,
    RETAG,
    Traits,
    may_move,
    may_retag,
)
from pipeline.corpus.kss.verdicts import MARGIN, REACH
from pipeline.corpus.kss.walk import Linked, Quotes, Remembered, beginnings

Syllables = list[Any]

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_LATIN = re.compile(r"[a-zA-Z\u0130\u0131\u017f\u212a]")  # the last four equal i, s and k to re.I
_QUOTED_LATIN = frozenset().union(*KSS.const.alphabet_with_quotes.values())  # "n't", "u’r", ...
_QUOTE = re.compile(f"[{re.escape(''.join({letters[1] for letters in _QUOTED_LATIN}))}]")
_DEEPEST = 10  # kss stops realigning quotes here
_FEATURES = 8  # fields that mecab-ko-dic gives a word


def split(text: str) -> list[str]:
    """Return the stripped sentences of `text`, as a kss that never saw another text would.

    Raises:
        TypeError: mecab cannot take the text, because it holds lone surrogates.
    """
    masks = _masks(text)
    hidden = _replace(text, masks) if masks else text
    words = list(map(_WORDS.__getitem__, _morphemes(hidden)))
    sentences = _split_by_verdicts(words, hidden)
    if sentences is None:
        sentences = _split_by_chain(_with_blanks(words, hidden), hidden)
    if hidden == text:
        return sentences
    return [_replace(sentence, masks, restore=True) for sentence in sentences]


_replace = KSS.SentencePreprocessor._replace


def _masks(text: str) -> dict[str, str]:
    """Map each URL, e-mail, emoticon and English apostrophe of `text` to digits, in kss's order."""
    keys = [key for key in _FIXED if key in text] if _ANY_FIXED.search(text) else []
    if _LATIN.search(text):
        keys += _URL.findall(text)
        keys += KSS.const.email_pattern.findall(text) if "@" in text else []
    masks = {key: _mask(key) for key in keys}
    masked = _replace(text, masks)
    around = {masked[at.start() - 1 : at.end() + 1] for at in _QUOTE.finditer(masked, 1)}
    return masks | {key: _mask(key) for key in sorted(around & _QUOTED_LATIN)}


_FIXED = tuple(sorted(KSS.const.backup_normal))
_ANY_FIXED = re.compile("|".join(map(re.escape, _FIXED)))


def _without_nested_repeat(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Turn `([class]+|...)+` into `([class]|...)+`: equal matches, not 2**n steps on "http!!"."""
    repeat_of_class = re.compile(r"(?<=\(\?:)(\[(?:[^\]\\]|\\.)*\])\+(?=\|)")
    return re.compile(repeat_of_class.sub(r"\1", pattern.pattern))


_URL = _without_nested_repeat(KSS.const.url_pattern)


def _mask(key: str) -> str:
    """Return 19 digits, the usual length of kss's masks, drawn from the key alone."""
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return str(10**18 + int.from_bytes(digest) % (9 * 10**18))


def _with_blanks(words: list[Token], text: str) -> list[Token]:
    """Put back, as kss does, the blanks of `text` that mecab leaves out."""
    tokens: list[Token] = []
    at, end = 0, len(text)
    for token in words:
        while at < end and text[at] in _BLANKS:
            tokens.append(token_of(text[at], "SP"))
            at += 1
        if at >= end:
            return tokens
        tokens.append(token)
        at += len(token.surface)
    rest = text[at:]
    blanks = len(rest) - len(rest.lstrip(_BLANKS))
    return tokens + [token_of(blank, "SP") for blank in rest[:blanks]]


_BLANKS = " \n\r\t\v"


def _morphemes(text: str) -> Sequence[str]:
    """Return mecab's words as "surface TAB features".

    That is mecab's own text form; only where control characters could break it, nodes are read.
    """
    if not _CONTROL.search(text):
        return KSS.tagger.parse(text).split("\n")[:-2]  # type: ignore[no-any-return]
    lattice = KSS.lattice(text)
    if not KSS.tagger.parse(lattice):
        raise ValueError(f"mecab cannot analyse a text of {len(text)} characters")
    return [f"{node.surface}\t{node.feature}" for _, node in lattice]


class _Words(dict[str, Token]):
    """The tokens of mecab's lines; a memory that is full starts again from nothing.

    Asked tens of times a text: an order of use, as in lru_cache, costs more than it saves.
    """

    def __missing__(self, line: str) -> Token:
        surface, _, features = line.rpartition("\t")
        tag, *others = features.split(",")
        if len(others) + 1 != _FEATURES:  # python-mecab-ko asserts the same
            raise AssertionError(f"mecab gave {len(others) + 1} features, not {_FEATURES}")
        if len(self) >= _MOST_WORDS:
            self.clear()
        token = self[line] = token_of(surface, tag)
        return token


_WORDS = _Words()
_MOST_WORDS = 1 << 15


def _split_by_verdicts(words: list[Token], text: str) -> list[str] | None:
    """Cut a text that needs kss's verdicts and nothing else of it.

    Returns None where kss has more to do: emoji, a wrong tag, a quote left open, a repair; and
    where words and plain blanks do not make up the text.
    """
    flags = reduce(or_, {word.flags for word in words}, 0)
    if flags & EMOJI:
        return None
    traits = _traits(words, text)
    if not traits or (flags & RETAG and _may_retag(traits)):
        return None
    quotes = Quotes() if flags & QUOTED else _NO_QUOTES
    begins = [REACH + 1, *beginnings(Remembered(traits), quotes), len(traits)]
    if quotes.opened:
        return None
    cuts = {begin: text[begin - REACH - 1 : end - REACH - 1] for begin, end in pairwise(begins)}
    kept = {begin: sentence for begin, sentence in cuts.items() if sentence.strip()}
    if len(kept) > 1 and (flags & CLOSER or _may_repair(text, [traits[at] for at in kept][1:])):
        return None
    stripped = [sentence.strip(KSS.const.spaces) for sentence in kept.values()]
    return [sentence for sentence in stripped if sentence]


_NO_QUOTES = Quotes()  # of a text that has none, so that nothing is ever noted


def _traits(words: list[Token], text: str) -> list[Traits]:
    """Return the traits of kss's first space and of each character of `text`, between margins.

    Returns none where words and plain blanks are not all of the text. Words are cut out of a text
    in order, so that lengths tell.
    """
    solid = list(chain.from_iterable([word.traits for word in words]))
    traits, at = [*MARGIN], 0
    for stretch in text.split(" "):
        end = at + len(stretch)
        traits.append(SPACE)
        traits += solid[at:end]
        at = end
    return [*traits, *MARGIN] if at == len(solid) else []


def _may_retag(traits: Sequence[Traits]) -> bool:
    return any(
        left.flags & RETAG and may_retag(left.text, left.pos, right.text, right.pos)
        for left, right in pairwise(traits[REACH : 1 - REACH])
    )


def _may_repair(text: str, firsts: Sequence[Traits]) -> bool:
    return any(mark in text for mark in _REPAIRED_AT.values()) or any(
        may_move(mover, first.text, first.pos) for first in firsts for mover in MOVERS
    )


def _split_by_chain(tokens: list[Token], text: str) -> list[str]:
    """Cut any text, with all that kss does."""
    chain = Chain(tokens)
    repair = _Postprocessor(text, chain.flags)
    sentences: list[str] = repair.postprocess(_cut(chain.syllables, 0), True)
    chain.unlink()
    return sentences


def _cut(syllables: Sequence[Any], depth: int) -> list[Syllables]:
    """Cut `syllables` into sentences; around a quote left open, kss calls for it again."""
    quotes = Quotes()
    begins = [0, *beginnings(Linked(syllables), quotes)]
    sentences = [list(syllables[begin:end]) for begin, end in pairwise(begins)]
    if begins[-1] < len(syllables):
        sentences.append(list(syllables[begins[-1] :]))
    if depth == _DEEPEST:
        return sentences
    again = partial(_cut, depth=depth + 1)
    return quotes.realign(syllables, sentences, again)  # type: ignore[no-any-return]


_SentencePostprocessor: Any = KSS.SentencePostprocessor


class _Postprocessor(_SentencePostprocessor):  # type: ignore[misc]
    """kss's repairs in kss's order; one that finds nothing to repair in this text is skipped."""

    def __init__(self, text: str, flags: int) -> None:
        """Remember what the (masked) text holds."""
        self.text = text
        self.flags = flags

    def _remove_first_space(self, sentences: list[Syllables]) -> list[Syllables]:
        if sentences:
            beginning = [sentences[0][:1]]  # kss would look at every syllable
            sentences[0][:1] = super()._remove_first_space(beginning)[0]
        return sentences

    def _remove_space_before_emoji(self, sentences: list[Syllables]) -> list[Syllables]:
        if self.flags & EMOJI:
            super()._remove_space_before_emoji(sentences)
        return sentences

    def _merge_broken_sub_sentence_in_quotes_or_brackets(
        self, sentences: list[Syllables]
    ) -> list[Syllables]:
        if self.flags & CLOSER and len(sentences) > 1:
            sentences = super()._merge_broken_sub_sentence_in_quotes_or_brackets(sentences)
        return self._remove_empty_sentence(sentences)  # type: ignore[no-any-return]


_HasWork = Callable[[str, list[Syllables]], bool]


_REPAIRED_AT = {
    "_move_first_footnote_in_sentence_to_previous": "[",
    "_move_non_structural_sub_sent_in_brackets_to_previous": "(",
}


def _holds(character: str) -> _HasWork:
    return lambda text, _: character in text


def _begins_for(mover: str) -> _HasWork:
    return lambda _, sentences: any(
        may_move(mover, sentence[0].text, sentence[0].pos) for sentence in sentences[1:]
    )


_HAS_WORK = {step: _holds(mark) for step, mark in _REPAIRED_AT.items()} | {
    mover: _begins_for(mover) for mover in MOVERS
}


def _gate(step: Any, has_work: _HasWork) -> Any:
    def run(self: _Postprocessor, sentences: list[Syllables]) -> Any:
        if len(sentences) > 1 and has_work(self.text, sentences):
            return step(self, sentences)
        return sentences

    return run


for _name, _test in _HAS_WORK.items():
    setattr(_Postprocessor, _name, _gate(getattr(_SentencePostprocessor, _name), _test))
