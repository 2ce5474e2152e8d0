"""Cut one text into sentences exactly as kss does, several times faster.

kss spends its time on bookkeeping: an analyser per call, a cached method per question, a scan of a
thousand abbreviations per full stop. Every decision is still taken by kss's own classes (see
`kss_parts`, `kss_syllables`); what is ours is how they are driven:

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
from functools import lru_cache, partial
from hashlib import blake2b
from typing import Any

from pipeline.ingest.kss_syllables import CLOSER, EMOJI, KSS, Chain, Splitter, Token, token_of

Syllables = list[Any]

_BLANKS = {blank: token_of(blank, "SP") for blank in " \n\r\t\v"}  # what kss puts back
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_LATIN = re.compile(r"[a-zA-Z\u0130\u0131\u017f\u212a]")  # the last four equal i, s and k to re.I
_QUOTED_LATIN = re.compile(r"(?=([a-zA-Z]['’`][a-zA-Z]))")
_DAGGER = re.compile("[" + re.escape(KSS.const.daggers) + "]")
_JOINING_TAG = re.compile("J|VCP|EC|VX|SP")
_SYMBOL_TAG = re.compile("SY|SF|SE|SC|QT|SS|SP")
_DEEPEST = 10  # kss stops realigning quotes here
_FEATURES = 8  # fields that mecab-ko-dic gives a word


def split(text: str) -> list[str]:
    """Return the stripped sentences of `text`, as a kss that never saw another text would.

    Raises:
        TypeError: mecab cannot take the text, because it holds lone surrogates.
    """
    masks = _masks(text)
    hidden = _replace(text, masks)
    chain = _analyse(hidden)
    repair = _Postprocessor(hidden, chain.flags)
    sentences: list[str] = repair.postprocess(_cut(chain.syllables, 0), True)
    chain.unlink()
    if hidden == text:
        return sentences
    return [_replace(sentence, masks, restore=True) for sentence in sentences]


_replace = KSS.SentencePreprocessor._replace


def _masks(text: str) -> dict[str, str]:
    """Map each URL, e-mail, emoticon and English apostrophe of `text` to digits, in kss's order."""
    keys = [key for key in _FIXED if key in text]
    if _LATIN.search(text):
        keys += _URL.findall(text)
        keys += KSS.const.email_pattern.findall(text) if "@" in text else []
    masks = {key: _mask(key) for key in keys}
    quoted = _QUOTED_LATIN.findall(_replace(text, masks))
    return masks | {key: _mask(key) for key in sorted(quoted)}


_FIXED = tuple(sorted(KSS.const.backup_normal))


