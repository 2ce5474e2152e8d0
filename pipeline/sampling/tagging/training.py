"""How the weights of `crf` are made: L-BFGS with both penalties, over KLUE-NER or texts like it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pipeline.sampling.tagging import scheme
from pipeline.sampling.tagging.crf import library
from pipeline.sampling.tagging.features import features
from pipeline.sampling.tagging.folding import fold
from pipeline.sampling.tagging.labelled import Labelled
from pipeline.sampling.tagging.pieces import pieces


@dataclass(frozen=True)
class Recipe:
    """The settings of a training.

    `l1` and `l2` weigh the two penalties: the first empties the model of features that tell little,
    the second keeps the rest small. A feature that fewer than `least` pieces have is left out.
    `iterations` at most are made.
    """

    l1: float = 0.2
    l2: float = 0.1
    least: int = 1
    iterations: int = 100

    def record(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)


def fit(examples: Iterable[Labelled], path: Path, *, recipe: Recipe) -> None:
    """Train on texts, in the order given, and write the weights.

    The same texts and libraries on the same kind of processor give the same bytes.
    """
    trainer = library().Trainer(algorithm="lbfgs", verbose=False)
    for one in examples:
        folded = fold(one.text)
        found = pieces(folded.text)
        spans = [(*folded.here(start, end), label) for start, end, label in one.spans]
        trainer.append(features(found), scheme.tags(found, spans))
    trainer.set_params(
        {
            "c1": recipe.l1,
            "c2": recipe.l2,
            "feature.minfreq": recipe.least,
            "max_iterations": recipe.iterations,
        }
    )
    trainer.train(str(path))
