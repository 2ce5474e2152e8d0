"""The cleaning rules as a table.

A rule has a gate, a pattern that Arrow runs over the whole column, and a function that runs in
Python on the texts that pass it. A gate lets through every text that its function would touch, so
that the column path and the text-by-text path (pipeline/corpus/cleaning.py) give the same result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from pipeline.core.errors import SpecError
from pipeline.corpus.rules import layout, markup, news, noise

Action = Literal["edit", "drop"]


class Outcome(NamedTuple):
    """What a rule did to a text.

    `text` is None where the unit is dropped; `score` is the number that decided; `settled` says
    that the text must not be edited again.
    """

    text: str | None
    counts: noise.Counts
    score: float | None = None
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """The numbers that decide drops.

    `max_foreign`: Chinese and Japanese characters that a sentence may hold (10 in the paper).
    `foreign_share`: one that holds more stays while they are no larger share of its letters (0 in
    the paper).
    `min_hangul`: smallest share of Hangul among the letters, asked from `min_letters` letters on;
    shorter texts need one Hangul letter.
    """

    max_foreign: int = 10
    foreign_share: float = 0.0
    min_hangul: float = 0.1
    min_letters: int = 20


@dataclass(frozen=True, slots=True)
class Rule:
    """One cleaning rule. `gate` is an RE2 pattern that every text the rule touches matches."""

    id: str
    action: Action
    description: str
    gate: str
    apply: Callable[[str, Limits], Outcome]


def _edit(edit: Callable[[str], noise.Edit]) -> Callable[[str, Limits], Outcome]:
    return lambda text, _: Outcome(*edit(text))


def _boilerplate(edit: Callable[[str], noise.Edit]) -> Callable[[str, Limits], Outcome]:
    """Make an edit drop the text where nothing but boilerplate was in it."""

    def apply(text: str, _: Limits) -> Outcome:
        cleaned, counts = edit(text)
        is_rest = not counts or not noise.is_empty(cleaned)
        return Outcome(cleaned if is_rest else None, counts)

    return apply


def _html(text: str, _: Limits) -> Outcome:
    cleaned, counts = markup.remove_html(text)
    return Outcome(cleaned, counts, settled=markup.strip_tags(cleaned)[0] != cleaned)


def _empty(text: str, _: Limits) -> Outcome:
    return Outcome(None if noise.is_empty(text) else text, (("letter or digit", 0),))


def _foreign_script(text: str, limits: Limits) -> Outcome:
    count = noise.count_foreign(text)
    letters = noise.count_letters(text)[1]
    is_few = count <= limits.max_foreign or count <= limits.foreign_share * letters
    return Outcome(
        text if is_few else None, (("Chinese or Japanese character", count),), float(count)
    )


def _non_korean(text: str, limits: Limits) -> Outcome:
    hangul, letters = noise.count_letters(text)
    share = round(hangul / letters, 6) if letters else 0.0
    low = hangul == 0 or (letters >= limits.min_letters and share < limits.min_hangul)
    return Outcome(None if low else text, (("Hangul letter", hangul), ("letter", letters)), share)


def _re2(body: str) -> str:
    r"""Spell the \u and \U escapes of `re` the way RE2 reads them."""
    return re.sub(r"\\(?:u([0-9a-f]{4})|U([0-9a-fA-F]{8}))", r"\\x{\1\2}", body)


_BLANKS: Final = _re2(noise.BLANKS)

_TABLE: Final = (
    Rule(
        "noise.bad_char@1",
        "edit",
        "zero-width, direction, control, filler, private and replacement characters",
        f"[{_re2(noise.BAD_CHARS)}]",
        _edit(noise.remove_bad_chars),
    ),
    Rule(
        "noise.html@1",
        "edit",
        "tags of HTML elements, comments, entities",
        r"<[/!?A-Za-z]|&[#A-Za-z]",
        _html,
    ),
    Rule(
        "noise.hashtag@1",
        "edit",
        "hashtags with their words",
        "[#＃]",
        _edit(noise.remove_hashtags),
    ),
    *(
        Rule(
            f"wiki.{name}@1", "edit", description, _re2(markup.WIKI_GATES[name]), _boilerplate(edit)
        )
        for name, description, edit in (
            (
                "markup",
                "links, templates and headings left of a wiki page",
                markup.remove_wiki_markup,
            ),
            ("reference", "reference marks of a wiki page", markup.remove_references),
        )
    ),
    *(
        Rule(f"news.{name}@1", "edit", description, news.GATES[name], _boilerplate(edit))
        for name, description, edit in (
            ("copyright", "copyright notices", news.remove_copyright),
            ("press", "names of newsrooms, datelines, notices to readers", news.remove_press),
            ("reporter", "bylines and addresses of reporters", news.remove_reporter),
            ("image", "image credits and marks", news.remove_image),
            ("source", "source credits", news.remove_source),
        )
    ),
    *(
        Rule(f"layout.{name}@1", "edit", description, _re2(gate), _edit(edit))
        for name, description, gate, edit in (
            (
                "byline",
                "bylines behind headlines",
                news.GATES["reporter"],
                news.remove_headline_byline,
            ),
            (
                "mark",
                "numbers, bullets and dashes at the head",
                layout.GATES["mark"],
                layout.remove_marks,
            ),
            (
                "quote",
                "quotation marks at the head without another half",
                layout.GATES["quote"],
                layout.remove_quotes,
            ),
        )
    ),
    Rule(
        "noise.empty_parens@1",
        "edit",
        "brackets around nothing",
        rf"[(\[{{（［｛〔【「『《〈][{_BLANKS},;:/，；：、·ㆍ・]*[)\]}}）］｝〕】」』》〉]",
        _edit(noise.remove_empty_parens),
    ),
    Rule(
        "noise.blank@1",
        "edit",
        "runs of blanks, blanks at the ends, blanks other than U+0020",
        f"^[{_BLANKS}]|[{_BLANKS}]$|[{_BLANKS}]{{2}}|[{_BLANKS.replace(' ', '')}]",
        _edit(noise.collapse_blanks),
    ),
    Rule("noise.empty@1", "drop", "no letter or digit", "^[^0-9A-Za-z가-힣ㄱ-ㅣ]*$", _empty),
    Rule(
        "noise.foreign_script@1",
        "drop",
        "too many Chinese or Japanese characters",
        noise.FOREIGN,
        _foreign_script,
    ),
    Rule(
        "noise.non_korean@1",
        "drop",
        "no Hangul, or too little among the letters",
        # the last class leaves out ranges without letters
        rf"^(?:\P{{Hangul}}|[{noise.NO_LETTERS}])*$|[\x{{3164}}\x{{ffa0}}]|"
        r"[^\p{Hangul}\x{0}-@\[-`\{-\x{a9}\x{2000}-\x{206f}"
        r"\x{2190}-\x{2bff}\x{3000}-\x{3004}\x{3008}-\x{3020}\x{fe0f}\x{1f000}-\x{1faff}]",
        _non_korean,
    ),
)

#: Every rule by id, in the order of application.
RULES: Final[dict[str, Rule]] = {rule.id: rule for rule in _TABLE}
#: The ids of the rules of each set, as a source's `cleaning` names it.
RULE_SETS: Final[dict[str, tuple[str, ...]]] = {
    name: tuple(rule for rule in RULES if rule.startswith(f"{name}."))
    for name in ("noise", "news", "wiki", "layout")
}


def select(rule_ids: Sequence[str]) -> list[Rule]:
    """Return the rules of these ids in the order of the table, each once.

    Raises SpecError for an id that is not in the table.
    """
    if unknown := sorted(set(rule_ids) - RULES.keys()):
        raise SpecError(f"cleaning rules {unknown} are unknown; allowed: {', '.join(RULES)}")
    return [rule for name, rule in RULES.items() if name in set(rule_ids)]
