"""Trains a toxicity detector on labelled comments (columns: pipeline/corpus/toxicity/data.py).

    python tools/train_toxicity.py --train TRAIN.tsv --dev DEV.tsv --out DIR
        [--unlabelled FILE] [--harmless FILE] [--pool FILE]
    python tools/train_toxicity.py --train TRAIN.tsv --dev DEV.tsv --out DIR --model MODEL

The first way makes a `linear` detector, such as the shipped one: weights with a model card whose
figures are measured; `tools/toxicity_texts.py` writes the files of its options. The second
fine-tunes two checkpoints for a `transformers` detector from a model, named as for
`klue train --model`. The dev comments give the figures alone.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import typer

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from fit_toxicity import Material, Recipe, Trained, train  # noqa: E402
from toxicity_card import Quality, card, evaluate, figures  # noqa: E402

from flows.view.console import emit_json, handle_errors, say  # noqa: E402
from pipeline.core.errors import InputError  # noqa: E402
from pipeline.core.fingerprint import of_file  # noqa: E402
from pipeline.core.io.streams import read_text_lines  # noqa: E402
from pipeline.corpus.toxicity.calibration import (  # noqa: E402  # noqa: E402
    HATE_CLASSES,
    PRECISION,
    Labelled,
    propose,
    read_labelled,
    truth_of,
)
from pipeline.corpus.toxicity.linear import (  # noqa: E402
    FORMAT,
    WEIGHTS,
    Linear,
    content_digest,
    load_linear,
    read_weights,
)
from pipeline.corpus.toxicity.scoring import load  # noqa: E402

CARD: Final = "README.md"
#: What the two checkpoints of a `transformers` detector are called in their folder.
CHECKPOINTS: Final = ("gender-bias", "hate")
#: The task by whose recipe they are fine-tuned: one label a text, as here.
RECIPE_OF: Final = "tc"


class Release(NamedTuple):
    """Weights as they lie in their folder, and what they reach on the dev set."""

    model: Linear
    quality: Quality


def train_release(
    train_file: Path,
    dev_file: Path,
    out: Path,
    *,
    more: dict[str, Path] | None = None,
    recipe: Recipe | None = None,
    force: bool = False,
) -> Release:
    """Train on one file, measure on the other, write weights and card into a folder.

    `more` are files of texts without labels, one a line, by the fields of `Material`.

    Raises InputError when the folder holds weights already (unless `force`), when the two files
    are the same or share comments, and for files that are not as they should be.
    """
    recipe = recipe or Recipe()
    for path in (out / WEIGHTS, out / CARD):
        if path.exists() and not force:
            raise InputError(f"{path}: exists; name another folder, or replace it with --force")
    labelled, dev = read_disjoint(train_file, dev_file)
    # Weights must not know dev comments.
    known = pa.array(sorted(_stripped(dev)), pa.string())
    texts, others = {}, {}
    for name, path in (more or {}).items():
        lines = pa.array([line.strip() for _, line in read_text_lines(path)], pa.string())
        if name == "unlabelled":
            lines = lines.unique()
        texts[name] = lines.filter(pc.invert(pc.is_in(lines, known)))
        left_out = len(lines) - len(texts[name])
        others[name] = {"texts": len(texts[name]), "left_out": left_out, "sha256": of_file(path)}
    trained = train(labelled, Material(**texts), recipe=recipe)
    facts = {
        "recipe": recipe.record(),
        "train": {"texts": len(labelled), "sha256": of_file(train_file)},
        "dev": {"texts": len(dev), "sha256": of_file(dev_file)},
        "more": others,
        **_training_facts(labelled, trained),
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
        save_linear(out, trained.model, facts=facts)
        # What is measured and described is what was written.
        model, facts = load_linear(out), read_weights(out / WEIGHTS)[0]
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
        "precision": PRECISION,
        "proposed": {name: own and own.threshold for name, own in proposed.items()},
        "proposed_on_train": {name: own and asdict(own) for name, own in proposed.items()},
    }


def save_linear(folder: Path, model: Linear, *, facts: dict[str, Any]) -> None:
    """Write the weights of a model and the facts of its making; the same give the same bytes."""
    from safetensors.numpy import save

    tensors = {"weights": model.weights, "scales": model.scales, "biases": model.biases}
    contiguous = {key: np.ascontiguousarray(value) for key, value in tensors.items()}
    # One entry: the library writes several in an order that differs from run to run.
    record = {**facts, "format": FORMAT, "content": content_digest(contiguous)}
    data = save(contiguous, metadata={"klue": json.dumps(record, sort_keys=True)})
    (folder / WEIGHTS).write_bytes(data)


def fine_tune(
    train_file: Path, dev_file: Path, out: Path, *, model: str, force: bool
) -> dict[str, Any]:
    """Fine-tune two checkpoints on labelled comments; return how well they rank others.

    Raises InputError when the folder holds some already, or the files share comments.
    """
    from sklearn.metrics import average_precision_score

    from pipeline.training.textclassifier import text_classifier

    existing = [out / name for name in CHECKPOINTS if (out / name).exists()]
    if existing and not force:
        raise InputError(f"{existing[0]}: exists; name another folder, or replace it with --force")
    labelled, dev = read_disjoint(train_file, dev_file)
    labels = (labelled.gender_bias.astype(int), labelled.hate)
    classes = (("false", "true"), HATE_CLASSES)
    for name, numbers, names in zip(CHECKPOINTS, labels, classes, strict=True):
        model_of_score = text_classifier(model, task=RECIPE_OF, names=names)
        model_of_score.fit(labelled.texts.to_pylist(), numbers)
        model_of_score.save(out / name)
    detector = f"transformers:{','.join(str(out / name) for name in CHECKPOINTS)}"
    scores, truths = load(detector).score(dev.texts), truth_of(dev)
    return {
        "detector": detector,
        "texts": len(labelled),
        "dev": {
            name: round(float(average_precision_score(truths[name], column.to_numpy())), 4)
            for name, column in zip(scores.column_names, scores.columns, strict=True)
        },
    }


app = typer.Typer(add_completion=False)


@app.command()
def main(
    train_file: Annotated[Path, typer.Option("--train", help="Labelled comments, TSV or JSONL.")],
    dev_file: Annotated[Path, typer.Option("--dev", help="Others, for the figures alone.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the weights and their card.")],
    unlabelled: Annotated[
        Path | None, typer.Option(help="More comments, one a line, for document frequencies.")
    ] = None,
    harmless: Annotated[
        Path | None, typer.Option(help="Harmless texts, one a line; a line twice counts twice.")
    ] = None,
    pool: Annotated[
        Path | None, typer.Option(help="Many harmless texts, of which the most useful are taken.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(help="Fine-tune two checkpoints from this model instead."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite what is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")] = False,
) -> None:
    """Train a toxicity detector on labelled comments."""
    with handle_errors(as_json=as_json, resumes=False):
        files = {"unlabelled": unlabelled, "harmless": harmless, "pool": pool}
        more = {name: path for name, path in files.items() if path is not None}
        if model is None:
            _train_linear(train_file, dev_file, out, more, force=force, as_json=as_json)
            return
        if more:
            raise InputError(
                f"--{next(iter(more))} is for the linear detector; leave it out with --model"
            )
        result = fine_tune(train_file, dev_file, out, model=model, force=force)
        if as_json:
            emit_json(result)
            return
        for name, value in result["dev"].items():
            typer.echo(f"{name}, average precision: {value:.4f}")
        say(f"written: {out}; use it with --detector {result['detector']}")


def _train_linear(
    train_file: Path,
    dev_file: Path,
    out: Path,
    more: dict[str, Path],
    *,
    force: bool,
    as_json: bool,
) -> None:
    release = train_release(train_file, dev_file, out, more=more, force=force)
    if as_json:
        record = {"digest": release.model.digest, "dev": asdict(release.quality)}
        emit_json({"out": str(out), **record})
        return
    typer.echo(figures(release.quality))
    say(f"written: {out}")


if __name__ == "__main__":
    app()
