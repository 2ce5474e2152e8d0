"""What to look at first: sentences, each with the items or the annotator it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any, Final, NamedTuple

from pipeline.core.wording import count
from pipeline.report.audit.words import (
    Record,
    in_words,
    lead_of,
    measure_of,
    name_of,
    sentence,
    whole,
)
from pipeline.report.page import Request

#: Labels of fewer votes are not called the weakest.
ENOUGH: Final = 20
#: So many annotators are listed one by one.
LISTED: Final = 12
#: From here on an item counts as disputed.
DISPUTED: Final = 0.5
_LOW, _FIRM = 0.667, 0.8


class Finding(NamedTuple):
    """One sentence, what its button shows, and whether it is a warning."""

    text: str
    show: Request | None = None
    warning: bool = False


def findings(record: Record) -> list[Finding]:
    """Return what a reader should know first, the gravest first."""
    if not record["votes"]:
        return [*_nothing(record), *_quarantine(record)]
    return [
        *_lead(record),
        *_people(record),
        *_items(record),
        *_weakest(record),
        *_confusion(record),
        *_quarantine(record),
    ]


def lowest(record: Record) -> tuple[str, list[tuple[str, float]]]:
    """Return the measure that ranks annotators here, and all who have it, the lowest first."""
    people = record.get("per_annotator", {})
    for key in ("alpha_vs_rest", "agreement_vs_rest", "agreement_with_majority"):
        rated = [
            (name, person[key]) for name, person in people.items() if person.get(key) is not None
        ]
        if rated:
            return key, sorted(rated, key=lambda pair: (pair[1], pair[0]))
    return "", []


def odd_first(record: Record) -> dict[str, list[str]]:
    """Return the remarks on each annotator: by the evidence of flags, then by the ranked list.

    The others follow by agreement, the lowest first.
    """
    people = record.get("per_annotator") or {}
    below = (record.get("exclusion") or {}).get("below") or {}
    remarks = {
        name: [str(flag["text"]) for flag in person["flags"]] for name, person in people.items()
    }
    for name in remarks.keys() & below.keys():
        remarks[name].append(f"Meets the rule of exclusion: {in_words(below[name])}.")
    place = {name: i for i, (name, _) in enumerate(lowest(record)[1])}
    review = reversed(list(enumerate(record.get("review") or ())))
    ranked = {row["annotator"]: place for place, row in review}  # the first of each

    def evidence(name: str) -> tuple[float, bool, int, int, str]:
        rate = min((flag["q"] for flag in people[name]["flags"]), default=1.0)
        met = name not in below
        return rate, met, ranked.get(name, len(ranked)), place.get(name, len(place)), name

    return {name: remarks[name] for name in sorted(people, key=evidence)}


def evidence_of(name: str, flag: Mapping[str, Any]) -> Request:
    """Return what shows the items of a flag, with the annotator's own answers marked."""
    items = "\n".join(flag["items"])
    return {"annotator": name, "items": items} if items else {"annotator": name}


def evidence_items(record: Record) -> frozenset[str]:
    """Return the items that findings on annotators rest on."""
    people = record.get("per_annotator") or {}
    flags = [flag for person in people.values() for flag in person["flags"]]
    return frozenset(
        item for row in (*flags, *(record.get("review") or ())) for item in row["items"]
    )


def ranking_name(record: Record, key: str) -> str:
    """Return what a ranking of annotators is called."""
    if key == "alpha_vs_rest":
        return "alpha against the others"
    if key == "agreement_with_majority":
        return "share equal to the majority of the others"
    if whole(record):
        return f"{name_of(measure_of(record))} against the others"
    return "share equal to the others"


def _nothing(record: Record) -> Iterator[Finding]:
    yield Finding(
        "There is no vote to compare: the file holds no raw judgements, or all of its records were"
        " quarantined.",
        warning=True,
    )
    if record.get("reports"):
        yield Finding(f"There are {count(record['reports'], 'report')}, and no answer.")


def _lead(record: Record) -> Iterator[Finding]:
    lead, name = lead_of(record), name_of(record.get("lead"))
    if lead is None:
        return
    if lead["value"] is None:
        yield Finding(f"{name} has no value: {lead['reason']}.", warning=True)
    elif "alpha" in str(record["lead"]):
        value = lead["value"]
        judgement = (
            f"{_FIRM} and above is customary for firm conclusions"
            if value >= _FIRM
            else f"between {_LOW} and {_FIRM}, customary for tentative conclusions only"
            if value >= _LOW
            else f"below {_LOW}, under which conclusions are customarily not drawn"
        )
        yield Finding(f"{name} is {value:.3f}: {judgement}.", warning=value < _LOW)


