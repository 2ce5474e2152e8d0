"""What pretraining is worth: models on real text, then fine-tuned beside random starts.

    .venv/bin/python tests/benchmarks/pretraining_proof.py WORK [--only PATTERN...] [--list]
    .venv/bin/python tests/benchmarks/pretraining_proof.py WORK --scale gpu --jobs 6
    .venv/bin/python tests/benchmarks/pretraining_proof.py WORK --table

The scale `cpu` is tiny models on 60 MB of text, in an hour and a half of one core; `gpu` small
ones on all text at hand, in minutes of a data centre's GPU. Each cell is one command; what is done
is not done again, and a training that was stopped goes on. `--jobs` fine-tunings run beside each
other. With `--only` cells are chosen by patterns such as 'pretrain-*' or 'finetune-klue-ner-*',
with what they need. `--table` compares what there is. Needs the real data (KLUE_DATA).

The text: NSMC reviews, petitions, Wikinews, Wikipedia, comments, without what occurs in the dev
examples (klue decontaminate). The variants: `klue` (pseudonymised text, pieces of morphemes),
`plain` (the same text, pieces of words), `original` (text as it was, the tokenizer of `klue`), and
`random` (the tokenizer of `klue`, no step of pretraining, other weights for each seed). Three seeds
of fine-tuning each; TC and NLI are scored on the official dev, NER on the test part of its split.
Intervals are of a paired bootstrap over examples and seeds.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
from real_reviews import ROOT, read_reviews

DATA: Final = Path(os.environ.get("KLUE_DATA") or ROOT.parent / "shared" / "data")
#: One in so many lines trains the tokenizers.
SAMPLED: Final = 4
SEEDS: Final = (0, 1, 2)
SPLITS: Final = {"tc": "dev", "nli": "dev", "ner": "test"}
#: The text and the tokenizer of each variant.
VARIANTS: Final = {
    "klue": ("pseudonymised", "klue"),
    "plain": ("pseudonymised", "plain"),
    "original": ("original", "klue"),
}
#: What is compared: the first variant less the second.
PAIRS: Final = (
    ("klue", "random", ("tc", "nli", "ner")),
    ("klue", "plain", ("ner",)),
    ("klue", "original", ("nli", "ner")),
)
DRAWS: Final = 2_000
#: Any key will do: every run has the same pseudonyms.
KEY: Final = b"the key of the proof of pretraining"


@dataclass(frozen=True)
class Scale:
    """How large all is: bytes of text, pieces of a tokenizer, the models, and their recipes.

    `recipes` is the folder of those of fine-tuning, below data/recipes; `pretraining` and
    `finetuning` are the numbers that differ from theirs.
    """

    text: int
    pieces: int
    size: str
    pretraining: tuple[str, ...]
    recipes: str
    finetuning: Mapping[str, tuple[str, ...]]


SCALES: Final = {
    "cpu": Scale(
        text=60_000_000,
        pieces=8_000,
        size="tiny",
        pretraining=("steps=3200", "max_length=128", "batch_size=16", "measured=8"),
        recipes="scratch",
        finetuning={
            "tc": ("epochs=2",),
            "nli": ("epochs=2",),
            "ner": ("epochs=6", "evaluate=1"),
        },
    ),
    "gpu": Scale(
        text=1_000_000_000,
        pieces=32_000,
        size="small",
        pretraining=(
            *("steps=2400", "max_length=128", "batch_size=512", "device_batch=512"),
            *("learning_rate=5.0e-4", "measured=8"),
        ),
        recipes="",
        finetuning={
            "tc": ("epochs=3", "learning_rate=1.0e-4"),
            "nli": ("epochs=4", "learning_rate=1.0e-4"),
            "ner": ("epochs=10", "learning_rate=1.0e-4"),
        },
    ),
}


@dataclass(frozen=True)
class Cell:
    """One command of the proof, and the cells that it needs."""

    run: Callable[[], object]
    needs: tuple[str, ...] = ()


class Proof:
    """The cells of a work folder."""

    def __init__(self, work: Path, scale: Scale) -> None:
        self.work, self.scale = work.absolute(), scale
        self.record = self.work / "cells"
        self.record.mkdir(parents=True, exist_ok=True)
        self.cells = dict(self._cells())

    def done(self) -> dict[str, float]:
        """Return the seconds that each cell took that is done."""
        return {path.name: float(path.read_text("utf-8")) for path in self.record.iterdir()}

    def run(self, name: str) -> None:
        """Run a cell and what it needs, unless it is done."""
        for needed in self.cells[name].needs:
            self.run(needed)
        if name in self.done():
            return
        sys.stderr.write(f"{name}\n")
        begin = perf_counter()
        self.cells[name].run()
        (self.record / name).write_text(f"{perf_counter() - begin:.1f}", "utf-8")

    def _cells(self) -> Iterator[tuple[str, Cell]]:
        yield "corpus", Cell(self._write_corpus)
        yield "clean", Cell(self._decontaminate, ("corpus",))
        yield "pseudonymised", Cell(self._pseudonymise, ("clean",))
        yield "sample", Cell(self._sample, ("pseudonymised",))
        yield "ner-split", Cell(self._split_ner)
        for recipe in ("klue", "plain"):
            yield f"tokenizer-{recipe}", Cell(partial(self._tokenizer, recipe), ("sample",))
        for variant, (_, tokenizer) in VARIANTS.items():
            needs = (f"tokenizer-{tokenizer}",)
            yield f"pretrain-{variant}", Cell(partial(self._pretrain, variant), needs)
        for seed in SEEDS:
            yield f"random-{seed}", Cell(partial(self._initialise, seed), ("tokenizer-klue",))
        runs = [(v, task) for *pair, tasks in PAIRS for task in tasks for v in pair]
        for seed in SEEDS:  # so that what is done can be compared before all is
            for variant, task in dict.fromkeys(runs):
                model = f"random-{seed}" if variant == "random" else f"pretrain-{variant}"
                needs = (model, *["ner-split"] * (task == "ner"))
                run = partial(self._finetune, model, variant, task, seed)
                yield f"finetune-{variant}-{task}-{seed}", Cell(run, needs)

    def _write_corpus(self) -> None:
        path = self.work / "corpus" / "text.txt"
        path.parent.mkdir(exist_ok=True)
        size = 0
        with path.open("w", encoding="utf-8") as file:
            for document in documents():
                text = "".join(f"{line}\n" for line in document) + "\n"
                file.write(text)
                size += len(text.encode())
                if size >= self.scale.text:
                    break

    def _decontaminate(self) -> None:
        names = ("klue-nli-v1.1_dev.json", "klue-ner-v1.1_dev.tsv", "ynat-v1.1_dev.csv")
        against = [word for name in names for word in ("--against", DATA / "klue" / name)]
        corpus = self.work / "corpus" / "text.txt"
        klue("decontaminate", corpus, *against, "--out", self.work / "clean")

    def _pseudonymise(self) -> None:
        key = self.work / "key"
        key.write_bytes(KEY)
        key.chmod(0o600)
        options = ("--out", self.work / "pseudonymised.txt", "--key-file", key, "--force")
        klue("pii", "pseudonymise", self.work / "clean" / "text.txt", *options)

    def _sample(self) -> None:
        with (self.work / "pseudonymised.txt").open(encoding="utf-8") as lines:
            sample = "".join(islice(filter(str.strip, lines), 0, None, SAMPLED))
        (self.work / "sample.txt").write_text(sample, "utf-8")

    def _split_ner(self) -> None:
        file = DATA / "klue" / "klue-ner-v1.1_dev.tsv"
        out = self.work / "ner"
        klue("split", file, "--task", "ner", "--from", "klue", "--out", out, "--force")

    def _tokenizer(self, recipe: str) -> None:
        out = self.work / "tokenizers" / recipe
        options = ("--recipe", recipe, "--vocabulary", self.scale.pieces, "--out", out)
        klue("tokenizer", "train", self.work / "sample.txt", *options)

    def _pretrain(self, variant: str) -> None:
        text, tokenizer = VARIANTS[variant]
        paths = {"original": "clean/text.txt", "pseudonymised": "pseudonymised.txt"}
        self._pretraining(paths[text], tokenizer, f"pretrain-{variant}", *self.scale.pretraining)

    def _initialise(self, seed: int) -> None:
        """Save the weights that a pretraining would begin with; of the text little is read."""
        few = self.work / "few.txt"
        with (self.work / "sample.txt").open(encoding="utf-8") as lines:
            few.write_text("".join(f"{line}\n" for line in islice(lines, 2_000)), "utf-8")
        settings = [*self.scale.pretraining[1:], "steps=0"]
        self._pretraining("few.txt", "klue", f"random-{seed}", *settings, seed=seed)

    def _pretraining(
        self, text: str, tokenizer: str, name: str, *settings: str, seed: int = 0
    ) -> None:
        klue(
            *("pretrain", self.work / text, "--tokenizer", self.work / "tokenizers" / tokenizer),
            *(
                "--architecture",
                "bert",
                "--size",
                self.scale.size,
                "--recipe",
                "modern",
                "--seed",
                seed,
            ),
            *[word for setting in settings for word in ("--set", setting)],
            *("--out", self.work / "models" / name),
        )

    def _finetune(self, model: str, variant: str, task: str, seed: int) -> None:
        klue(
            *("train", self.examples(task), "--task", task),
            *("--model", self.work / "models" / model / "model", "--seed", seed),
            *("--recipe", ROOT / "data" / "recipes" / self.scale.recipes / f"{task}.yaml"),
            *[word for setting in self.scale.finetuning[task] for word in ("--set", setting)],
            *("--out", self.work / "runs" / f"{variant}-{seed}"),
        )

    def examples(self, task: str) -> Path:
        """Return the folder of the examples of a task."""
        return self.work / "ner" if task == "ner" else DATA / "klue"

    def predictions(self, variant: str, task: str, seed: int) -> Path:
        """Return the file of the predictions of a run."""
        run = self.work / "runs" / f"{variant}-{seed}" / task
        return run / "predictions" / f"{SPLITS[task]}.jsonl"

    def table(self) -> Iterator[str]:
        """Yield the lines of the tables, in Markdown, of what is done."""
        yield "| task | metric | variants | seeds | first | second | difference | 95 % interval |"
        yield "|:--|:--|:--|--:|--:|--:|--:|--:|"
        for first, second, tasks in PAIRS:
            for task in tasks:
                yield from self._rows(first, second, task)
        yield ""
        seconds = self.done()
        for kind in dict.fromkeys(name.rpartition("-")[0] or name for name in seconds):
            many = [s for name, s in seconds.items() if (name.rpartition("-")[0] or name) == kind]
            yield f"{kind}: {len(many)} cells, {sum(many):,.0f} s"
        yield f"all: {sum(seconds.values()) / 60:.1f} minutes"

    def _rows(self, first: str, second: str, task: str) -> Iterator[str]:
        done = self.done()
        cells = [[f"finetune-{v}-{task}-{seed}" for v in (first, second)] for seed in SEEDS]
        seeds = [seed for seed, both in zip(SEEDS, cells, strict=True) if set(both) <= set(done)]
        if not seeds:
            return
        systems = [(variant, seed) for variant in (first, second) for seed in seeds]
        files = [self.predictions(variant, task, seed) for variant, seed in systems]
        for metric, (scores, samples) in _scores(self.examples(task), task, files).items():
            left, right = scores[: len(seeds)], scores[len(seeds) :]
            low, high = _interval(samples[: len(seeds)] - samples[len(seeds) :])
            yield (
                f"| {task} | {metric} | {first} - {second} | {len(seeds)} | {_mean(left)} |"
                f" {_mean(right)} | {np.mean(left) - np.mean(right):+.2f} |"
                f" {low:+.2f} to {high:+.2f} |"
            )


def documents() -> Iterator[list[str]]:
    """Yield the documents of the corpus as lines, all sources but the reviews first."""
    raw = DATA / "raw"
    for path in sorted((raw / "petitions").glob("*.jsonl")):
        for row in path.read_text("utf-8").splitlines():
            yield _lines(json.loads(row)["content"])
    with (raw / "wikinews.csv").open(encoding="utf-8", newline="") as file:
        yield from (_lines(row["내용"]) for row in csv.DictReader(file))
    for path in sorted((raw / "kowiki").rglob("*.txt")):
        yield _lines(path.read_text("utf-8"))
    comments = (raw / "news_comments_unlabeled.txt").read_text("utf-8").splitlines()
    yield from (_lines(comment) for comment in comments)
    yield from (_lines(review) for review in read_reviews(raw / "nsmc_raw.tar.zst"))


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def klue(*arguments: object) -> None:
    """Run a command of this checkout on one thread; ends the proof if it fails."""
    variables = {"OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "flows.cli", *map(str, arguments), "--json"]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **variables}, stdout=subprocess.PIPE
    )
    if done.returncode:
        sys.exit(f"failed: {' '.join(command)}\n{done.stdout.decode()}")


def _scores(place: Path, task: str, files: list[Path]) -> dict[str, Any]:
    """Return by metric the scores of systems, and their scores in each draw of examples."""
    sys.path.insert(0, str(ROOT))
    from flows.commands.examples import examples_at
    from pipeline.contracts.spec import load_spec
    from pipeline.scoring.resampling import Plan, samples
    from pipeline.scoring.scorer import gold_of, scorer_of, scores
    from pipeline.scoring.submission import read_submission

    examples = examples_at(place, task).splits[SPLITS[task]]
    gold = gold_of(examples, scorer_of(task), load_spec(task))
    measures = {
        str(number): gold.measures(read_submission(path, gold), "klue")
        for number, path in enumerate(files)
    }
    drawn = samples(measures, len(gold), Plan(DRAWS))
    values = [scores(of, len(gold)).values for of in measures.values()]
    return {
        metric: (
            np.array([row[metric] for row in values]),
            np.stack([drawn[number][metric] for number in measures]),
        )
        for metric in values[0]
    }


def _interval(differences: Any) -> tuple[float, float]:
    """Return the 95 % interval of the mean over seeds, which are drawn as the examples are."""
    seeds, draws = differences.shape
    chosen = np.random.default_rng(0).integers(0, seeds, (seeds, draws))
    means = np.take_along_axis(differences, chosen, 0).mean(0)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def _mean(scores: Any) -> str:
    return f"{scores.mean():.2f} ({', '.join(f'{score:.2f}' for score in scores)})"


def main() -> None:
    """Run cells, or print what there is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("work", type=Path, metavar="WORK")
    parser.add_argument("--only", nargs="+", default=["*"], metavar="PATTERN")
    parser.add_argument("--list", action="store_true", help="print the cells")
    parser.add_argument("--scale", choices=SCALES, default="cpu")
    parser.add_argument("--jobs", type=int, default=1, help="fine-tunings beside each other")
    parser.add_argument("--table", action="store_true", help="compare what is done")
    given = parser.parse_args()
    proof = Proof(given.work, SCALES[given.scale])
    chosen = [name for name in proof.cells if any(fnmatch(name, x) for x in given.only)]
    if given.list:
        done = proof.done()
        sys.stdout.writelines(f"{name:28} {done.get(name, 'to do')}\n" for name in chosen)
        return
    if not given.table:
        finetunings = [name for name in chosen if name.startswith("finetune-")]
        needed = [cell for name in finetunings for cell in proof.cells[name].needs]
        for name in [*(name for name in chosen if name not in finetunings), *needed]:
            proof.run(name)
        with ThreadPoolExecutor(given.jobs) as pool:
            list(pool.map(proof.run, finetunings))
    sys.stdout.writelines(f"{line}\n" for line in proof.table())


if __name__ == "__main__":
    main()
