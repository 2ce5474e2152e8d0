"""Tables of votes: how far annotators agree, and the gold labels that votes decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from klue_rebuild.arguments import checked
from klue_rebuild.audit_frames import audit_frames
from klue_rebuild.items import items_file
from klue_rebuild.records import Audit, Gold
from klue_rebuild.scratch import Scratch, path_or_none, scratch, without_none
from klue_rebuild.tables import Data, Place, column_names, frame_of, held, is_place
from pipeline.core.errors import InputError
from pipeline.core.files import refuse

if TYPE_CHECKING:
    import pandas as pd

#: The usual key of draws.
SEED: Final = 20201201
#: Columns of gold that hold JSON in files.
_AS_JSON: Final = ("label", "soft_label", "evidence")


@checked
def audit(
    votes: Data,
    *,
    task: str | None = None,
    level: str | None = None,
    labels: Sequence[str] | Mapping[str, float] | None = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    wide: bool = False,
    items: Data | None = None,
    source: str | None = None,
    bootstrap: int = 1000,
    seed: int = SEED,
    specs: Place | None = None,
) -> Audit:
    """Measure how far annotators agree, and who or what stands out: `klue audit`.

    `votes` is a table with a row a vote: `item`, `annotator` (or `seat`), `label`, and if known
    `seconds`, `at`, `round`, `role`, `source` (docs/agreement.md); or a path of what the command
    takes. `columns` names them where they have other names, such as
    ``{"item": "doc", "label": "answer"}``; columns that it does not name are then not read. With
    `wide` a row is an item and a column an annotator: all but the item's, or those of
    ``{"annotator": ["kim", "lee"]}``.

    Give a `task` (its spec, from `specs` if not the project's, says how labels are compared), or
    the `level`: nominal, ordinal, interval, ratio, multilabel. `labels` are those that are
    allowed, or words with their scores. `items` are what votes are about, for tasks whose answers
    point into them. `source` says which tool wrote a file (``label-studio``, ``klue``).
    `bootstrap` resamples of items give 95 % intervals, 0 none.

    Returns an `Audit` with frames. `coefficients`: one a row, with `value`, `low`, `high`, `n` and
    the `reason` where it is not defined. `per_annotator`: `votes`, agreement with the rest and
    other measures of the command, one a row. `per_item`: the most disputed first, with
    `disagreement` from 0 to 1. `per_label`, `confusion` (how often two people gave this and that
    label, every pair of votes both ways) and `flags` (who stands out by which test, with q of at
    most 5 % over all tests).

    Raises InputError for options that do not go together, and for a table without a vote.

    >>> votes = pd.DataFrame({"item": [1, 1, 2, 2], "annotator": list("abab"),
    ...                       "label": ["yes", "yes", "no", "yes"]})
    >>> klue_rebuild.audit(votes, level="nominal", bootstrap=0).value
    0.0
    """
    from flows.commands import agreement as command

    votes = held(votes, "votes")
    with scratch() as place:
        record, _ = command.audit(
            votes=_votes_file(place, votes, columns, wide=wide),
            bootstrap=bootstrap,
            seed=seed,
            **_options(
                place,
                votes,
                task=task,
                level=level,
                labels=labels,
                columns=columns,
                wide=wide,
                items=items,
                source=source,
                specs=specs,
            ),
        )
        lead = record["coefficients"].get(record["lead"], {})
        return Audit(
            level=record["level"],
            items=record["items"],
            annotators=record["annotators"],
            votes=record["votes"],
            lead=record["lead"],
            **{name: lead.get(name) for name in ("value", "low", "high")},
            refused=record["refused"],
            **audit_frames(record),
            notes=place.notes,
            record=record,
        )


@checked
def aggregate(
    votes: Data,
    *,
    task: str | None = None,
    level: str | None = None,
    labels: Sequence[str] | Mapping[str, float] | None = None,
    rule: str | None = None,
    margin: int | None = None,
    minimum: int | None = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    wide: bool = False,
    items: Data | None = None,
    source: str | None = None,
    exclude: bool | None = None,
    crowd: str | None = None,
    specs: Place | None = None,
) -> Gold:
    """Decide the gold label of each item by its votes: `klue aggregate`.

    `votes`, `task`, `level`, `labels`, `columns`, `wide`, `items`, `source` and `specs` are those
    of `audit`. Votes of no task are decided by `rule`: majority, plurality (by `margin` votes),
    mean, median, dawid-skene, mace, glad; an item needs `minimum` votes (2). `exclude` leaves out
    annotators by the spec's rule. `crowd` adds models of annotators beside the rule.

    Returns a `Gold`. The frame `gold` has a row for each item: `status` (gold, unresolved,
    removed), `label` (as it was given; None unless gold), `rule`, `votes`, `reason`, `agreement`
    (share of votes for the label), `confidence` (probability that the label is right), both from 0
    to 1, `standard_error` of a score, `soft_label` (share of each label) and `evidence`. `queue`
    holds the unresolved ones, `ledger` a row for each decision that took something away.

    Raises InputError as `audit` does, and for a rule that the level does not have.

    >>> klue_rebuild.aggregate(votes, level="nominal").gold["label"].tolist()
    ['yes', None]
    """
    from flows.commands import agreement as command

    votes = held(votes, "votes")
    with scratch() as place:
        request = command.Aggregation(
            votes=_votes_file(place, votes, columns, wide=wide),
            **_options(
                place,
                votes,
                task=task,
                level=level,
                labels=labels,
                columns=columns,
                wide=wide,
                items=items,
                source=source,
                specs=specs,
            ),
            **without_none(rule=rule, margin=margin, minimum=minimum, exclude=exclude, crowd=crowd),
        )
        result, record = command.aggregate_votes(request)
        gold = frame_of(result.gold)
        for name in _AS_JSON:
            gold[name] = _parsed(gold[name])
        return Gold(
            **{name: record[name] for name in ("rule", "items", "resolved", "unresolved")},
            removed=record["removed"],
            refused=record["refused"],
            gold=gold,
            queue=gold[gold["status"] == "unresolved"].reset_index(drop=True),
            ledger=frame_of(result.ledger),
            notes=place.notes,
            record=record,
        )


def _votes_file(
    place: Scratch, votes: Data, columns: Mapping[str, str | Sequence[str]] | None, *, wide: bool
) -> Path:
    """Return the file of votes; a table gets the columns that are read, under their usual names."""
    if is_place(votes):
        return Path(votes)
    if columns is None:
        return place.file(votes, "votes")
    named = {key: _several(names) for key, names in columns.items()}
    for key, names in named.items():
        fault = "names several columns; only annotator may, with `wide`"
        is_wrong = len(names) != 1 and not (wide and key in ("annotator", "seat"))
        refuse(f"`columns` {key!r}", (is_wrong, fault))
    if wide:
        return _wide_file(place, votes, named)
    usual = {"item": ["item"], "label": ["label"]}
    usual |= {} if "seat" in named else {"annotator": ["annotator"]}
    rename = {names[0]: key for key, names in (usual | named).items()}
    return place.file(votes, "votes", list(rename), rename=rename)


def _wide_file(place: Scratch, votes: Data, named: Mapping[str, list[str]]) -> Path:
    """Return the file of a table with a column an annotator: these, or all but those of keys."""
    if "seat" in named:
        raise InputError("`columns` 'seat': a wide table has a column an annotator; name those")
    keys = {"item": ["item"], **named}
    people = keys.pop("annotator", None)
    rename = {names[0]: key for key, names in keys.items()}
    if people is None:
        people = [name for name in column_names(votes, "votes") if name not in rename]
    return place.file(votes, "votes", [*rename, *people], rename=rename)


def _options(
    place: Scratch,
    votes: Data,
    *,
    labels: Sequence[str] | Mapping[str, float] | None,
    columns: Mapping[str, str | Sequence[str]] | None,
    items: Data | None,
    specs: Place | None,
    **options: Any,
) -> dict[str, Any]:
    """Return the options that both commands have; those of a table's columns are done already."""
    is_file = is_place(votes)
    fault = "says which tool wrote a file; leave it out for a table"
    refuse("`source`", (options["source"] is not None and not is_file, fault))
    named = None
    if columns is not None and is_file:
        named = ",".join(f"{key}={'|'.join(_several(names))}" for key, names in columns.items())
    return without_none(
        labels=_labels(labels),
        columns=named,
        items=None if items is None else items_file(place, items, "items"),
        specs=path_or_none(specs),
        **options,
    )


def _several(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _labels(labels: Sequence[str] | Mapping[str, float] | None) -> str | None:
    if labels is None:
        return None
    for name in labels:
        refuse("`labels`", (set(name) & {",", "="}, "a name with a comma or = cannot be given"))
    if isinstance(labels, Mapping):
        return ",".join(f"{name}={score}" for name, score in labels.items())
    return ",".join(labels)


def _parsed(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return a column of JSON as values; None where there is none."""
    import pandas as pd

    from pipeline.core.jsontext import parsed

    values = [parsed(text) if isinstance(text, str) else None for text in column]
    return pd.Series(values, index=column.index, dtype=object)
