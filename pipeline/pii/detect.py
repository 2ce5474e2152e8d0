"""Detection of the 16 types of personal data of Table 29, over columns of text and single texts."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Final

import pyarrow as pa

from pipeline.core import schemas
from pipeline.pii import gate
from pipeline.pii.folding import fold
from pipeline.pii.kinds import MINIMUM, TYPES, Hit
from pipeline.pii.rules import (
    addresses,
    finance,
    machines,
    mentions,
    phone,
    plates,
    registration,
    web,
)
from pipeline.pii.rules.rule import Found, Rule

#: Every rule, in a fixed order.
RULES: Final[tuple[Rule, ...]] = (
    *web.RULES,
    *machines.RULES,
    *mentions.RULES,
    *registration.RULES,
    *phone.RULES,
    *finance.RULES,
    *addresses.RULES,
    *plates.RULES,
)
_DIGIT: Final = re.compile("[0-9]")
#: Characters of the longest refused match that is looked into again.
RETRIED: Final = 64
_ORDER: Final = {kind: n for n, kind in enumerate(TYPES)}


def detect(
    texts: pa.Array | pa.ChunkedArray, *, types: Iterable[str] = TYPES, minimum: float = MINIMUM
) -> pa.Table:
    """Find personal data in a column of texts without nulls.

    Returns the table HITS, by row and start; hits of a text never overlap. Hits below `minimum` are
    left out. Source: Section 4.1 and Table 29.
    """
    rules = _chosen(types)
    flat = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
    found: list[dict[str, object]] = []
    for row, text, passed in gate.passing(flat, rules):
        found += [{"row": row, **hit._asdict()} for hit in _hits(text, passed, minimum)]
    return schemas.build("hits", found)


def detect_text(text: str, *, types: Iterable[str] = TYPES, minimum: float = MINIMUM) -> list[Hit]:
    """Find personal data in one text, without the gate; same hits as `detect`."""
    return _hits(text, _chosen(types), minimum)


def _chosen(types: Iterable[str]) -> list[Rule]:
    wanted = set(types)
    return [rule for rule in RULES if rule.type in wanted]


def _hits(text: str, rules: Sequence[Rule], minimum: float) -> list[Hit]:
    folded = fold(text)
    if any(rule.digits for rule in rules):
        digits = len(_DIGIT.findall(folded))
        rules = [rule for rule in rules if rule.digits <= digits]
    found = [hit for hit in _candidates(folded, rules) if hit.confidence >= minimum]
    return found if len(found) < 2 else _disjoint(found)


def _candidates(folded: str, rules: Sequence[Rule]) -> Iterator[Hit]:
    for rule in rules:
        match = rule.pattern.search(folded)
        while match is not None:
            found = Found(match)
            verdict = rule.judge(found)
            if verdict is None:
                match = rule.pattern.search(folded, _after_refusal(match))
                continue
            start, end = verdict.span or (found.start, found.end)
            yield Hit(rule.type, start, end, rule.id, verdict.confidence, verdict.validated)
            match = rule.pattern.search(folded, max(end, match.start() + 1))


def _after_refusal(match: re.Match[str]) -> int:
    """Return where to go on: behind the first character, since the tail may begin another value.

    Long matches are left whole, so that the time stays linear.
    """
    return match.start() + 1 if match.end() - match.start() <= RETRIED else match.end()


def _disjoint(hits: Iterable[Hit]) -> list[Hit]:
    """Keep the surest of hits that overlap; then the longest, then the first type of Table 29."""
    kept: list[Hit] = []  # by start, hence by end too
    for hit in sorted(
        hits, key=lambda h: (-h.confidence, h.start - h.end, _ORDER[h.type], h.start)
    ):
        at = bisect_left(kept, hit.start, key=attrgetter("start"))
        clear_left = at == 0 or kept[at - 1].end <= hit.start
        if clear_left and (at == len(kept) or hit.end <= kept[at].start):
            kept.insert(at, hit)
    return kept
