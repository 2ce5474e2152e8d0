"""What coefficients and measures are called in the page, and what they say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pipeline.report.page import Form

Record = Mapping[str, Any]


class Measure(NamedTuple):
    """A measure of annotators: its heading, what it says, how it is written."""

    title: str
    help: str
    form: Form = "number"


_ALPHA = "1 - observed / expected disagreement; any number of votes an item, missing ones too"
_CHANCE = "agreement beyond chance, where chance is "
#: Names in the record, with a title and what they say.
COEFFICIENTS: Final = {
    "krippendorff_alpha_nominal": ("Krippendorff's alpha, nominal", f"{_ALPHA}; labels as names"),
    "krippendorff_alpha_ordinal": ("Krippendorff's alpha, ordinal", f"{_ALPHA}; labels as ranks"),
    "krippendorff_alpha_interval": (
        "Krippendorff's alpha, interval",
        f"{_ALPHA}; squared differences of scores",
    ),
    "krippendorff_alpha_ratio": ("Krippendorff's alpha, ratio", f"{_ALPHA}; relative differences"),
    "krippendorff_alpha_u": (
        "Krippendorff's unitised alpha",
        "1 - observed / expected disagreement on where spans stand and what type they have",
    ),
    "gamma": ("Gamma", "1 - observed / expected disorder of the best alignment of all spans"),
    "gamma_cat": ("Gamma-cat", "the same of the categories of aligned spans alone"),
    "krippendorff_alpha_masi": (
        "Krippendorff's alpha, MASI",
        f"{_ALPHA}; distance of sets of labels that counts shared and nested ones in part",
    ),
    "krippendorff_alpha_jaccard": (
        "Krippendorff's alpha, Jaccard",
        f"{_ALPHA}; 1 - shared labels / all labels of two answers",
    ),
    "cohen_kappa": ("Cohen's kappa", f"{_CHANCE}from each of two people's own labels"),
    "weighted_kappa": ("Weighted kappa", "Cohen's kappa that counts close answers in part"),
    "fleiss_kappa": ("Fleiss' kappa", f"{_CHANCE}from the labels of all together"),
    "scott_pi": ("Scott's pi", f"{_CHANCE}from the labels of two people together"),
    "conger_kappa": ("Conger's kappa", f"{_CHANCE}from each annotator's own labels"),
    "randolph_kappa": ("Randolph's kappa", f"{_CHANCE}the same for every label"),
    "bennett_s": ("Bennett's S", f"{_CHANCE}the same for every label; two people"),
    "brennan_prediger": ("Brennan-Prediger", f"{_CHANCE}the same for every label"),
    "gwet_ac1": ("Gwet's AC1", f"{_CHANCE}small where one label is very frequent"),
    "gwet_ac2": ("Gwet's AC2", "AC1 that counts close answers in part"),
    "percent_agreement_units": (
        "Percent agreement, mean over items",
        "share of equal pairs of votes of an item, every item counting the same",
    ),
    "percent_agreement_ratings": (
        "Percent agreement, mean over votes",
        "share of equal pairs of votes, an item counting as often as it has votes",
    ),
    "entity_f1": ("Span F1", "equal spans: start, end and type; over all pairs of people"),
    "boundary_f1": ("Boundary F1", "spans with equal start and end, whatever their type"),
    "overlap_f1": ("Overlap F1", "spans of a type that share a character with one of that type"),
    "las": ("LAS", "share of words to which two people give the same head and relation"),
    "uas": ("UAS", "share of words to which two people give the same head"),
    "masi": ("MASI", "likeness of two sets of labels, 1 - MASI distance; over all pairs of people"),
    "jaccard": ("Jaccard", "shared labels / all labels of two answers; over all pairs of people"),
    "label_f1": ("Label F1", "labels that two people both give; over all pairs of people"),
    "joint_goal": ("Joint goal agreement", "share of user turns with equal states"),
    "slot_f1": ("Slot F1", "F1 of the slot-values of a user turn, mean over turns"),
    "pearson": ("Pearson's r", "correlation of the scores on the items both have"),
    "percent_agreement": ("share of equal labels", "on the items both have"),
}
#: Fields of an annotator in the record, in the order of the table.
MEASURES: Final = {
    "items_shared": Measure("shared items", "items of theirs that others answered too", "count"),
    "alpha_vs_rest": Measure(
        "alpha", "alpha of their votes against those of the others, on shared items"
    ),
    "alpha_vs_rest_nominal": Measure(
        "nominal alpha", "the same with scores as names: only equal ones agree"
    ),
    "agreement_vs_rest": Measure(
        "equal to others", "share of the other votes on their items that are equal to theirs"
    ),
    "agreement_with_majority": Measure(
        "equal to majority", "share of their votes equal to what most of the others said"
    ),
    "pearson_vs_rest": Measure(
        "Pearson", "correlation with the mean of the others on shared items"
    ),
    "spearman_vs_rest": Measure(
        "Spearman", "rank correlation with the mean of the others on shared items"
    ),
    "alpha_change": Measure(
        "alpha without",
        "alpha of all votes without theirs, minus alpha with them: above 0 means"
        " that the others agree better alone",
    ),
    "bias": Measure("bias", "mean difference to the mean of the others, in points"),
    "severity_points": Measure(
        "severity", "the bias once items and co-annotators are accounted for, in points"
    ),
    "severity": Measure(
        "severity (deviations)",
        "the severity in robust standard deviations from the median annotator; beyond 3 is odd",
    ),
    "spread": Measure(
        "spread",
        "scores: standard deviation of their own; labels: their entropy, 1 is all labels alike",
    ),
    "seconds_median": Measure("seconds", "median time an answer took"),
}


def name_of(key: str | None) -> str:
    """Return the title of a coefficient or measure of the record."""
    if key in COEFFICIENTS:
        return COEFFICIENTS[key][0]
    return str(key or "agreement").replace("_", " ")


def about(key: str) -> str:
    """Return what a coefficient says, or nothing where its name is not known."""
    return COEFFICIENTS[key][1] if key in COEFFICIENTS else ""


def in_words(field: str) -> str:
    """Return a text of the record in which fields of annotators are named by their headings."""
    for key in sorted(MEASURES, key=len, reverse=True):
        field = field.replace(key, MEASURES[key].title)
    return field


def gold_counts(record: Record) -> dict[str, int]:
    """Return what aggregation made of the votes: items by outcome, rule and queue."""
    gold = record.get("gold") or {}
    outcomes = ("resolved", "unresolved", "removed")
    counts = {f"items {name}": gold[name] for name in outcomes if name in gold}
    for key, prefix in (("rules", "by rule"), ("queues", "waiting in queue")):
        counts |= {f"{prefix} {name}": n for name, n in (gold.get(key) or {}).items()}
    if gold.get("matches_official") is not None:
        of = f"{gold['official']:,}" if gold.get("official") is not None else "all"
        counts[f"equal to the file's own label (of {of})"] = gold["matches_official"]
    return counts


def shares(record: Record) -> dict[str, float | None]:
    """Return the facts of a record that are shares; None has no value."""
    facts = record.get("facts") or {}
    return {k: v for k, v in facts.items() if v is None or isinstance(v, int | float)}


def measure_of(record: Record) -> str:
    """Return what people are compared by where answers are spans, trees or states."""
    people = record.get("per_annotator", {}).values()
    compared = (n for n in record["coefficients"] if any(f"{n}_vs_rest" in p for p in people))
    ranks = (record.get("pairs") or {}).get("measure")
    return str(ranks or next(compared, None) or record.get("lead"))


def lead_of(record: Record) -> Mapping[str, Any] | None:
    """Return the estimate of the coefficient that comes first."""
    lead: Mapping[str, Any] | None = record["coefficients"].get(record.get("lead"))
    return lead


def whole(record: Record) -> bool:
    """Tell whether answers are spans, trees or states rather than labels or scores."""
    return record.get("kind") not in ("category", "number", None)


def sentence(text: str) -> str:
    """Return a text as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def natural(text: str) -> list[tuple[int, int, str]]:
    """Return a key that sorts 2 before 10."""
    parts = re.split(r"(\d+)", text)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def label_counts(record: Record) -> dict[str, int]:
    """Return the votes of each label: in the order of the spec, else sorted."""
    labels = {str(k): n for k, n in (record.get("distributions", {}).get("labels") or {}).items()}
    if record.get("spec") or record.get("kind") == "number":
        return labels
    return {name: labels[name] for name in sorted(labels, key=natural)}
