"""Detection of the 16 types of personal data of Table 29, and masks for what people are shown."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import schemas
from pipeline.core.hangul import compose, compose_column, places
from pipeline.pii.kinds import MINIMUM, TYPES, Hit
from pipeline.pii.normal import fold
from pipeline.pii.rules import addresses, mentions, network, numbers, phones, registration, streets
from pipeline.pii.rules.rule import Candidate, Rule

#: Every rule, in a fixed order.
RULES: Final[tuple[Rule, ...]] = (
    *network.RULES,
    *mentions.RULES,
    *registration.RULES,
    *phones.RULES,
    *numbers.RULES,
    *addresses.RULES,
    *streets.RULES,
)
_RUN: Final = re.compile("[0-9]+")
#: Characters of the longest refused match that is searched again.
RETRIED: Final = 64
#: What no rule takes for want of form or context, and could still be somebody's.
_LEFT_OVER: Final = re.compile(
    r"(?P<email>[^\s@\[\]]{1,64}@[^\s@\[\]]{1,255})|(?P<mention>@\w{2,64})"
    r"|(?P<number>(?<![0-9])[A-Za-z]{0,2}[0-9](?:[\W_]{0,3}[0-9]){6,63})"
)


def detect(
    texts: pa.Array | pa.ChunkedArray, *, types: Iterable[str] = TYPES, minimum: float = MINIMUM
) -> pa.Table:
    """Find personal data in a column of texts without nulls.

    Returns the table HITS, by row and start; hits of a text never overlap. Hits below `minimum` are
    left out. Hangul is searched as whole syllables; offsets are those of the texts as given.
    Source: Section 4.1 and Table 29.
    """
    flat = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
    whole, rows = compose_column(flat)
    apart = {row: places(flat[row].as_py()) for row in rows}
    hits = [
        (row, *_placed(hit, apart.get(row)))
        for row, text, rules in _gated(whole, _rules_of(types))
        for hit in _gated_hits(text, rules, minimum)
    ]
    columns = dict(zip(("row", *Hit._fields), zip(*hits, strict=True), strict=False))
    table = pa.table(columns, schemas.HITS) if hits else schemas.empty("hits")
    return schemas.check(table, "hits")


def detect_text(text: str, *, types: Iterable[str] = TYPES, minimum: float = MINIMUM) -> list[Hit]:
    """Find personal data in one text, without any gate; same hits as `detect`."""
    whole = compose(text)
    at = None if whole == text else places(text)
    return [_placed(hit, at) for hit in _hits(fold(whole), _rules_of(types), minimum)]


def _placed(hit: Hit, at: list[int] | None) -> Hit:
    """Move a hit from a composed text to the text as given, whose characters begin `at`."""
    return hit if at is None else hit._replace(start=at[hit.start], end=at[hit.end])


def mask(text: str) -> str:
    """Replace personal data by its type in brackets, for text that people are shown.

    Every hit counts, however unsure; then e-mails and mentions that no rule knows, and seven digits
    or more with nothing but marks between: it would rather hide a date than show a number. Hangul
    is composed.
    """
    text = compose(text)
    folded = fold(text)
    parts, last = [], 0
    for hit in detect_text(text, minimum=0.0):
        parts += [_mask_left_over(text, folded, last, hit.start), f"[{hit.type}]"]
        last = hit.end
    return "".join([*parts, _mask_left_over(text, folded, last, len(text))])


def shape(value: str) -> str:
    """Return the form of a value without the value: every letter and digit becomes a star."""
    return re.sub(r"[^\W_]|_", "*", compose(value))


def _mask_left_over(text: str, folded: str, start: int, end: int) -> str:
    parts, last = [], start
    for match in _LEFT_OVER.finditer(folded, start, end):
        parts += [text[last : match.start()], f"[{match.lastgroup}]"]
        last = match.end()
    return "".join([*parts, text[last:end]])


def _rules_of(types: Iterable[str]) -> list[Rule]:
    wanted = set(types)
    return [rule for rule in RULES if rule.type in wanted]


def _gated(texts: pa.Array, rules: Sequence[Rule]) -> Iterator[tuple[int, str, list[Rule]]]:
    """Yield row and text of what passes at least one gate, and the rules whose gates it passes.

    One union of all gates runs over every text, the single gates over the survivors only; RE2 takes
    linear time. A text that does not pass holds no hit: a test shows it on random text.
    """
    if not rules:
        return
    union = "|".join(f"(?:{gate})" for gate in sorted({rule.gate for rule in rules}))
    rows = _matching(texts, union)
    survivors = texts.take(rows)
    pairs = sorted({(rule.gate, rule.front) for rule in rules})
    # A key has a bit for every pair of gates that the text passes.
    keys = np.zeros(len(survivors), dtype=np.int64)
    for gate, fronts in groupby(enumerate(pairs), key=lambda pair: pair[1][0]):
        passing = few = _matching(survivors, gate)
        for n, (_, front) in fronts:  # the one without a second gate is the first
            if front and few is passing:
                few = survivors.take(passing)
            chosen_rows = passing.take(_matching(few, front)) if front else passing
            keys[chosen_rows.to_numpy()] |= 1 << n
    places = [(rule, 1 << pairs.index((rule.gate, rule.front))) for rule in rules]
    chosen = {key: [rule for rule, bit in places if key & bit] for key in set(keys.tolist())}
    passed = np.flatnonzero(keys)
    found = (rows.take(passed), survivors.take(passed))
    for row, text, key in zip(*(column.to_pylist() for column in found), keys[passed], strict=True):
        yield row, text, chosen[key]


def _matching(texts: pa.Array, pattern: str) -> pa.Array:
    return pc.indices_nonzero(pc.match_substring_regex(texts, pattern))


def _gated_hits(text: str, rules: Sequence[Rule], minimum: float) -> list[Hit]:
    """Search with the rules whose digits are in the text."""
    folded = fold(text)
    groups = _RUN.findall(folded)
    digits = "".join(groups)
    count, runs = len(digits), f" {' '.join([str(len(group)) for group in groups])} "
    chosen = [
        rule
        for rule in rules
        if rule.digits <= count
        and (rule.heads is None or rule.heads.search(digits))
        and (rule.runs is None or rule.runs.search(runs))
    ]
    return _hits(folded, chosen, minimum)


def _hits(folded: str, rules: Iterable[Rule], minimum: float) -> list[Hit]:
    hits: list[Hit] = []
    for rule in rules:
        match = rule.pattern.search(folded)
        if match is not None:
            hits += [hit for hit in _rule_hits(folded, rule, match) if hit.confidence >= minimum]
    return hits if len(hits) < 2 else _disjoint(hits)


def _rule_hits(folded: str, rule: Rule, first: re.Match[str]) -> Iterator[Hit]:
    match: re.Match[str] | None = first
    while match is not None:
        verdict = rule.judge(Candidate(match))
        start, end = match.span()
        if verdict is not None:
            start, end = verdict.span or (start, end)
            yield Hit(rule.type, start, end, rule.id, verdict.confidence, verdict.validated)
            after = max(end, match.start() + 1)
        else:
            # The tail of a refused match may begin another value; long matches are left whole,
            # so that the time stays linear.
            after = start + 1 if end - start <= RETRIED else end
        match = rule.pattern.search(folded, after)


def _disjoint(hits: Iterable[Hit]) -> list[Hit]:
    """Keep the surest of hits that overlap; then the longest, then the first type of Table 29."""
    kept: list[Hit] = []  # by start, hence by end too
    for hit in sorted(
        hits, key=lambda h: (-h.confidence, h.start - h.end, TYPES.index(h.type), h.start)
    ):
        at = bisect_left(kept, hit.start, key=attrgetter("start"))
        clear_left = at == 0 or kept[at - 1].end <= hit.start
        if clear_left and (at == len(kept) or hit.end <= kept[at].start):
            kept.insert(at, hit)
    return kept
