"""What words of knowledge bases mean: names and dates in the form of text, and properties.

The map from properties of knowledge bases and infoboxes to the relations of the spec is data,
`data/knowledge/properties.yaml`; its model is here.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from pydantic import model_validator

from pipeline.core.errors import SpecError
from pipeline.core.resources import DATA
from pipeline.core.specs import Many, Spec, Text, load

#: The map that comes with the project.
PROPERTIES: Final = DATA / "knowledge" / "properties.yaml"

Type = Literal["PER", "ORG", "LOC", "DAT", "POH", "NOH"]
#: The relation whose objects are occupations and positions: common nouns, yet entities.
OCCUPATION_RELATION: Final = "per:title"

_JOINTS: Final = re.compile(r"[\s_]+")
_NUMBERED: Final = re.compile(r"(?<=\D)\d+$")
#: Characters of the shortest and the longest name.
SHORTEST: Final = 2
LONGEST: Final = 40

#: Names whose forms are held: the subject of a run of triples, common objects.
_CACHED: Final = 1 << 14
#: A name that is written as it is: words of syllables.
_PLAIN: Final = re.compile("[가-힣]+(?: [가-힣]+)*")
_QUALIFIED: Final = re.compile(r"^(.*\S)\s*\(([^()]*)\)$")
_BRACKETS: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）")
_BETWEEN: Final = re.compile(r"\s/\s|,(?!\d{3})|[;、，；\n·ㆍ]|\s→\s")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3})")
_AROUND: Final = " \t'\"“”‘’《》〈〉「」『』<>*-–—~"
_DATE: Final = re.compile(
    r"\+?(?P<y>\d{1,4})(?:년|[-./])(?:\s*(?P<m>\d{1,2})(?:월|[-./])?(?:\s*(?P<d>\d{1,2})일?)?)?"
    r"(?:T[\d:]+Z)?\.?"
)
_DIGIT: Final = re.compile(r"\d")
_BARE_YEAR: Final = re.compile(r"\d{4}")
_BLANKS: Final = re.compile(r"\s+")


class PageTitle(NamedTuple):
    """The name in the title of a page, as in text, and its qualifier in brackets ('' if none)."""

    name: str
    qualifier: str


@lru_cache(maxsize=_CACHED)
def split_title(title: str) -> PageTitle:
    """Split the title of a page into name and qualifier; underscores are blanks.

    Text after two underscores numbers the parts of a page (``A_(B)__A__1``) and is cut off.
    """
    if _PLAIN.fullmatch(title):
        return PageTitle(title, "")
    text = title.strip().strip("_").split("__")[0].replace("_", " ")
    text = _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip()
    match = _QUALIFIED.match(text)
    name, qualifier = (match[1], match[2].strip()) if match else (text, "")
    return PageTitle(name.strip(_AROUND), qualifier)


def pieces(value: str) -> list[str]:
    """Split a value that names several things, without brackets; in order, each once."""
    bare = value
    while bare != (bare := _BRACKETS.sub(" ", bare)):
        pass
    names = (_BLANKS.sub(" ", piece).strip(_AROUND) for piece in _BETWEEN.split(bare))
    return list(dict.fromkeys(name for name in names if name))


def dates(value: str) -> list[str]:
    """Return the dates in a value in the form of Korean text: in full, and the year.

    ``1963-05-21`` gives 1963년 5월 21일 and 1963년; months and days out of range are left off.
    """
    written: list[str] = []
    if not _DIGIT.search(value):
        return written
    for match in _DATE.finditer(value):
        year, month, day = (int(match[part] or 0) for part in ("y", "m", "d"))
        if not year:
            continue
        date = f"{year}년"
        if 1 <= month <= 12:
            date += f" {month}월"
            date += f" {day}일" if 1 <= day <= 31 else ""
        written += [date, f"{year}년"]
    return list(dict.fromkeys(written))


@lru_cache(maxsize=_CACHED)
def key_of(text: str) -> str:
    """Return the key of a name, the same for all its spellings: without blanks, case or width.

    A text that is a date as a whole gives its Korean form; four digits alone are a year; the commas
    of numbers go.
    """
    if _PLAIN.fullmatch(text):
        return text.replace(" ", "")
    clean = unicodedata.normalize("NFKC", text).strip()
    if _BARE_YEAR.fullmatch(clean):
        clean += "년"
    elif _DATE.fullmatch(clean):
        clean = next(iter(dates(clean)), clean)
    return _BLANKS.sub("", _THOUSANDS.sub("", clean)).casefold()


@lru_cache(maxsize=_CACHED)
def may_be_name(text: str) -> bool:
    """Tell whether a text may be a name in a sentence: 2 to 40 characters, two of them letters.

    A date, an address of the web and a path are none.
    """
    if len(text) > LONGEST:
        return False
    letters = len(text) if text.isalpha() else sum(c.isalpha() for c in text)
    return letters >= SHORTEST and "://" not in text and "\\" not in text and not dates(text)


def surfaces(value: str, links: list[str]) -> Iterator[str]:
    """Yield the names in a value: linked pages, its parts, and its dates; each once."""
    names = [split_title(link).name for link in links]
    names += [*pieces(value), *dates(value)]
    yield from dict.fromkeys(name for name in names if name)


class Rule(Spec):
    """Properties with one meaning.

    They state `relation` from their subject to their object, or, where `inverse`, from their object
    to their subject. With `of` the rule holds for subjects of that type only. `subject` and
    `object` are the types of the two ends, where the relation does not tell them.
    """

    names: Many[Text]
    relation: Text | None = None
    inverse: bool = False
    of: Type | None = None
    subject: Type | None = None
    object: Type | None = None


class Properties(Spec):
    """The map: rules, and the evidence for the type of a name.

    `inverses` are relations with their converse. A name's type is told by the infobox `templates`
    of its page, by the Wikidata `classes` it is an instance of, and by the `qualifiers` that end
    the brackets behind a title. Names in `stop` are never looked for in text.
    """

    version: int
    inverses: dict[Text, Text]
    templates: dict[Type, Many[Text]]
    classes: dict[Type, Many[Text]]
    qualifiers: dict[Type, Many[Text]]
    stop: Many[Text]
    rules: Many[Rule]

    @model_validator(mode="after")
    def _has_no_rule_twice(self) -> Properties:
        self.rule("", None)  # this builds the table of rules
        return self

    @cached_property
    def _rules(self) -> dict[str, dict[str | None, Rule]]:
        """The rules of each property by the type of its subject."""
        rules = defaultdict[str, dict[str | None, Rule]](dict)
        for rule in self.rules:
            for name in rule.names:
                if rule.of in rules[plain(name)]:
                    raise ValueError(f"property {name!r} (of: {rule.of}) has two rules; keep one")
                rules[plain(name)][rule.of] = rule
        return rules

    @cached_property
    def _types(self) -> dict[tuple[str, str], Type]:
        """The type by what tells it (`templates` or `classes`) and its name."""
        tellers = {"templates": self.templates, "classes": self.classes}
        return {
            (teller, plain(name)): kind
            for teller, kinds in tellers.items()
            for kind, names in kinds.items()
            for name in names
        }

    def type_by(self, teller: Literal["templates", "classes"], name: str) -> Type | None:
        """Return the type of pages with that infobox, or of instances of that class, if known."""
        return self._types.get((teller, plain(name)))

    def type_by_qualifier(self, qualifier: str) -> str | None:
        """Return the type of titles with that qualifier, by the longest word that ends it."""
        if not qualifier:
            return None
        matches = (
            (len(word), kind)
            for kind, words in self.qualifiers.items()
            for word in words
            if qualifier.endswith(word)
        )
        return max(matches, default=(0, None))[1]

    def has_rule(self, name: str) -> bool:
        """Tell whether the map knows a property, for subjects of whatever type."""
        return plain(name) in self._rules

    def rule(self, name: str, subject: str | None) -> Rule | None:
        """Return the rule of a property for a subject of that type (None: not known).

        A rule for the type goes before one for all; with an unknown type a single rule is taken.
        """
        rules = self._rules.get(plain(name)) or self._rules.get(_NUMBERED.sub("", plain(name)), {})
        if subject is None and len(rules) == 1:
            return next(iter(rules.values()))
        return rules.get(subject, rules.get(None))

    def relation(self, name: str, *, subject: str | None, is_swapped: bool) -> str | None:
        """Return the relation that a fact states of a pair, if the property is mapped.

        `subject` is the type of the fact's subject. The pair is (subject, object) of the fact, or
        where `is_swapped` (object, subject). A swapped pair has the relation of an inverse rule, or
        the converse (`inverses`) of that of another rule.
        """
        rule = self.rule(name, subject)
        if rule is None or rule.relation is None:
            return None
        return rule.relation if rule.inverse == is_swapped else self.inverses.get(rule.relation)

    def ends(
        self, rule: Rule, labels: Mapping[str, Mapping[str, Any]]
    ) -> tuple[str | None, str | None]:
        """Return the types of a rule's subject and object: its own, or those of its relation."""
        subject, object_ = rule.of or rule.subject, rule.object
        if rule.relation is not None:
            label = labels[rule.relation]
            first, second = label["subject"], label["objects"][0]
            if rule.inverse:
                first, second = second, first
            subject, object_ = subject or first, object_ or second
        return subject, object_


def plain(name: str) -> str:
    """Return a name of a property or template without blanks, underscores and case."""
    return _JOINTS.sub("", name).casefold()


def load_properties(path: Path | None, relations: Iterable[str]) -> Properties:
    """Read a map of properties, the project's own if there is no path.

    Raises SpecError for every fault, and for a relation that is not among `relations`.
    """
    place = path or PROPERTIES
    properties = load(place, Properties)
    allowed, inverses = set(relations), properties.inverses
    used = {rule.relation for rule in properties.rules if rule.relation is not None}
    if unknown := {*used, *inverses, *inverses.values()} - allowed:
        raise SpecError(
            f"{place}: {', '.join(sorted(unknown))}: no relation of the spec; allowed:"
            f" {', '.join(sorted(allowed))}"
        )
    return properties
