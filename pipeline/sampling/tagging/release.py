"""From labelled files to a folder of weights with its facts and its card."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_file
from pipeline.core.morphology import PACKAGES
from pipeline.sampling.tagging.card import card
from pipeline.sampling.tagging.crf import FACTS, WEIGHTS, Crf, load_crf, save_facts
from pipeline.sampling.tagging.labelled import Labelled, is_official, parted, read
from pipeline.sampling.tagging.protocol import TYPES
from pipeline.sampling.tagging.quality import Quality, measure
from pipeline.sampling.tagging.training import Recipe, fit

CARD: Final = "README.md"
#: The share of the texts that is held out, and the seed of the draw, unless they are given.
HELD_OUT: Final = 0.2
SEED: Final = 0
_LIBRARIES: Final = ("python-crfsuite", *PACKAGES)


class Made(NamedTuple):
    """A tagger as it lies in its folder, and what it reaches on the texts that were held out."""

    tagger: Crf
    quality: Quality


def make(
    files: Sequence[Path],
    out: Path,
    *,
    held_out: float = HELD_OUT,
    seed: int = SEED,
    recipe: Recipe | None = None,
    force: bool = False,
) -> Made:
    """Train on files but for a share, measure on that, and write weights, facts and card.

    Raises InputError when the folder holds weights already (unless `force`), and for files that
    cannot be used.
    """
    recipe = recipe or Recipe()
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: is a file; name a folder")
    for name in (WEIGHTS, FACTS, CARD):
        if (out / name).exists() and not force:
            raise InputError(f"{out / name}: exists; name another folder, or give --force")
    kept, held = parted(read(files), held_out, seed=seed)
    facts = {
        "recipe": recipe.record(),
        "seed": seed,
        "held_out": held_out,
        "official": all(map(is_official, files)),
        "data": [{"sha256": of_file(path), "texts": len(read([path]))} for path in files],
        "train": {"texts": len(kept), "entities": sum(len(one.spans) for one in kept)},
        "libraries": {name: version(name) for name in _LIBRARIES},
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
        return _written(out, kept, held, facts, recipe)
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror or error}") from None


def _written(
    out: Path, kept: list[Labelled], held: list[Labelled], facts: dict[str, Any], recipe: Recipe
) -> Made:
    """Write the weights and, from what was written, their figures and their card."""
    labels = _labels(kept)
    fit(kept, out / WEIGHTS, recipe=recipe)
    save_facts(out, facts, labels)
    tagger = load_crf(out)
    quality = measure(tagger, held)
    told = save_facts(out, {**facts, "quality": quality.record()}, labels)
    (out / CARD).write_text(card(told), "utf-8", newline="\n")
    return Made(tagger, quality)


def _labels(kept: list[Labelled]) -> list[str]:
    """Return the types of the training texts: those of KLUE-NER in its order, then others."""
    there = {label for one in kept for _, _, label in one.spans}
    return [one for one in TYPES if one in there] + sorted(there - set(TYPES))