def _without_nested_repeat(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Turn `([class]+|...)+` into `([class]|...)+`: equal matches, not 2**n steps on "http!!"."""
    return re.compile(pattern.pattern.replace(r"(?:[^\s()<>{}\[\]]+|", r"(?:[^\s()<>{}\[\]]|"))


_URL = _without_nested_repeat(KSS.const.url_pattern)


def _mask(key: str) -> str:
    """Return 19 digits, the usual length of kss's masks, drawn from the key alone."""
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return str(10**18 + int.from_bytes(digest) % (9 * 10**18))


def _analyse(text: str) -> Chain:
    """Tag `text` with mecab and put back the blanks that mecab leaves out."""
    tokens: list[Token] = []
    at, length = 0, len(text)
    for line in _morphemes(text):
        while at < length and text[at] in _BLANKS:
            tokens.append(_BLANKS[text[at]])
            at += 1
        if at >= length:
            break
        token = _token_of_line(line)
        tokens.append(token)
        at += len(token.traits)
    while at < length and text[at] in _BLANKS:
        tokens.append(_BLANKS[text[at]])
        at += 1
    return Chain(tokens)


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


@lru_cache(maxsize=1 << 15)
def _token_of_line(line: str) -> Token:
    surface, _, features = line.rpartition("\t")
    fields = features.split(",")
    if len(fields) != _FEATURES:  # python-mecab-ko asserts the same
        raise AssertionError(f"mecab gave {len(fields)} features, not {_FEATURES}")
    return token_of(surface, fields[0])


def _cut(syllables: Sequence[Any], depth: int) -> list[Syllables]:
    """Cut `syllables` where kss's rules say so; let kss cut again around a quote left open."""
    quotes = _Quotes()
    sentences: list[Syllables] = []
    begin, ending, was_inside = 0, False, False
    for at, syllable in enumerate(syllables):
        traits = syllable.traits
        if traits.calm and not ending:
            continue
        if traits.toggles:
            quotes.process(at, len(sentences), syllable)
        inside = bool(quotes.single_stack or quotes.double_stack)
        until = None
        if ending:
            if traits.quote:
                quotes.update_index(at, len(sentences), syllable)
            ends, in_spite_of_quote = _ends(syllable)
            if ends:
                ending = was_inside and inside and in_spite_of_quote
                if not was_inside or not inside:
                    until = at + was_inside  # a quote that has just closed belongs to its sentence
        elif traits.now:
            until = at
        else:
            ending = _may_end(syllable)
        if until is not None:
            sentences.append(list(syllables[begin:until]))
            begin = until
        was_inside = inside
    if begin < len(syllables):
        sentences.append(list(syllables[begin:]))
    if depth < _DEEPEST:
        again = partial(_cut, depth=depth + 1)
        sentences = quotes.realign(syllables, sentences, again)
    return sentences


def _may_end(syllable: Any) -> bool:
    if syllable.start is None:
        syllable.start = Splitter(syllable).check_split_start()
    return syllable.start  # type: ignore[no-any-return]


def _ends(syllable: Any) -> tuple[bool, bool]:
    if syllable.end is None:
        syllable.end = syllable.traits.end or Splitter(syllable).check_split_end()
    return syllable.end  # type: ignore[no-any-return]


_EmbracingProcessor: Any = KSS.EmbracingProcessor
_SentencePostprocessor: Any = KSS.SentencePostprocessor


class _Quotes(_EmbracingProcessor):  # type: ignore[misc]
    """kss's record of open quotes, without the cache that would keep whole texts alive."""

    _realign_sub_sentences = KSS.EmbracingProcessor._realign_sub_sentences.__wrapped__


class _Postprocessor(_SentencePostprocessor):  # type: ignore[misc]
    """kss's repairs in kss's order; one that finds nothing to repair in this text is skipped."""

    def __init__(self, text: str, flags: int) -> None:
        """Remember what the (masked) text holds."""
        self.text = text
        self.flags = flags

    def _remove_first_space(self, sentences: list[Syllables]) -> list[Syllables]:
        super()._remove_first_space(sentences[:1])
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


def _begins_with(tag: re.Pattern[str], sentences: list[Syllables]) -> bool:
    return any(tag.search(sentence[0].pos) for sentence in sentences[1:])


_HAS_WORK: dict[str, Callable[[str, list[Syllables]], bool]] = {
    "_move_first_footnote_in_sentence_to_previous": lambda text, _: "[" in text,
    "_move_first_daggers_in_sentence_to_previous": lambda text, _: bool(_DAGGER.search(text)),
    "_move_non_structural_sub_sent_in_brackets_to_previous": lambda text, _: "(" in text,
    "_move_unexpected_split_sentences_to_previous": lambda _, s: _begins_with(_JOINING_TAG, s),
    "_move_symbol_sentences_only_to_previous": lambda _, s: _begins_with(_SYMBOL_TAG, s),
}


def _gated(step: Any, has_work: Callable[[str, list[Syllables]], bool]) -> Any:
    def run(self: _Postprocessor, sentences: list[Syllables]) -> Any:
        return step(self, sentences) if has_work(self.text, sentences) else sentences

    return run


for _name, _test in _HAS_WORK.items():
    setattr(_Postprocessor, _name, _gated(getattr(_SentencePostprocessor, _name), _test))
