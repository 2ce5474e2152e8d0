"""From labelled files to a folder of weights with its model card, whose figures are measured."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_file
from pipeline.corpus.toxicity.calibration import (
    PRECISION,
    Quality,
    evaluate,
    propose,
    truth_of,
)
from pipeline.corpus.toxicity.data import Labelled, read_labelled
from pipeline.corpus.toxicity.linear import WEIGHTS, Linear, facts_of, load_linear, save_linear
from pipeline.corpus.toxicity.training import Recipe, Trained, train

CARD = "README.md"


class Release(NamedTuple):
    """Weights as they lie in their folder, and what they reach on the dev set."""

    model: Linear
    quality: Quality


def train_release(
    train_file: Path,
    dev_file: Path,
    out: Path,
    *,
    unlabelled: Path | None = None,
    recipe: Recipe | None = None,
    force: bool = False,
) -> Release:
    """Train on one file, measure on the other, write weights and card into a folder.

    Raises InputError when the folder holds weights already (unless `force`), when the two files
    are the same or share comments, and for files that are not as they should be.
    """
    recipe = recipe or Recipe()
    for path in (out / WEIGHTS, out / CARD):
        if path.exists() and not force:
            raise InputError(f"{path}: exists; name another folder, or replace it with --force")
    labelled, dev = read_disjoint(train_file, dev_file)
    more, unlabelled_facts = None, None
    if unlabelled:
        lines = _read_lines(unlabelled)
        # Weights must not know dev comments.
        known = pa.array(sorted(_stripped(dev)), pa.string())
        more = lines.filter(pc.invert(pc.is_in(lines, known)))
        counts = {"texts": len(more), "left_out": len(lines) - len(more)}
        unlabelled_facts = {**counts, "sha256": of_file(unlabelled)}
    trained = train(labelled, more, recipe=recipe)
    facts = {
        "recipe": recipe.record(),
        "train": {"texts": len(labelled), "sha256": of_file(train_file)},
        "dev": {"texts": len(dev), "sha256": of_file(dev_file)},
        "unlabelled": unlabelled_facts,
        **_training_facts(labelled, trained),
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
        save_linear(out, trained.model, facts=facts)
        # What is measured and described is what was written.
        model, facts = load_linear(out), facts_of(out)
        quality = evaluate(model, dev, facts["proposed"])
        (out / CARD).write_text(card(model, quality, facts), "utf-8")
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror or error}") from None
    return Release(model, quality)


def read_disjoint(train_file: Path, dev_file: Path) -> tuple[Labelled, Labelled]:
    """Return the comments of two files; raises InputError for files that share some."""
    labelled, dev = read_labelled(train_file), read_labelled(dev_file)
    shared = len(_stripped(labelled) & _stripped(dev))
    if shared:
        raise InputError(
            f"{dev_file}: {shared:,} of its comments are in {train_file} too; figures would praise"
            " what was learned by heart; give other comments"
        )
    return labelled, dev


def _stripped(labelled: Labelled) -> set[str]:
    return {text.strip() for text in labelled.texts.to_pylist()}


def _training_facts(labelled: Labelled, trained: Trained) -> dict[str, Any]:
    """Return what the card says of cross-validation inside the training texts."""
    from sklearn.metrics import average_precision_score, f1_score

    held_out, truths = trained.held_out, truth_of(labelled)
    scores = {"gender_bias": held_out[:, 0], "hate": held_out[:, 3]}
    proposed = {name: propose(values, truths[name]) for name, values in scores.items()}
    bias = average_precision_score(labelled.gender_bias, held_out[:, 0])
    hate = f1_score(labelled.hate, held_out[:, 1:].argmax(axis=1), average="macro")
    return {
        "held_out": {"average_precision": round(float(bias), 4), "macro_f1": round(float(hate), 4)},
        "slopes": [round(float(value), 4) for value in trained.slopes],
        "shifts": [round(float(value), 4) for value in trained.shifts],
        "precision": PRECISION,
        "proposed": {name: own and own.threshold for name, own in proposed.items()},
        "proposed_on_train": {name: own and asdict(own) for name, own in proposed.items()},
    }


def _read_lines(path: Path) -> pa.Array:
    try:
        lines = path.read_text("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; check the path") from None
    distinct = dict.fromkeys(line.strip() for line in lines)
    return pa.array([line for line in distinct if line], pa.string())


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
    unlabelled, held_out = facts["unlabelled"], facts["held_out"]
    more = ""
    if unlabelled:
        left_out = unlabelled["left_out"]
        more = (
            f"\n  and {unlabelled['texts']:,} unlabelled comments (SHA-256"
            f" `{unlabelled['sha256'][:16]}...`)\n  for document frequencies alone; "
        )
        more += (
            f"{left_out:,} that are dev comments were left out"
            if left_out
            else "no dev comment is among them"
        )
    lacking = " and ".join(name for name, value in facts["proposed"].items() if value is None)
    return _CARD.format(
        digest=model.digest,
        train_texts=f"{facts['train']['texts']:,}",
        train_digest=facts["train"]["sha256"][:16],
        more=more,
        dev_digest=facts["dev"]["sha256"][:16],
        recipe="\n".join(f"- {name}: {value}" for name, value in sorted(facts["recipe"].items())),
        held_out=f"{held_out['average_precision']:.4f} average precision for gender bias and"
        f" {held_out['macro_f1']:.4f} macro F1",
        slopes=", ".join(f"{value:g}" for value in facts["slopes"]),
        shifts=", ".join(f"{value:g}" for value in facts["shifts"]),
        figures=figures(quality),
        option=" --unlabelled FILE" if unlabelled else "",
        precision=facts["precision"],
        lacking=f" None reaches that for {lacking}." if lacking else "",
    )


_CARD = """\
# toxicity-linear

