"""Where the sentences of a text are.

The cuts are those of kss 6 on mecab, which `kss.engine` drives; this module adds offsets into the
text as read, paragraphs, layout and a limit. No text is rewritten here.
kss's rules and mecab are loaded on the first cut, once per process: MissingDependencyError then.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from itertools import pairwise

from pipeline.core.morphology import is_run
from pipeline.corpus.long_sentences import Span, cut_long
from pipeline.corpus.overlong import SHORT, excess_of, parts_of
from pipeline.corpus.rules.layout import BREAKS
from pipeline.corpus.rules.markup import ENTITY

PACKAGES: tuple[str, ...] = ("kss", "python-mecab-ko", "python-mecab-ko-dic", "emoji")
"""Distributions whose versions decide where sentences end; kss takes its emoji from `emoji`."""

_BREAK = re.compile(r"\r\n|[\n\r\u2028\u2029]|<br\s*/?>|</?p>", re.IGNORECASE)
_LAYOUT = re.compile(f"{_BREAK.pattern}|{BREAKS}", re.IGNORECASE)
_TAG = re.compile(r"(?<![\w#&])#(?=[^\W\d])|(?<![\w@.])[@＠](?=\w)")
#: So many characters does an HTML entity have at most.
_LONGEST_ENTITY = 34
_ZERO_WIDTH = "\u200b\u200c\u2060\ufeff"  # kss strips these like blanks
_NO_ZERO_WIDTH = dict.fromkeys(map(ord, _ZERO_WIDTH))


def split_sentences(text: str) -> list[str]:
    """Return the sentences of `text`, exactly as `kss.split_sentences(text, backend="mecab")`.

    "Exactly" means as a kss that saw no text before: neither the order of calls nor earlier URLs
    matter. kss masks URLs, emoticons and English apostrophes by `hash()`, so that in rare texts
    its own result differs between processes; this one never does. An empty text has no sentences
    (kss returns the text itself).

    Raises:
        MissingDependencyError: kss or mecab is not installed.
        TypeError: the text holds lone surrogates, which mecab cannot take (as in kss).
    """
    with _ONE_AT_A_TIME:
        from pipeline.corpus.kss.engine import split

        return split(text)


def sentence_spans(text: str, *, layout: bool = False) -> list[Span]:
    """Return (start, end) of each sentence in code points of `text`, in order and disjoint.

    Line breaks and the tags `<br>`, `<br/>`, `<p>`, `</p>` (any case) end a paragraph and belong
    to no sentence. Each paragraph is given to `split_sentences`. A span is never empty and neither
    begins nor ends with a blank; every other character of an analysed paragraph stands in exactly
    one span. Blanks are white space and the zero-width characters that kss strips. With `layout`,
    tabs, bullets, numbers of items and web addresses at the head end a paragraph too
    (rules/layout.py), and overlong sentences are cut again (long_sentences.py).

    A hashtag or mention that kss cut behind its mark, and an HTML entity that it cut in two (`&`
    and `amp;`), are put together again, so that rules find them.
    kss loses characters of a few odd texts: they stay with the sentence before. A paragraph on
    which kss raises is one sentence. Those named by `overlong_spans` are cut into parts first
    (overlong.py).

    Raises:
        MissingDependencyError: kss or mecab is not installed.
    """
    return [
        (start + left + begin, start + left + end)
        for start, paragraph in _paragraphs(text, layout)
        for left, right in parts_of(paragraph)
        for part in [paragraph[left:right]]
        for cut in [cut_long(part, _cut) if layout else _cut(part)]
        for begin, end in _whole_marks(part, cut)
    ]


def overlong_spans(text: str, *, layout: bool = False) -> list[tuple[int, int, str]]:
    """Return (start, end, reason) of each paragraph of `text` that `sentence_spans` cuts in parts.

    The reason says nothing of the text: "20,431 characters, 20,000 allowed; cut into 2 parts".
    """
    if len(text) <= SHORT:
        return []
    return [
        (start + begin, start + end, f"{reason}; cut into {len(parts_of(paragraph))} parts")
        for start, paragraph in _paragraphs(text, layout)
        if (reason := excess_of(paragraph))
        for begin, end in _align(paragraph, [])
    ]


_ONE_AT_A_TIME = threading.Lock()  # mecab's tagger is shared, and a Dask worker may have threads


def _paragraphs(text: str, layout: bool) -> Iterator[tuple[int, str]]:
    """Yield (offset, paragraph) for all between two breaks that is not blank."""
    matches = (_LAYOUT if layout else _BREAK).finditer(text)
    breaks = [match.span(match.lastgroup or 0) for match in matches]
    for (_, start), (end, _) in pairwise([(0, 0), *breaks, (len(text), len(text))]):
        paragraph = text[start:end]
        if paragraph and not paragraph.isspace():
            yield start, paragraph


def _cut(part: str) -> list[Span]:
    if is_run(part):
        return [(0, len(part))]
    try:
        sentences = split_sentences(part)
    except (AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        sentences = []  # raised by kss or mecab: the part stays one sentence
    return _align(part, sentences)


def _align(paragraph: str, sentences: list[str]) -> list[Span]:
    """Find where `sentences` begin in `paragraph`, comparing what is not blank.

    A sentence reaches to the beginning of the next; one that is not found joins the one before.
    """
    return _align_whole(paragraph, sentences) or _align_solid(paragraph, sentences)


def _align_whole(paragraph: str, sentences: list[str]) -> list[Span]:
    """Find sentences that stand in `paragraph` as they are, all of it; else return none."""
    spans: list[Span] = []
    end = 0
    for sentence in sentences:
        start = paragraph.find(sentence, end)
        if start < 0 or not (start == end or paragraph[end:start].isspace()):
            return []
        end = start + len(sentence)
        if _is_blank(sentence[0]) or _is_blank(sentence[-1]):
            return []
        spans.append((start, end))
    return spans if end == len(paragraph) or paragraph[end:].isspace() else []


def _is_blank(character: str) -> bool:
    return character.isspace() or character in _ZERO_WIDTH


def _align_solid(paragraph: str, sentences: list[str]) -> list[Span]:
    """Find where sentences begin by what is not blank."""
    places = [at for at, character in enumerate(paragraph) if not _is_blank(character)]
    if not places:
        return []
    solid = "".join([paragraph[at] for at in places])
    starts, after = [0], 0
    for number, sentence in enumerate(sentences):
        wanted = "".join(sentence.split()).translate(_NO_ZERO_WIDTH)
        place = solid.find(wanted, after)
        if not wanted or place < 0:
            continue
        if number and place > starts[-1]:
            starts.append(place)
        after = place + len(wanted)
    return [(places[a], places[b - 1] + 1) for a, b in pairwise([*starts, len(solid)])]


def _whole_marks(paragraph: str, spans: list[Span]) -> list[Span]:
    """Give a `#` or `@` at the end of a sentence to the word behind, and a cut entity to its end.

    A sentence of which nothing is left goes along.
    """
    mended: list[Span] = []
    for start, end in spans:
        begin = _begin_of_mark(paragraph, start) if mended else start
        while mended and begin < mended[-1][1]:
            first, _ = mended.pop()
            if first < begin:
                rest = paragraph[first:begin].rstrip().rstrip(_ZERO_WIDTH).rstrip()
                mended.append((first, first + len(rest)))
        mended.append((begin, end))
    return mended


def _begin_of_mark(paragraph: str, start: int) -> int:
    """Return where the tag or the entity begins that a sentence from `start` on is the rest of."""
    if _TAG.match(paragraph, start - 1):
        return start - 1
    place = paragraph.rfind("&", max(0, start - _LONGEST_ENTITY), start)
    entity = ENTITY.match(paragraph, place) if place >= 0 else None
    return place if entity and entity.end() > start else start
