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
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from pipeline.corpus.kss.chain import Chain, Token, token_of
from pipeline.corpus.kss.syllables import CLOSER, EMOJI, KSS, MOVERS, Splitter, may_move

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


def _analyse(text: str) -> Chain:
    """Tag `text` with mecab; let kss put back the blanks that mecab leaves out."""
    items = _with_blanks(_ANALYZER, text, drop_space=False)
    return Chain([item if type(item) is Token else token_of(*item) for item in items])


def _tokens(text: str) -> list[Token]:
    return [_token_of_line(line) for line in _morphemes(text)]


_ANALYZER = SimpleNamespace(_analyzer=SimpleNamespace(pos=_tokens))
_with_blanks = KSS.MecabAnalyzer.pos.__wrapped__  # without the cache that would keep whole texts


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
    """Cut `syllables` into sentences; around a quote left open, kss calls for it again."""
    quotes = _Quotes()
    begins = [0, *_beginnings(syllables, quotes)]
    sentences = [list(syllables[begin:end]) for begin, end in pairwise(begins)]
    if begins[-1] < len(syllables):
        sentences.append(list(syllables[begins[-1] :]))
    if depth == _DEEPEST:
        return sentences
    again = partial(_cut, depth=depth + 1)
    return quotes.realign(syllables, sentences, again)  # type: ignore[no-any-return]


def _beginnings(syllables: Sequence[Any], quotes: _Quotes) -> list[int]:
    """Return where each sentence but the first begins; `quotes` learns of every quote."""
    begins: list[int] = []
    walk = enumerate(syllables)
    for at, syllable in walk:
        traits = syllable.traits
        if traits.calm:
            continue
        if traits.toggles:
            quotes.process(at, len(begins), syllable)
        if traits.now:
            begins.append(at)
        elif _may_end(syllable):
            begins += _next_beginning(walk, quotes, len(begins))
    return begins


def _next_beginning(walk: Iterator[tuple[int, Any]], quotes: _Quotes, number: int) -> list[int]:
    """Walk on behind a possible end of sentence `number`, past what still belongs to it.

    Returns the place where the next one begins, or none: at the end of the text, or within a quote.
    A quote that closes just then belongs to the sentence.
    """
    for at, syllable in walk:
        opened = quotes.opened
        if syllable.traits.toggles:
            quotes.process(at, number, syllable)
        if syllable.traits.quote:
            quotes.update_index(at, number, syllable)
        ends, even_quoted = _ends(syllable)
        if ends and not (opened and quotes.opened):
            return [at + 1 if opened else at]
        if ends and not even_quoted:
            break
    return []


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

    @property
    def opened(self) -> bool:
        """Whether any quote is open."""
        return bool(self.single_stack or self.double_stack)


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


def _holds(character: str) -> _HasWork:
    return lambda text, _: character in text


def _begins_for(mover: str) -> _HasWork:
    return lambda _, sentences: any(
        may_move(mover, sentence[0].text, sentence[0].pos) for sentence in sentences[1:]
    )


_HAS_WORK = {
    "_move_first_footnote_in_sentence_to_previous": _holds("["),
    "_move_non_structural_sub_sent_in_brackets_to_previous": _holds("("),
} | {mover: _begins_for(mover) for mover in MOVERS}


def _gate(step: Any, has_work: _HasWork) -> Any:
    def run(self: _Postprocessor, sentences: list[Syllables]) -> Any:
        if len(sentences) > 1 and has_work(self.text, sentences):
            return step(self, sentences)
        return sentences

    return run


for _name, _test in _HAS_WORK.items():
    setattr(_Postprocessor, _name, _gate(getattr(_SentencePostprocessor, _name), _test))