def _people(record: Record) -> Iterator[Finding]:
    people = record.get("per_annotator", {})
    if not people:
        return
    odd = [
        Finding(f"Annotator {name}: {flag['text']}", evidence_of(name, flag), warning=True)
        for name in odd_first(record)
        for flag in people[name]["flags"]
    ]
    yield from odd[:LISTED]
    if len(odd) > LISTED:
        yield Finding(f"{count(len(odd) - LISTED, 'more remark')} on annotators: see their table.")
    met = (record.get("exclusion") or {}).get("below") or {}
    for name, why in list(met.items())[:LISTED]:
        text = f"Annotator {name} meets the spec's rule of exclusion: {in_words(why)}."
        yield Finding(text, {"annotator": name}, warning=True)
    if len(met) > LISTED:
        yield Finding(f"{count(len(met) - LISTED, 'more annotator')} under the rule of exclusion.")
    if not odd:
        yield from _calm(record, people)
    untested = record.get("untested") or {}
    if untested and len(untested) < len(people):
        listed = ", ".join(f"{name} ({why})" for name, why in list(untested.items())[:LISTED])
        more = f" and {len(untested) - LISTED:,} more" if len(untested) > LISTED else ""
        yield Finding(f"{count(len(untested), 'annotator')} untested: {listed}{more}.")


def _calm(record: Record, people: Mapping[str, Any]) -> Iterator[Finding]:
    key, ranked = lowest(record)
    untested = record.get("untested") or {}
    if len(untested) < len(people):
        yield Finding("No annotator stands out by the tests for odd ones.")
    else:
        yield Finding(f"Nobody was tested for being odd: {next(iter(untested.values()))}.")
    if len(ranked) > 2:  # two agree with each other alike
        name, value = ranked[0]
        middle = median(value for _, value in ranked)
        yield Finding(
            f"Lowest {ranking_name(record, key)}: annotator {name} with {value:.3f} on"
            f" {count(people[name]['items_shared'], 'shared item')}; the median is {middle:.3f}.",
            {"annotator": name},
        )


def _items(record: Record) -> Iterator[Finding]:
    rows = record["per_item"]
    split = sum(1 for row in rows if (row["disagreement"] or 0) >= DISPUTED)
    if split:
        text = f"{count(split, 'item')} with a disagreement of {DISPUTED} or more."
        yield Finding(text, {"above": str(DISPUTED)})
    tied = sum(1 for row in rows if row["majority"] is None and row["n"] > 1)
    if tied and record.get("kind") == "category":
        yield Finding(f"{count(tied, 'item')} without a most frequent answer.", {"only": "tie"})
    unresolved = (record.get("gold") or {}).get("unresolved")
    if unresolved:
        yield Finding(f"{count(unresolved, 'item')} without gold by the spec's rule.")
    reported = sum(1 for row in rows if row.get("reports"))
    if reported:
        reasons = record.get("report_reasons") or {}
        listed = ", ".join(f"{name} {n:,}" for name, n in reasons.items())
        ending = f" ({listed})" if listed else ""
        text = f"{count(reported, 'item')} reported by annotators{ending}."
        yield Finding(text, {"only": "reported"}, warning=True)


def _weakest(record: Record) -> Iterator[Finding]:
    label = _least(
        {
            n: counts["agreement"]
            for n, counts in record.get("per_label", {}).items()
            if (isinstance(counts.get("agreement"), Mapping) and counts["votes"] >= ENOUGH)
        }
    )
    if label:
        show = None if record.get("kind") == "states" else {"label": label[0]}
        yield Finding(f"People agree least on {label[0]}: {label[1]:.3f}.", show)
    sources = record.get("per_source", {})
    firsts = {name: next(iter(source["coefficients"].values())) for name, source in sources.items()}
    source = _least(firsts)
    if source:
        text = f"Of the sources, {source[0]} has the least agreement: {source[1]:.3f}."
        yield Finding(text, {"source": source[0]})


def _least(estimates: Mapping[str, Mapping[str, Any]]) -> tuple[str, float] | None:
    known = {name: e["value"] for name, e in estimates.items() if e["value"] is not None}
    return min(known.items(), key=lambda x: (x[1], x[0])) if len(known) > 2 else None


def _confusion(record: Record) -> Iterator[Finding]:
    top = (record.get("confusion") or {}).get("top") or []
    if top and len(record["confusion"]["labels"]) > 2:
        first = top[0]
        text = f"Most often mixed up: {first['a']} and {first['b']}"
        show = {"label": str(first["a"]), "other": str(first["b"])}
        yield Finding(f"{text} ({first['share']:.1%} of all pairs of votes that differ).", show)


def _quarantine(record: Record) -> Iterator[Finding]:
    for rule, n in sorted(record.get("refused", {}).items(), key=lambda x: (-x[1], x[0])):
        yield Finding(f"{count(n, 'record')} quarantined by {rule}.", warning=True)
    if record.get("no_annotators") and record["votes"]:
        yield Finding(sentence(record["no_annotators"]))
