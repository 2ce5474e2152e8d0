"""The model card of the `linear` detector, and the figures on it, which are measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.corpus.toxicity.calibration import (
    HATE_CLASSES,
    PAPER,
    Figures,
    Labelled,
    measure,
    truth_of,
)
from pipeline.corpus.toxicity.linear import Linear
from pipeline.corpus.toxicity.scoring import COLUMNS


@dataclass(frozen=True)
class Quality:
    """What weights reach on labelled texts they were not trained on.

    `thresholds` holds, by score, the figures at the paper's threshold and, where one was proposed,
    at that.
    """

    texts: int
    average_precision: float
    hate_average_precision: float
    macro_f1: float
    class_f1: dict[str, float]
    thresholds: dict[str, list[Figures]]


def evaluate(model: Linear, labelled: Labelled, proposed: dict[str, float | None]) -> Quality:
    """Measure weights on labelled texts, at the paper's thresholds and at the proposed ones."""
    from sklearn.metrics import average_precision_score, f1_score

    predicted = np.argmax(model.probabilities(labelled.texts)[:, 1:], axis=1)
    classes = f1_score(labelled.hate, predicted, average=None, labels=[0, 1, 2], zero_division=0)
    scores, truths = model.score(labelled.texts), truth_of(labelled)
    precision, thresholds = {}, {}
    for name in COLUMNS:
        values, truth = scores.column(name).to_numpy(), truths[name]
        precision[name] = round(float(average_precision_score(truth, values)), 4)
        steps = [PAPER[name], proposed.get(name)]
        thresholds[name] = [measure(values, truth, t) for t in steps if t is not None]
    return Quality(
        texts=len(labelled),
        average_precision=precision["gender_bias"],
        hate_average_precision=precision["hate"],
        macro_f1=round(float(np.mean(classes)), 4),
        class_f1={c: round(float(f), 4) for c, f in zip(HATE_CLASSES, classes, strict=True)},
        thresholds=thresholds,
    )


def figures(quality: Quality) -> str:
    """Return the part of the card that holds the figures."""
    shares = ", ".join(f"{name} {value:.4f}" for name, value in quality.class_f1.items())
    lines = [
        f"Texts: {quality.texts:,}.",
        "",
        "| figure | value |",
        "|---|---|",
        f"| gender bias, average precision | {quality.average_precision:.4f} |",
        f"| hate (class `hate`), average precision | {quality.hate_average_precision:.4f} |",
        f"| three classes of hate, macro F1 | {quality.macro_f1:.4f} |",
        "",
        f"F1 by class: {shares}.",
        "",
        "| score | threshold | precision | recall | share dropped |",
        "|---|---|---|---|---|",
    ]
    for name, rows in quality.thresholds.items():
        for row, label in zip(rows, ("the paper's", "proposed"), strict=False):
            lines.append(
                f"| {name} | {row.threshold:g} ({label}) | {_share(row.precision)} |"
                f" {_share(row.recall)} | {_share(row.dropped)} |"
            )
    return "\n".join(lines)


def _share(value: float | None) -> str:
    return "none" if value is None else f"{value:.4f}"


def card(model: Linear, quality: Quality, facts: dict[str, Any]) -> str:
    """Return the model card; `facts` are those that the training wrote beside the weights."""
    held_out = facts["held_out"]
    more = [
        f"- {found['texts']:,} {_USES[name]} (SHA-256 `{found['sha256'][:16]}...`)"
        + (f"; {found['left_out']:,} that are dev comments were left out" * bool(found["left_out"]))
        for name, found in sorted(facts["more"].items())
    ]
    lacking = " and ".join(name for name, value in facts["proposed"].items() if value is None)
    return _CARD.format(
        digest=model.digest,
        train_texts=f"{facts['train']['texts']:,}",
        train_digest=facts["train"]["sha256"][:16],
        more="".join(f"{line}\n" for line in more),
        dev_digest=facts["dev"]["sha256"][:16],
        recipe="\n".join(f"- {name}: {value}" for name, value in sorted(facts["recipe"].items())),
        held_out=f"{held_out['average_precision']:.4f} average precision for gender bias and"
        f" {held_out['macro_f1']:.4f} macro F1",
        figures=figures(quality),
        option="".join(f" --{name} FILE" for name in facts["more"]),
        precision=facts["precision"],
        lacking=f" None reaches that for {lacking}." if lacking else "",
    )


