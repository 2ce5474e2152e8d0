"""The model card of a tagger: every figure in it is measured, none is typed."""

from __future__ import annotations

from typing import Any, Final


def card(facts: dict[str, Any]) -> str:
    """Return the model card of the facts that lie with the weights."""
    quality = facts["quality"]
    return _CARD.format(
        digest=facts["content"],
        features=facts["features"],
        labels=", ".join(facts["labels"]),
        licence=_OFFICIAL if facts["official"] else _OTHER,
        data=_data(facts["data"]),
        train=f"{facts['train']['texts']:,}",
        train_entities=f"{facts['train']['entities']:,}",
        texts=f"{quality['texts']:,}",
        share=f"{facts['held_out']:.0%}",
        seed=facts["seed"],
        micro=f"{quality['micro']['f1']:.4f}",
        macro=f"{quality['macro_f1']:.4f}",
        by_label=_table("type", quality["by_label"], quality["micro"]),
        by_source=_table("source", quality["by_source"], None),
        recipe="\n".join(f"- {key}: {value}" for key, value in sorted(facts["recipe"].items())),
        libraries=", ".join(f"{key} {value}" for key, value in sorted(facts["libraries"].items())),
        again=f"--held-out {facts['held_out']:g} --seed {facts['seed']}",
    )


def _data(files: list[dict[str, Any]]) -> str:
    told = [f"{one['texts']:,} texts (SHA-256 `{one['sha256'][:16]}...`)" for one in files]
    return ", ".join(told)


def _table(what: str, rows: dict[str, Any], total: dict[str, Any] | None) -> str:
    lines = [f"| {what} | gold | found | precision | recall | F1 |", "|---|---|---|---|---|---|"]
    lines += [_row(name or "unnamed", one) for name, one in rows.items()]
    return "\n".join([*lines, _row("all", total)] if total else lines)


def _row(name: str, one: dict[str, Any]) -> str:
    shares = " | ".join(f"{one[key]:.4f}" for key in ("precision", "recall", "f1"))
    return f"| {name} | {one['gold']:,} | {one['found']:,} | {shares} |"


_OFFICIAL: Final = """\
- Licence: CC BY-SA 4.0, as the data it is made from
- Attribution: KLUE-NER of Sungjoon Park et al. (2021), "KLUE: Korean Language Understanding
  Evaluation", NeurIPS Datasets and Benchmarks, https://klue-benchmark.com. Changes: its development
  set was turned into weights of features; these hold single words and pairs of words of it."""

_OTHER: Final = """\
- Licence: that of the data it is made from; say here what that is before you pass it on"""

_CARD: Final = """\
# Tagger of named entities

Finds named entities in Korean text: a conditional random field over morphemes (mecab-ko). This page
is written by `klue tagger train`; do not edit it.

- Weights: `weights.crfsuite`, SHA-256 `{digest}`
- Types: {labels}
- Features: version {features}; facts of the making: `facts.json`
- Data: {data}
{licence}

## Figures

Held out from training: {texts} texts, a keyed draw of {share} with seed {seed} (equal texts fall on
one side). The weights in this folder are made from the other {train} texts with {train_entities}
entities alone, so the figures are theirs. An entity counts as right if its type and both ends are.

**Entity F1: {micro} over all entities (micro), {macro} as the mean of the types (macro).**

{by_label}

{by_source}

Features and penalties were chosen on other draws from the development set of KLUE-NER, which
overlap with this one where it is of the same set: there the figures may flatter a little.

## Recipe

{recipe}
- libraries: {libraries}

## Intended use and limits

For finding texts worth annotating and for marking them beforehand, so that annotators correct
instead of starting from nothing. Not for finding personal data: it misses names.

- Marks made beforehand draw annotators to what the tagger believes. Measure agreement also on texts
  without them.
- It knows names by their form, their neighbours and the dictionary of mecab-ko; rare names,
  titles of works and nicknames are missed or take the type of their neighbours.
- A score is the least marginal probability of a morpheme in the entity, not of the entity.
- Do not use it to build a benchmark whose texts are those it was trained on.

## Make it again

    klue tagger train FILE... {again} --out DIR

The same data and library versions (`constraints.txt`) on the same kind of processor give the same
bytes.
"""
