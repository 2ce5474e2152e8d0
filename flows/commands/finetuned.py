"""Models of transformers that the baseline step fine-tunes for other parts.

Those parts know a protocol alone: hypothesis-only scoring a classifier of texts, the toxicity
filter two checkpoints. The tagger needs no more than a run of klue train --task ner.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from flows.commands.recipes import chosen
from pipeline.core.checkpoint import library
from pipeline.core.errors import InputError

if TYPE_CHECKING:
    from pipeline.tasks.nli.hypothesis_only.classifier import Maker
    from pipeline.training.textclassifier import TextClassifier

#: What the two checkpoints of a toxicity detector are called in their folder.
CHECKPOINTS: Final = ("gender-bias", "hate")


def classifier(
    model: str, *, task: str, names: tuple[str, ...] = (), seed: int = 0
) -> TextClassifier:
    """Return a classifier that starts from a model and learns by the recipe of a task.

    Raises InputError for a model that is not there, MissingDependencyError without torch.
    """
    for name in ("torch", "accelerate", "transformers"):
        library(name)
    from pipeline.training.source import source
    from pipeline.training.textclassifier import TextClassifier

    return TextClassifier(source(model), chosen(task, model, None, ()), names=names, seed=seed)


def classifiers(seed: int) -> Mapping[str, Maker]:
    """Return makers of classifiers of hypotheses that are fine-tuned, by how their names begin."""
    return {"transformers:": lambda model: classifier(model, task="nli", seed=seed)}


def toxicity(
    train_file: Path, dev_file: Path, out: Path, *, model: str, force: bool
) -> dict[str, Any]:
    """Fine-tune two checkpoints on labelled comments; return how well they rank others.

    Raises InputError when the folder holds some already, or the files share comments.
    """
    from sklearn.metrics import average_precision_score

    from pipeline.corpus.toxicity.calibration import truth_of
    from pipeline.corpus.toxicity.data import HATE_CLASSES
    from pipeline.corpus.toxicity.registry import load
    from pipeline.corpus.toxicity.release import read_disjoint

    existing = [out / name for name in CHECKPOINTS if (out / name).exists()]
    if existing and not force:
        raise InputError(f"{existing[0]}: exists; name another folder, or replace it with --force")
    labelled, dev = read_disjoint(train_file, dev_file)
    labels = (labelled.gender_bias.astype(int), labelled.hate)
    classes = (("false", "true"), HATE_CLASSES)
    for name, numbers, names in zip(CHECKPOINTS, labels, classes, strict=True):
        model_of_score = classifier(model, task="tc", names=names)
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
