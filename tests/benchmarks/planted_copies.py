"""Copies of texts as they are planted in a corpus, drawn by key; for bench_decontamination.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

SEED = 20201201
_END = re.compile(r"(?<=[.!?])\s+|\n+")
_SYLLABLES = (0xAC00, 0xD7A4)


def cut(text: str) -> list[str]:
    """Return the sentences of a text that have five letters or more."""
    return [s for part in _END.split(text) if len(letters_of(s := part.strip())) >= 5]


def letters_of(text: str) -> str:
    """Return the letters that are compared."""
    from pipeline.corpus.signatures import letters

    return letters(text)


def draw(purpose: str, *name: str) -> float:
    """Return a keyed number from 0 to 1."""
    from pipeline.core import ids

    return ids.draw(SEED, f"decontamination {purpose}", "\x1f".join(name))


def pick(values: Sequence[Any], *key: object) -> Any:
    """Return one of the values, by key."""
    return values[int(draw("pick", *map(str, key)) * len(values))]


def sentence_of(text: str, key: str) -> str:
    """Return a text, or of a passage a sentence that is long enough, by key."""
    if len(letters_of(text)) <= 128:
        return text
    return str(pick([s for s in cut(text) if len(letters_of(s)) >= 10] or [text], key, "sentence"))


def typos(text: str, key: str) -> str:
    """Replace, drop, insert or swap a letter, twice."""
    letters = list(text)
    for turn in range(2):
        place = pick([i for i, c in enumerate(letters) if c.isalnum()], key, turn, "place")
        strange = chr(pick(range(*_SYLLABLES), key, turn, "letter"))
        other = place + 1 if place + 1 < len(letters) else place - 1
        change = pick(("replace", "drop", "insert", "swap"), key, turn, "change")
        if change == "replace":
            letters[place] = strange
        elif change == "drop":
            del letters[place]
        elif change == "insert":
            letters.insert(place, strange)
        else:
            letters[place], letters[other] = letters[other], letters[place]
    return "".join(letters)


def drop_word(text: str, key: str) -> str:
    """Drop one word."""
    words = text.split()
    del words[pick(range(len(words)), key, "word")]
    return " ".join(words)


def swap_words(text: str, key: str) -> str:
    """Swap two words that stand beside each other."""
    words = text.split()
    place = pick(range(len(words) - 1), key, "swap")
    words[place : place + 2] = reversed(words[place : place + 2])
    return " ".join(words)


def embed(text: str, key: str) -> str:
    """Put sentences of no benchmark before and after."""
    return f"{pick(AROUND, key, 'before')} {text} {pick(AROUND, key, 'after')}"


#: Sentences that others stand between, written for this.
AROUND = (
    "어제 저녁에는 집 앞 가게에서 두부와 파를 사다가 찌개를 끓였다",
    "우리 동네 도서관은 월요일마다 문을 닫는다.",
    "할머니가 보내 주신 감자를 이웃과 나누어 먹었습니다",
    "비가 그치자 아이들이 운동장으로 뛰어나갔다.",
    "새로 산 자전거는 생각보다 가벼워서 언덕길도 어렵지 않았다",
)
#: By kind, how many words a text has at least and how it is planted.
KINDS: dict[str, tuple[int, Callable[[str, str], str]]] = {
    "exact": (1, lambda text, _key: text),
    "typos": (1, typos),
    "word dropped": (3, drop_word),
    "blanks removed": (2, lambda text, _key: "".join(text.split())),
    "swapped": (2, swap_words),
    "embedded": (1, embed),
}
