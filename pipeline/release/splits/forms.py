"""What counts as the same entity when splits are compared."""

from __future__ import annotations

import unicodedata

from pipeline.release.splits.member import Group, Member


def form(word: str) -> str:
    """Return a word as it is compared: NFKC, casefolded, without blanks.

    `FC 서울` and `fc서울` are one form; so a promise about forms holds for words as written, too.
    """
    folded = unicodedata.normalize("NFKC", word).casefold()
    return "".join(unicodedata.normalize("NFKC", folded).split())


def entity_forms(pair: Member) -> set[str]:
    """Return the forms of subject and object (RE).

    Types are left out, so that a word is one entity whatever a tagger made of it: the stricter way.
    """
    return {form(pair.fields[name]["word"]) for name in ("subject", "object")}


def pair_forms(group: Group) -> tuple[str, ...]:
    """Return the forms of all subjects and objects of a group (RE), sorted, each once."""
    return tuple(sorted({each for one in group.members for each in entity_forms(one)}))


def typed_forms(sentence: Member) -> list[str]:
    """Return type and form of each entity of a sentence (NER), such as `OG/경찰`, in its order."""
    text = sentence.fields["text"]
    return [f"{one['label']}/{form(text[one['start'] : one['end']])}" for one in sentence.label]
