"""The one place where a tagger's mentions are checked before anything relies on them.

A tagger may be anybody's: its mentions may overlap, be empty, lie outside the text or have a type
that is not asked for. What is kept is sorted and free of that; what is not is told with the reason.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Literal, NamedTuple

from pipeline.core.errors import InputError
from pipeline.sampling.tagging.protocol import Mention, Tagger

Why = Literal["empty", "outside", "label", "overlap"]
#: What a reason means, for ledger rows and messages.
REASONS: Final[dict[Why, str]] = {
    "empty": "a mention is empty",
    "outside": "a mention lies outside the text",
    "label": "a mention has a type that is not asked for",
    "overlap": "a mention overlaps a better one",
}


class Checked(NamedTuple):
    """The mentions of a text, sorted and without overlap, and those left out, each with why."""

    mentions: tuple[Mention, ...]
    left_out: tuple[tuple[Mention, Why], ...] = ()


def checked(tagger: Tagger, texts: Sequence[str], *, labels: Collection[str]) -> list[Checked]:
    """Tag texts and keep of each what is well formed and of one of `labels`.

    Of mentions that overlap the one with the higher score stays, then the longer, then the earlier,
    then the one whose label comes first. Raises InputError when the tagger does not give one list
    for every text, or gives what is no mention.
    """
    found = tagger.tag(texts)
    if len(found) != len(texts):
        raise InputError(
            f"tagger {tagger.name}: gave {len(found)} lists of mentions for {len(texts)} texts;"
            " it must give one for each"
        )
    allowed = frozenset(labels)
    return [
        resolve(mentions, len(text), allowed) for text, mentions in zip(texts, found, strict=True)
    ]


def resolve(mentions: Sequence[Mention], length: int, labels: Collection[str]) -> Checked:
    """Check the mentions of one text of `length` code points; see `checked`."""
    kept: list[Mention] = []
    left_out: list[tuple[Mention, Why]] = []
    for one in sorted(mentions, key=_rank):
        why = _why(one, length, labels, kept)
        if why is None:
            kept.append(one)
        else:
            left_out.append((one, why))
    return Checked(tuple(sorted(kept)), tuple(sorted(left_out)))


def _rank(one: Mention) -> tuple[float, int, int, str]:
    return -one.score, one.start - one.end, one.start, one.label


def _why(one: Mention, length: int, labels: Collection[str], kept: list[Mention]) -> Why | None:
    if one.start >= one.end:
        return "empty"
    if one.start < 0 or one.end > length:
        return "outside"
    if one.label not in labels:
        return "label"
    if any(one.start < other.end and other.start < one.end for other in kept):
        return "overlap"
    return None
