"""The map from properties of knowledge bases and infoboxes to the relations of the spec.

The map is data, `data/knowledge/properties.yaml`; this is its model.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
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
TITLE: Final = "per:title"

_JOINTS: Final = re.compile(r"[\s_]+")
_NUMBERED: Final = re.compile(r"(?<=\D)\d+$")


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


class Ends(NamedTuple):
    """The types of the subject and the object of a property, where they are known."""

    subject: str | None
    object: str | None


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
    def _template_types(self) -> dict[str, str]:
        return {plain(word): kind for kind, words in self.templates.items() for word in words}

    @cached_property
    def _class_types(self) -> dict[str, str]:
        return {plain(word): kind for kind, words in self.classes.items() for word in words}

    def type_by_template(self, template: str) -> str | None:
        """Return the type of the pages that have an infobox of that name, if known."""
        return self._template_types.get(plain(template))

    def type_by_class(self, name: str) -> str | None:
        """Return the type of instances of a Wikidata class, if known."""
        return self._class_types.get(plain(name))

    def type_by_qualifier(self, qualifier: str) -> str | None:
        """Return the type of titles with that qualifier, by the longest word that ends it."""
        matches = (
            (len(word), kind)
            for kind, words in self.qualifiers.items()
            for word in words
            if qualifier.endswith(word)
        )
        return max(matches, default=(0, None))[1]

    def rule(self, name: str, subject: str | None) -> Rule | None:
        """Return the rule of a property for a subject of that type (None: not known).

        A rule for the type goes before one for all; with an unknown type a single rule is taken.
        """
        rules = self._rules.get(plain(name)) or self._rules.get(_NUMBERED.sub("", plain(name)), {})
        if subject is None and len(rules) == 1:
            return next(iter(rules.values()))
        return rules.get(subject, rules.get(None))

    def relation(self, name: str, *, subject: str | None, inverse: bool) -> str | None:
        """Return the relation that a fact states of a pair, if the property is mapped.

        `subject` is the type of the fact's subject; with `inverse` the pair is (object, subject).
        """
        rule = self.rule(name, subject)
        if rule is None or rule.relation is None:
            return None
        return rule.relation if rule.inverse == inverse else self.inverses.get(rule.relation)

    def is_mapped(self, name: str, subject: str | None) -> bool:
        """Tell whether a property means a relation."""
        rule = self.rule(name, subject)
        return rule is not None and rule.relation is not None

    def ends(self, rule: Rule, labels: Mapping[str, Mapping[str, Any]]) -> Ends:
        """Return the types of a rule's ends: its own, or else those of its relation."""
        subject, object_ = rule.of or rule.subject, rule.object
        if rule.relation is not None:
            label = labels[rule.relation]
            first, second = label["subject"], label["objects"][0]
            if rule.inverse:
                first, second = second, first
            subject, object_ = subject or first, object_ or second
        return Ends(subject, object_)


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