_USES = {
    "unlabelled": "unlabelled comments, for document frequencies alone",
    "harmless": "lines of harmless sentences, written for this project (CC0)",
    "pool": "texts of the official KLUE releases, of which the most useful were taken as harmless",
}
_CARD = """\
# toxicity-linear

Scores Korean sentences for gender bias and hate speech: a linear model over hashed n-grams of
syllables and jamo. This page is written by `tools/train_toxicity.py`; do not edit it.

- Weights: `weights.safetensors`, SHA-256 `{digest}`
- Licence: CC BY-SA 4.0, as the data it is made from
- Data: the Korean hate speech dataset, news comments of a Korean portal's entertainment section:
  {train_texts} labelled comments (SHA-256 `{train_digest}...`)
{more}\
- Attribution: Jihyung Moon, Won Ik Cho and Junbum Lee (2020), "BEEP! Korean Corpus of Online News
  Comments for Toxic Speech Detection", SocialNLP, https://aclanthology.org/2020.socialnlp-1.4;
  Sungjoon Park et al. (2021), "KLUE: Korean Language Understanding Evaluation".
  Changes: the texts were turned into weights of hashed n-grams; none can be read off them.

## What it says

- `gender_bias`: the probability that annotators found gender bias (`contain_gender_bias`).
- `hate`: the share of the class `hate` among none, offensive and hate, where each class counts the
  same. The three-class prediction is the largest of the three shares.

## Figures on the dev set

Settings and proposed thresholds come from cross-validation inside the training set,
where the model reaches {held_out}.
The dev set (SHA-256 `{dev_digest}...`) chose none of them, but its figures were
seen while the settings were compared.

{figures}

A proposed threshold is the lowest at which {precision:.0%} of what the training set loses deserves
it, each text scored by a model that has not seen it.{lacking}

## Recipe

Five logistic regressions (gender bias, other bias, any hate, offensive, hate) over values weighted
by document frequencies and log ratios, harmless texts with a small weight, and a mixture of the
five for each logit (gender bias, none, offensive, hate), fitted on held-out texts. Settings:

{recipe}

The weights are rounded to one byte; a score is rounded to 1e-6 and depends on nothing but its text.

## Intended use and limits

For taking sentences out of a corpus of colloquial Korean before people annotate it. Not for judging
people or what they wrote, and not for moderation without someone who looks.

- It learned from comments on entertainment news of one portal and time. Elsewhere it finds little,
  and its scores say less: use the thresholds of docs/toxicity.md for the registers it was judged
  on, and no threshold (`flag`) for others. The formal news of KLUE must not be screened (Section
  2.3 of the paper).
- It sees words, not meaning: it can take the names of groups (women, men, regions, nationalities)
  for toxicity where they are reported or defended, and it misses irony and new words.
- It reads Korean alone: a text without Hangul, or with less than 30 % of it among its letters, has
  no score. A text above 140 characters has the score of its worst window.
- Its scores are less extreme than those of the paper's models: at 0.9 it finds little hate. Use
  thresholds of your own (`klue toxicity calibrate`) with labelled sentences of your source.
- The dev set is small: a figure may differ by some hundredths on other comments of the same kind.

## Make it again

    python tools/train_toxicity.py --train TRAIN.tsv --dev DEV.tsv{option} --out DIR

The same data and library versions (`constraints.txt`) on the same kind of processor give the same
bytes; another linear algebra library may round single weights differently.
"""
