"""The pages in Korean: every fixed text of a record beside its Korean one.

Records are in English. `assets/korean.yaml` has the Korean of every fixed text, with placeholders:
`{n}` stands for a number, `{id}` for a word, `{name}` for any text that stays as it is, `{name:t}`
for one that has a translation of its own, `{name:each}` for a list whose parts may have one, `[s]`
for letters that may be absent. A text of several sentences may be there whole or sentence by
sentence. A page holds both languages, and its style
sheet shows one of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from markupsafe import Markup, escape

from pipeline.core.specs import Many, Spec, Text, load

FILE: Final = Path(__file__).resolve().parent / "assets" / "korean.yaml"
LANGUAGES: Final = ("en", "ko")
_PLACE: Final = re.compile(r"\{(\w+)(?::(t|each))?\}|\[(\w+)\]")
#: What stands between the parts of a list; such a sign may be in a part, too.
_BETWEEN: Final = re.compile("(; |, | and )")
#: What placeholders stand for by their names: numbers, words without a blank; others for any text.
_KINDS: Final = {"n": r"[-−]?\d[\d,]*(?:\.\d+)?", "id": r"\S+?"}
_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`≠\d])")


class Written(Spec):
    """The catalogue: texts with their Korean, and the columns whose cells are data."""

    data_columns: Many[Text]
    texts: Mapping[str, Text]


@dataclass(frozen=True)
class _Pattern:
    """A text with placeholders: what it looks like, its Korean, and what is translated again.

    `again` must be translated as a whole, of `lists` each part that has a translation is.
    """

    regex: re.Pattern[str]
    korean: str
    again: frozenset[str]
    lists: frozenset[str]

    def fill(self, match: re.Match[str]) -> str | None:
        """Return the Korean of what matched; None where a part should have one and has none."""
        parts = match.groupdict()
        again = {name: korean(parts[name]) for name in self.again}
        if None in again.values():
            return None
        lists = {name: _each(parts[name]) for name in self.lists}
        return self.korean.format(**{**parts, **again, **lists})


@lru_cache(1)
def catalogue() -> Written:
    """Return the catalogue; raises SpecError where the file is damaged."""
    return load(FILE, Written)


@lru_cache(1 << 14)
def korean(text: str) -> str | None:
    """Return the Korean of a fixed text, or None where it has none, as data have not."""
    sentences = _SENTENCES.split(text)
    translated = [_find(sentence) for sentence in sentences]
    if None in translated or text in catalogue().texts:
        whole = _find(text) or _definitions(text)
        if whole is not None:
            return whole
    if not any(translated):
        return None
    return " ".join(own or sentence for own, sentence in zip(translated, sentences, strict=True))


def _definitions(text: str) -> str | None:
    """Return the Korean of a list such as "word: what it means; other: what that means."."""
    pairs = [part.partition(": ") for part in text.removesuffix(".").split("; ")]
    parts = [(_find(word), _find(meaning)) for word, _, meaning in pairs]
    if any(None in part for part in parts):
        return None
    return "; ".join(f"{word}: {meaning}" for word, meaning in parts) + "."


def _each(text: str) -> str:
    """Return a list such as "size, left out" with its parts in Korean, those that have any."""
    parts, out = _BETWEEN.split(text), list[str]()
    while parts:
        sizes = range(1, len(parts) + 1, 2)
        known = ((size, _find("".join(parts[:size]))) for size in sizes)
        size, own = next((pair for pair in known if pair[1] is not None), (1, parts[0]))
        out += [str(own), *(", " if sign == " and " else sign for sign in parts[size : size + 1])]
        parts = parts[size + 1 :]
    return "".join(out)


def untranslated(text: str) -> list[str]:
    """Return the sentences of a text that have no Korean."""
    if not text or _find(text) is not None or _definitions(text) is not None:
        return []
    return [sentence for sentence in _SENTENCES.split(text) if _find(sentence) is None]


def both(text: str) -> Markup:
    """Return a fixed text in both languages as HTML, code between backticks; data stay one text."""
    return _in_both(text, "span", _code)


def in_svg(text: str) -> Markup:
    """Return a fixed text in both languages as it stands in a text of SVG."""
    return _in_both(text, "tspan", escape)


def _in_both(text: str, tag: str, write: Callable[[str], Markup]) -> Markup:
    own = korean(text) if text else None
    if own is None or own == text:
        return write(text)
    parts = Markup('<{0} lang="{1}">{2}</{0}>')
    texts = zip(LANGUAGES, (text, own), strict=True)
    return Markup("").join(parts.format(tag, lang, write(said)) for lang, said in texts)


def _find(text: str) -> str | None:
    texts: Mapping[str, str] = catalogue().texts
    own = texts.get(text)
    if own is not None and "{" not in text:
        return own
    patterns: list[_Pattern] = [*_patterns().get(text[:2], []), *_patterns()[""]]
    for pattern in patterns:
        if (match := pattern.regex.fullmatch(text)) and (filled := pattern.fill(match)) is not None:
            return filled
    return None


@lru_cache(1)
def _patterns() -> Mapping[str, list[_Pattern]]:
    """Return the texts with placeholders by their first two letters, "" if they begin with one."""
    patterns: dict[str, list[_Pattern]] = defaultdict(list, {"": []})
    for text, own in catalogue().texts.items():
        if _PLACE.search(text):
            start = text[:2] if not _PLACE.match(text) and not _PLACE.match(text, 1) else ""
            patterns[start].append(_pattern(text, own))
    return dict(patterns)


def _pattern(text: str, own: str) -> _Pattern:
    regex, end = "", 0
    again: dict[str | None, set[str]] = {"t": set(), "each": set()}
    for place in _PLACE.finditer(text):
        name, treated, optional = place.groups()
        regex += re.escape(text[end : place.start()])
        if optional:
            regex += f"(?:{re.escape(optional)})?"
        else:
            regex += f"(?P<{name}>{_KINDS.get(name.rstrip('0123456789'), '.+?')})"
            again.setdefault(treated, set()).add(name)
        end = place.end()
    compiled = re.compile(regex + re.escape(text[end:]), re.DOTALL)
    return _Pattern(compiled, own, frozenset(again["t"]), frozenset(again["each"]))


def _code(text: str) -> Markup:
    parts = re.split("`([^`]+)`", text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else part
        for place, part in enumerate(parts)
    )
