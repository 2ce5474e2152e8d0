"""From labelled files to a folder of weights with its model card."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_file
from pipeline.corpus.toxicity.calibration import PRECISION, propose, truth_of
from pipeline.corpus.toxicity.card import Quality, card, evaluate
from pipeline.corpus.toxicity.data import Labelled, read_labelled
from pipeline.corpus.toxicity.linear import WEIGHTS, Linear, facts_of, load_linear, save_linear
from pipeline.corpus.toxicity.training import Recipe, Trained, train

CARD = "README.md"


class Made(NamedTuple):
    """Weights as they lie in their folder, and what they reach on the dev set."""

    model: Linear
    quality: Quality


def make(
    train_file: Path,
    dev_file: Path,
    out: Path,
    *,
    unlabelled: Path | None = None,
    recipe: Recipe | None = None,
    force: bool = False,
) -> Made:
    """Train on one file, measure on the other, write weights and card into a folder.

    Raises InputError when the folder holds weights already (unless `force`), when the two files
    are the same or share comments, and for files that are not as they should be.
    """
    recipe = recipe or Recipe()
    for path in (out / WEIGHTS, out / CARD):
        if path.exists() and not force:
            raise InputError(f"{path}: exists; name another folder, or replace it with --force")
    labelled, dev = read_apart(train_file, dev_file)
    lines = _lines(unlabelled) if unlabelled else None
    more = _apart(lines, dev) if lines is not None else None
    trained = train(labelled, more, recipe=recipe)
    facts = _facts(labelled, dev, trained, recipe)
    facts["train"]["sha256"], facts["dev"]["sha256"] = of_file(train_file), of_file(dev_file)
    if unlabelled and lines is not None and more is not None:
        left_out = len(lines) - len(more)
        counts = {"texts": len(more), "left_out": left_out}
        facts["unlabelled"] = {**counts, "sha256": of_file(unlabelled)}
    return _written(out, trained.model, dev, facts)


def read_apart(train_file: Path, dev_file: Path) -> tuple[Labelled, Labelled]:
    """Return the comments of two files; raises InputError for files that share some."""
    labelled, dev = read_labelled(train_file), read_labelled(dev_file)
    _check_apart(labelled, dev, train_file, dev_file)
    return labelled, dev


def _written(out: Path, trained: Linear, dev: Labelled, facts: dict[str, Any]) -> Made:
    """Write the weights and, from what was written, their figures and their card."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        save_linear(out, trained, facts=facts)
        model, facts = load_linear(out), facts_of(out)
        quality = evaluate(model, dev, facts["proposed"])
        (out / CARD).write_text(card(model, quality, facts), "utf-8")
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror or error}") from None
    return Made(model, quality)


def _check_apart(labelled: Labelled, dev: Labelled, train_file: Path, dev_file: Path) -> None:
    shared = len(_stripped(labelled) & _stripped(dev))
    if shared:
        raise InputError(
            f"{dev_file}: {shared:,} of its comments are in {train_file} too; figures would praise"
            " what was learned by heart; give other comments"
        )


def _apart(unlabelled: pa.Array, dev: Labelled) -> pa.Array:
    """Leave out unlabelled comments that are dev comments: weights must not know these."""
    known = pa.array(sorted(_stripped(dev)), pa.string())
    return unlabelled.filter(pc.invert(pc.is_in(unlabelled, known)))


def _stripped(labelled: Labelled) -> set[str]:
    return {text.strip() for text in labelled.texts.to_pylist()}


def _facts(labelled: Labelled, dev: Labelled, trained: Trained, recipe: Recipe) -> dict[str, Any]:
    """Return what the card says besides the figures on the dev set; stored with the weights."""
    held_out, truths = trained.held_out, truth_of(labelled)
    scores = {"gender_bias": held_out[:, 0], "hate": held_out[:, 3]}
    found = {name: propose(values, truths[name]) for name, values in scores.items()}
    return {
        "recipe": recipe.record(),
        "train": {"texts": len(labelled)},
        "dev": {"texts": len(dev)},
        "unlabelled": None,
        "held_out": _cross_validated(labelled, trained),
        "slopes": [round(float(value), 4) for value in trained.slopes],
        "shifts": [round(float(value), 4) for value in trained.shifts],
        "precision": PRECISION,
        "proposed": {name: figures and figures.threshold for name, figures in found.items()},
        "proposed_on_train": {name: figures and asdict(figures) for name, figures in found.items()},
    }


def _cross_validated(labelled: Labelled, trained: Trained) -> dict[str, float]:
    from sklearn.metrics import average_precision_score, f1_score

    found = trained.held_out
    bias = average_precision_score(labelled.gender_bias, found[:, 0])
    hate = f1_score(labelled.hate, found[:, 1:].argmax(axis=1), average="macro")
    return {"average_precision": round(float(bias), 4), "macro_f1": round(float(hate), 4)}


def _lines(path: Path) -> pa.Array:
    """Read distinct comments, one a line."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; check the path") from None
    distinct = dict.fromkeys(line.strip() for line in lines)
    return pa.array([line for line in distinct if line], pa.string())
