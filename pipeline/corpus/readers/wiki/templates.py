"""What a reader sees of the templates whose effect is plain text; all others vanish."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any, Final

from mwparserfromhell.nodes import Template

from pipeline.corpus.readers.wiki import vocabulary

Render = Callable[[Any], str]

_DATES: Final = re.compile(
    r"(출생|사망|시작|종료|창립|설립|개봉|발매|해산|폐지).*(일|날짜).*|날짜.*"
    r"|(birth|death|start|end|film|release).*date.*|생일.*|dts",
    re.IGNORECASE,
)
_LANGUAGE: Final = re.compile(r"l?lang-[a-z-]+")
_NUMBER: Final = re.compile(r"(\d{1,4}) ?[년월일]?")
_LONGEST_NAME: Final = 255
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)


def name_of(template: Template) -> str:
    """Return a template's name without its namespace, underscores and white space around.

    What is longer than MediaWiki lets a name be is none, and "" is returned.
    """
    name = _COMMENT.sub("", str(template.name)).replace("_", " ").strip()
    if len(name) > _LONGEST_NAME:
        return ""
    space, colon, rest = name.partition(":")
    return rest.strip() if colon and space.strip().lower() in ("틀", "template") else name


def visible(template: Template, render: Render, *, title: str, in_prose: bool) -> str:
    """Return the plain text that a template shows; "" for one that is not known.

    The items of a list are lines. In prose dates are written out, else they are ISO.
    """
    name = name_of(template)
    lower = name.lower()
    if lower in vocabulary.SHOW_SECOND:
        return argument(template, 2, render)
    if lower in vocabulary.SHOW_FIRST or _LANGUAGE.fullmatch(lower):
        return argument(template, 1, render)
    if lower in vocabulary.LISTS:
        return "\n".join(item for item in arguments(template, render) if item)
    if lower in vocabulary.QUANTITIES:
        return " ".join(arguments(template, render)[:2])
    if _DATES.fullmatch(name):
        return first_date(arguments(template, render), in_words=in_prose)
    return _variable(name, title)


def _variable(name: str, title: str) -> str:
    """Return the effect of a magic word in braces: {{PAGENAME}}, {{formatnum:1234}}."""
    if name in ("PAGENAME", "문서이름"):
        return title
    function, _, rest = name.partition(":")
    return rest.strip() if function.lower() == "formatnum" else ""


def country(template: Template, render: Render) -> str:
    """Return the country of a flag template: {{국기나라|독일}}, {{KOR}}; "" for any other."""
    name = name_of(template)
    if name.lower() in vocabulary.FLAGS:
        return argument(template, 1, render)
    return vocabulary.COUNTRIES.get(name, "")


def arguments(template: Template, render: Render) -> list[str]:
    """Return the positional arguments of a template, rendered, in order."""
    return [render(param.value).strip() for param in template.params if not param.showkey]


def argument(template: Template, number: int, render: Render) -> str:
    """Return one positional argument, also when it is given by its number; "" without."""
    for param in reversed(template.params):
        if str(param.name).strip() == str(number):
            return render(param.value).strip()
    return ""


def first_date(values: list[str], *, in_words: bool = False) -> str:
    """Return the first date of year, month and day arguments, as far as they go.

    ``1961-03-02``, ``1961-03``, ``1961``; in words ``1961년 3월 2일``. "" without a year.
    """
    numbers: list[int] = []
    for value in values[:3]:
        match = _NUMBER.fullmatch(value)
        if match is None:
            break
        numbers.append(int(match[1]))
    try:
        year, month, day = [*numbers, 1, 1][:3]
        date(year, month, day)
    except ValueError:
        return ""
    if in_words:
        return " ".join(f"{n}{unit}" for n, unit in zip(numbers, "년월일", strict=False))
    return "-".join(format(n, w) for n, w in zip(numbers, ("04d", "02d", "02d"), strict=False))