Scores Korean sentences for gender bias and hate speech: a linear model over hashed n-grams of
syllables and jamo. This page is written by `klue toxicity train`; do not edit it.

- Weights: `weights.safetensors`, SHA-256 `{digest}`
- Licence: CC BY-SA 4.0, as the data it is made from
- Data: the Korean hate speech dataset, news comments of a Korean portal's entertainment section:
  {train_texts} labelled comments (SHA-256 `{train_digest}...`){more}
- Attribution: Jihyung Moon, Won Ik Cho and Junbum Lee (2020), "BEEP! Korean Corpus of Online News
  Comments for Toxic Speech Detection", SocialNLP, https://aclanthology.org/2020.socialnlp-1.4.
  Changes: the comments were turned into weights of hashed n-grams; none can be read off them.

## What it says

- `gender_bias`: the probability that annotators found gender bias (`contain_gender_bias`).
- `hate`: the share of the class `hate` among none, offensive and hate, where each class counts the
  same. The three-class prediction is the largest of the three shares.

## Figures on the dev set

Settings, slopes, shifts and proposed thresholds come from cross-validation inside the training set,
where the model reaches {held_out}.
The dev set (SHA-256 `{dev_digest}...`) chose none of them, but its figures were
seen while the settings were compared.

{figures}

A proposed threshold is the lowest at which {precision:.0%} of what the training set loses deserves
it, each text scored by a model that has not seen it.{lacking}

## Recipe

Logistic regression, one for gender bias and one for the three classes of hate, these weighted so
that each class counts the same. Settings:

{recipe}

Each logit (gender bias, none, offensive, hate) is then given a slope and a shift, fitted on
held-out texts:

- slopes: {slopes}
- shifts: {shifts}

The weights are rounded to one byte; a score is rounded to 1e-6 and depends on nothing but its text.

## Intended use and limits

For taking sentences out of a corpus of colloquial Korean before people annotate it. Not for judging
people or what they wrote, and not for moderation without someone who looks.

- It learned from comments on entertainment news of one portal and time. On formal text, such as
  news articles, it is of no use and must not be applied (Section 2.3 of the KLUE paper).
- It sees words, not meaning: it takes the names of groups (women, men, regions, nationalities) for
  toxicity, also where they are reported, counted or defended, and it misses irony and new words.
- Its scores are less extreme than those of the paper's models: at 0.9 it finds little hate. Use
  thresholds of your own (`klue toxicity calibrate`) with labelled sentences of your source.
- The dev set is small: a figure may differ by some hundredths on other comments of the same kind.

## Make it again

    klue toxicity train --train TRAIN.tsv --dev DEV.tsv{option} --out DIR

The same data and library versions (`constraints.txt`) on the same kind of processor give the same
bytes; another linear algebra library may round single weights differently.
"""
