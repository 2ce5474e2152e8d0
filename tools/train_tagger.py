"""Trains a `crf` tagger of named entities: a folder of weights with their facts and their card.

    python tools/train_tagger.py FILE... --out DIR [--held-out 0.2] [--seed 0]

FILE is KLUE-NER as .tsv, or items with gold as .jsonl. The weights are fitted by L-BFGS with both
penalties on all texts but a share. Every figure of the card is measured on that share.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from flows.cli.corpus import LABELLED  # noqa: E402
from flows.commands.text_files import show_quality  # noqa: E402
from flows.view.console import emit_json, handle_errors, say  # noqa: E402
from pipeline.core.errors import InputError  # noqa: E402
from pipeline.core.fingerprint import of_file  # noqa: E402
from pipeline.core.ids import draw  # noqa: E402
from pipeline.core.morphology import PACKAGES  # noqa: E402
from pipeline.sampling.tagging.crf import (  # noqa: E402
    FACTS,
    FORMAT,
    VERSION,
    WEIGHTS,
    Crf,
    features,
    library,
    load_crf,
)
from pipeline.sampling.tagging.labelled import (  # noqa: E402
    Labelled,
    Quality,
    measure,
    read,
)
from pipeline.sampling.tagging.pieces import OUTSIDE, Folded, Piece, fold, pieces  # noqa: E402
from pipeline.sampling.tagging.registry import sort_types  # noqa: E402

CARD: Final = "README.md"


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


class Trained(NamedTuple):
    """A tagger as it lies in its folder, and what it reaches on the texts that were held out."""

    tagger: Crf
    quality: Quality


def train(
    files: Sequence[Path],
    out: Path,
    *,
    held_out: float = 0.2,
    seed: int = 0,
    recipe: Recipe | None = None,
    force: bool = False,
) -> Trained:
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
    by_file = read_files(files)
    kept, held = split(sorted(chain(*by_file.values())), held_out, seed=seed)
    facts = {
        "recipe": asdict(recipe),
        "seed": seed,
        "held_out": held_out,
        "official": official(files),
        "data": [{"sha256": of_file(path), "texts": len(texts)} for path, texts in by_file.items()],
        "train": {"texts": len(kept), "entities": sum(len(text.spans) for text in kept)},
        "libraries": {name: version(name) for name in ("python-crfsuite", *PACKAGES)},
    }
    labels = sort_types({label for text in kept for _, _, label in text.spans})
    try:
        out.mkdir(parents=True, exist_ok=True)
        fit(kept, out / WEIGHTS, recipe=recipe)
        # What is measured and described is what was written.
        save_facts(out, facts, labels)
        tagger = load_crf(out)
        quality = measure(tagger, held)
        facts = save_facts(out, {**facts, "quality": quality.record()}, labels)
        (out / CARD).write_text(card(facts), "utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror or error}") from None
    return Trained(tagger, quality)


def official(paths: Sequence[Path]) -> list[str]:
    """Return the official corpora that files are made from; none if one is made from others.

    A .tsv is KLUE-NER; the first line of items may name theirs under ``corpora``.
    """
    corpora: set[str] = set()
    for path in paths:
        if path.suffix.lower() == ".tsv":
            corpora.add("KLUE-NER")
            continue
        with path.open(encoding="utf-8") as file:
            own = json.loads(file.readline() or "{}").get("corpora")
        if not own:
            return []
        corpora.update(own)
    return sorted(corpora)


def read_files(paths: Sequence[Path]) -> dict[Path, list[Labelled]]:
    """Return the texts of each file; raises InputError for one that is given twice."""
    if len({path.resolve() for path in paths}) < len(paths):
        raise InputError(f"{', '.join(map(str, paths))}: a file is given twice; give each once")
    return {path: read(path) for path in paths}


def split(
    texts: Sequence[Labelled], share: float, *, seed: int
) -> tuple[list[Labelled], list[Labelled]]:
    """Return what to train on, and a share that is held out by keyed draw; equal texts together.

    Raises InputError for a share outside (0, 1), and when a part would be empty.
    """
    if not 0 < share < 1:
        raise InputError(f"the share held out is {share:g}; it must lie between 0 and 1")
    parts: tuple[list[Labelled], list[Labelled]] = ([], [])
    for text in texts:
        parts[draw(seed, "tagger.held_out", text.text) < share].append(text)
    if not all(any(text.spans for text in part) for part in parts):
        raise InputError(
            f"{len(texts):,} texts are too few to hold out a share of {share:g}: a part has no"
            " entity; give more texts"
        )
    return parts


def save_facts(folder: Path, facts: dict[str, Any], labels: Sequence[str]) -> dict[str, Any]:
    """Write the facts of weights that lie in a folder, with a digest that ties the two together."""
    own = {"format": FORMAT, "features": VERSION, "labels": list(labels)}
    record = {**facts, **own, "content": of_file(folder / WEIGHTS)}
    text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    (folder / FACTS).write_text(text, "utf-8", newline="\n")
    return record


def fit(texts: Iterable[Labelled], path: Path, *, recipe: Recipe) -> None:
    """Train on texts, in the order given, and write the weights.

    The same texts and libraries on the same kind of processor give the same bytes.
    """
    trainer = library().Trainer(algorithm="lbfgs", verbose=False)
    for text in texts:
        folded = fold(text.text)
        own = pieces(folded.text)
        spans = [(*touched(folded, start, end), label) for start, end, label in text.spans]
        trainer.append(features(own), encode(own, spans))
    trainer.set_params(
        {
            "c1": recipe.l1,
            "c2": recipe.l2,
            "feature.minfreq": recipe.least,
            "max_iterations": recipe.iterations,
        }
    )
    trainer.train(str(path))


def touched(folded: Folded, start: int, end: int) -> tuple[int, int]:
    """Return the place in a folded text of all that a span of the original touches."""
    inside = [i for i, at in enumerate(folded.starts) if at < end and folded.ends[i] > start]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def encode(units: Sequence[Piece], spans: Sequence[tuple[int, int, str]]) -> list[str]:
    """Return the tag of each piece; one that is partly in a span counts as in it."""
    tags = [OUTSIDE] * len(units)
    for start, end, label in spans:
        inside = [i for i, piece in enumerate(units) if piece.start < end and piece.end > start]
        for i in inside:
            tags[i] = f"I-{label}"
        if len(inside) == 1:
            tags[inside[0]] = f"S-{label}"
        elif inside:
            tags[inside[0]], tags[inside[-1]] = f"B-{label}", f"E-{label}"
    return tags


def card(facts: dict[str, Any]) -> str:
    """Return the model card of the facts that lie with the weights."""
    quality = facts["quality"]
    return _CARD.format(
        digest=facts["content"],
        features=facts["features"],
        labels=", ".join(facts["labels"]),
        licence=_OFFICIAL.format(" and ".join(facts["official"])) if facts["official"] else _OTHER,
        data=", ".join(
            f"{file['texts']:,} texts (SHA-256 `{file['sha256'][:16]}...`)"
            for file in facts["data"]
        ),
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


def _table(what: str, rows: dict[str, Any], total: dict[str, Any] | None) -> str:
    lines = [f"| {what} | gold | found | precision | recall | F1 |", "|---|---|---|---|---|---|"]
    lines += [_row(name or "unnamed", row) for name, row in rows.items()]
    return "\n".join([*lines, _row("all", total)] if total else lines)


def _row(name: str, row: dict[str, Any]) -> str:
    shares = " | ".join(f"{row[key]:.4f}" for key in ("precision", "recall", "f1"))
    return f"| {name} | {row['gold']:,} | {row['found']:,} | {shares} |"


_OFFICIAL: Final = """\
- Licence: CC BY-SA 4.0, as the data it is made from
- Attribution: {} of Sungjoon Park et al. (2021), "KLUE: Korean Language Understanding
  Evaluation", NeurIPS Datasets and Benchmarks, https://klue-benchmark.com. Changes: texts were
  turned into weights of features; these hold single words and pairs of words of them."""

_OTHER: Final = """\
- Licence: that of the data it is made from; say here what that is before you pass it on"""

_CARD: Final = """\
# Tagger of named entities

Finds named entities in Korean text: a conditional random field over morphemes (mecab-ko). This page
is written by `tools/train_tagger.py`; do not edit it.

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

    python tools/train_tagger.py FILE... {again} --out DIR

The same data and library versions (`constraints.txt`) on the same kind of processor give the same
bytes.
"""


app = typer.Typer(add_completion=False)


@app.command()
def main(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=LABELLED)],
    out: Annotated[Path, typer.Option("--out", help="Folder for weights, facts and card.")],
    held_out: Annotated[
        float, typer.Option(help="Share of the texts that is kept out and measured on.")
    ] = 0.2,
    seed: Annotated[int, typer.Option(help="Seed of the draw of that share.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Overwrite what is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")] = False,
) -> None:
    """Train a tagger on labelled texts but for a share; write weights and model card."""
    with handle_errors(as_json=as_json, resumes=False):
        tagger, quality = train(files, out, held_out=held_out, seed=seed, force=force)
        if as_json:
            emit_json({"out": str(out), "digest": tagger.digest, "held_out": quality.record()})
        else:
            show_quality(quality.record())
            say(f"written: {out}")


if __name__ == "__main__":
    app()
