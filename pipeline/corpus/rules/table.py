"""The cleaning rules as a table, and their application to an Arrow column with a ledger.

A rule has a gate, a pattern that Arrow runs over the whole column, and a function that runs in
Python on the texts that pass it. A gate lets through every text that its function would touch, so
that the column path and the text-by-text path (`clean_text`) give the same result.

Edits come first, in the order of the table, again and again until a text stays as it is (at most
MAX_ROUNDS times): what one rule takes away may bring another's matter to light. Then come the
judgements. One exception keeps escaped markup readable: a text in which decoding an entity made a
tag is not gone over again, or that tag would be cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.errors import ConservationError, SchemaError, SpecError
from pipeline.core.schemas import LEDGER
from pipeline.corpus.rules import markup, news, noise, wiki
from pipeline.corpus.rules.journal import Action, Event, Journal, Outcome

#: A text is gone over at most this often; what is nested deeper stays.
MAX_ROUNDS: Final = 8
#: Rows taken at a time.
BATCH: Final = 65_536

Rows = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Limits:
    """The numbers of the judgements.

    `max_foreign`: Chinese and Japanese characters that a sentence may hold (10 in the paper).
    `min_hangul`: smallest share of Hangul among the letters, asked from `min_letters` letters on;
    shorter texts need one Hangul letter.
    """

    max_foreign: int = 10
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
    def apply(text: str, _: Limits) -> Outcome:
        return Outcome(*edit(text))

    return apply


def _boilerplate(edit: Callable[[str], noise.Edit]) -> Callable[[str, Limits], Outcome]:
    def apply(text: str, _: Limits) -> Outcome:
        cleaned, counts = edit(text)
        nothing = bool(counts) and noise.is_empty(cleaned)
        return Outcome(None if nothing else cleaned, counts)

    return apply


def _html(text: str, _: Limits) -> Outcome:
    cleaned, counts = markup.remove_html(text)
    return Outcome(cleaned, counts, settled=markup.strip_tags(cleaned)[0] != cleaned)


def _empty(text: str, _: Limits) -> Outcome:
    return Outcome(None if noise.is_empty(text) else text, (("letter or digit", 0),))


def _foreign_script(text: str, limits: Limits) -> Outcome:
    count = noise.count_foreign(text)
    kept = text if count <= limits.max_foreign else None
    return Outcome(kept, (("Chinese or Japanese character", count),), float(count))


def _non_korean(text: str, limits: Limits) -> Outcome:
    hangul, letters = noise.count_letters(text)
    share = round(hangul / letters, 6) if letters else 0.0
    low = hangul == 0 or (letters >= limits.min_letters and share < limits.min_hangul)
    return Outcome(None if low else text, (("Hangul letter", hangul), ("letter", letters)), share)


def _re2(body: str) -> str:
    r"""Spell the \u and \U escapes of `re` the way RE2 reads them."""
    return re.sub(r"\\(?:u([0-9a-f]{4})|U([0-9a-fA-F]{8}))", r"\\x{\1\2}", body)


_BLANKS: Final = _re2(noise.BLANKS)
_HANGUL: Final = _re2(noise.HANGUL)

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
        Rule(f"wiki.{name}@1", "edit", description, _re2(wiki.GATES[name]), _boilerplate(edit))
        for name, description, edit in (
            ("markup", "links, templates and headings left of a wiki page", wiki.remove_markup),
            ("reference", "reference marks of a wiki page", wiki.remove_references),
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
        f"[{_re2(noise.FOREIGN)}]",
        _foreign_script,
    ),
    Rule(
        "noise.non_korean@1",
        "drop",
        "no Hangul, or too little among the letters",
        # the second class leaves out ranges without letters
        rf"^[^{_HANGUL}]*$|[^{_HANGUL}\x{{0}}-@\[-`\{{-\x{{a9}}ㆍ\x{{2000}}-\x{{206f}}"
        r"\x{2190}-\x{2bff}\x{3000}-\x{3004}\x{3008}-\x{3020}\x{fe0f}\x{1f000}-\x{1faff}]",
        _non_korean,
    ),
)

#: Every rule by id, in the order of application.
RULES: Final[dict[str, Rule]] = {rule.id: rule for rule in _TABLE}


def select(rule_ids: Sequence[str]) -> list[Rule]:
    """Return the rules of these ids in the order of the table, each once.

    Raises SpecError for an id that is not in the table.
    """
    if unknown := sorted(set(rule_ids) - RULES.keys()):
        raise SpecError(f"cleaning rules {unknown} are unknown; allowed: {', '.join(RULES)}")
    return [rule for name, rule in RULES.items() if name in set(rule_ids)]


def clean_text(
    text: str, rule_ids: Sequence[str], *, limits: Limits | None = None
) -> tuple[str | None, dict[str, Event]]:
    """Clean one text: what is left of it (None: dropped), and the decision of each rule by id."""
    rules, limits = select(rule_ids), limits or Limits()
    journal = Journal()
    current: str | None = text
    for _ in range(MAX_ROUNDS):
        before = current
        for order, rule in enumerate(rules):
            if rule.action == "edit" and current is not None:
                current = journal.note(0, order, current, rule.apply(current, limits))
        if current is None or current == before or 0 in journal.settled:
            break
    for order, rule in enumerate(rules):
        if rule.action == "drop" and current is not None:
            current = journal.note(0, order, current, rule.apply(current, limits))
    return current, {rules[order].id: event for _, order, event in journal.events()}


def clean(
    units: pa.Table,
    rule_ids: Sequence[str],
    *,
    stage: str = "clean",
    max_foreign: int = 10,
    min_hangul: float = 0.1,
) -> tuple[pa.Table, pa.Table]:
    """Clean the `text` of units: (kept units in order, ledger rows).

    The ledger has one row for each unit that a rule edited (reason: what was found, how often, and
    by how many characters the text got shorter) and one for each that a rule dropped (score: the
    number that decided, where there is one), ordered as the units, then as the table of rules. Ids
    and offsets stay those of the text as read.

    Raises SpecError for unknown rules, SchemaError when id, source or text is missing.
    """
    rules, limits = select(rule_ids), Limits(max_foreign=max_foreign, min_hangul=min_hangul)
    missing = [name for name in ("id", "source", "text") if name not in units.column_names]
    if missing:
        raise SchemaError(f"cleaning needs the columns id, source and text; missing: {missing}")
    kept, ledger = [], []
    for batch in units.combine_chunks().to_batches(max_chunksize=BATCH):
        some, rows = _clean_batch(batch, rules, limits, stage)
        kept.append(some)
        ledger.append(rows)
    return (
        pa.Table.from_batches(kept, schema=units.schema),
        pa.Table.from_batches(ledger, schema=LEDGER),
    )


def _clean_batch(
    batch: pa.RecordBatch, rules: list[Rule], limits: Limits, stage: str
) -> tuple[pa.RecordBatch, pa.RecordBatch]:
    run = _Run(Journal(), limits)
    texts, rows = batch.column("text"), np.arange(batch.num_rows)
    for _ in range(MAX_ROUNDS):
        before, part = texts, texts.take(pa.array(rows))
        for order, rule in enumerate(rules):
            if rule.action == "edit":
                part = _apply(part, rows, rule, order, run)
        texts = _put(texts, rows, part)
        changed = np.flatnonzero(pc.not_equal(texts, before).to_numpy(zero_copy_only=False))
        rows = np.setdiff1d(changed, list(run.journal.dropped | run.journal.settled))
        if not len(rows):
            break
    for order, rule in enumerate(rules):
        if rule.action == "drop":
            _apply(texts, np.arange(batch.num_rows), rule, order, run)
    kept = _kept(batch, texts, run.journal.dropped)
    return kept, run.journal.ledger(batch, [rule.id for rule in rules], stage)


class _Run(NamedTuple):
    journal: Journal
    limits: Limits


def _apply(texts: pa.Array, rows: Rows, rule: Rule, order: int, run: _Run) -> pa.Array:
    """Apply one rule to the texts that pass its gate; `rows` are their numbers in the batch."""
    gate = pc.match_substring_regex(texts, rule.gate)
    hits = np.flatnonzero(gate.to_numpy(zero_copy_only=False))
    positions, cleaned = [], []
    taken = texts.take(pa.array(hits)).to_pylist()
    for position, row, text in zip(hits.tolist(), rows[hits].tolist(), taken, strict=True):
        if row in run.journal.dropped:
            continue
        new = run.journal.note(row, order, text, rule.apply(text, run.limits))
        if new is not None and new != text:
            positions.append(position)
            cleaned.append(new)
    return _put(texts, np.array(positions, dtype=np.int64), pa.array(cleaned, texts.type))


def _put(texts: pa.Array, rows: Rows, values: pa.Array) -> pa.Array:
    if not len(rows):
        return texts
    mask = np.zeros(len(texts), dtype=bool)
    mask[rows] = True
    return pc.replace_with_mask(texts, pa.array(mask), values)


def _kept(batch: pa.RecordBatch, texts: pa.Array, dropped: set[int]) -> pa.RecordBatch:
    mask = np.ones(batch.num_rows, dtype=bool)
    mask[list(dropped)] = False
    columns = [texts if name == "text" else batch.column(name) for name in batch.schema.names]
    kept = pa.RecordBatch.from_arrays(columns, schema=batch.schema).filter(pa.array(mask))
    if kept.num_rows + len(dropped) != batch.num_rows:
        raise ConservationError(
            f"cleaning: {batch.num_rows} units in, but {kept.num_rows} kept and {len(dropped)}"
            " dropped; this is a bug, report the rules and the source"
        )
    return kept
