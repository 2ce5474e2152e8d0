"""Build files of a share of the real data, for the benchmark of how cost grows with size."""

from __future__ import annotations

import csv
import json
import os
import tarfile
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

import zstandard
from real_reviews import read_reviews

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("KLUE_DATA") or ROOT.parent / "shared" / "data")
CRAWL = DATA / "raw" / "nsmc_raw.tar.zst"
_CORPUS = """\
name: scaling
seed: 1
catalogue: {root}/data/catalogue.yaml
sources:
  nsmc: {{inputs: [{{path: raw}}]}}
toxicity: {{thresholds: {{nsmc: {{gender_bias: 0.84, hate: 0.71}}}}}}
"""


def write_corpus(folder: Path, share: float) -> Path:
    """Write a build of that share of the movies of the crawl; returns its build file."""
    unpack(CRAWL, folder, share)
    path = folder / "build.yaml"
    path.write_text(_CORPUS.format(root=ROOT), "utf-8")
    return path


def unpack(crawl: Path, folder: Path, share: float) -> int:
    """Write that share of the movies below `folder`, evenly spread; returns how many."""
    (folder / "raw").mkdir(parents=True)
    taken = 0
    with crawl.open("rb") as packed:
        stream = zstandard.ZstdDecompressor().stream_reader(packed)
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            for number, member in enumerate(member for member in archive if member.isfile()):
                content = archive.extractfile(member)
                if int((number + 1) * share) > int(number * share) and content is not None:
                    (folder / "raw" / Path(member.name).name).write_bytes(content.read())
                    taken += 1
    return taken


_TASKS = """\
name: scaling
seed: 1
catalogue: {root}/data/catalogue.yaml
toxicity: {{thresholds: {{{quiet}}}}}
sources:
  yna: {{inputs: [{{path: "{titles}", reader: klue_texts, only: yna}}]}}
  airbnb: {{inputs: [{{path: "{pairs}", reader: klue_texts, only: airbnb}}]}}
  policy: {{inputs: [{{path: "{pairs}", reader: klue_texts, only: policy}}]}}
  wikitree: {{inputs: [{{path: "{pairs}", reader: klue_texts, only: wikitree}}]}}
  wikipedia: {{inputs: [{{path: "{pairs}", reader: klue_texts, only: wikipedia}}]}}
  wikinews:
    inputs: [{{path: wikinews.csv}}, {{path: "{pairs}", reader: klue_texts, only: wikinews}}]
  parakqc: {{inputs: [{{path: paraKQC_v1.txt}}]}}
  ked: {{inputs: [{{path: ked.jsonl, reader: news_jsonl, columns: {{key: id}}}}]}}
  nsmc: {{inputs: [{{path: raw}}]}}
candidates:
  sizes: {sizes}
  quotas: {{mrc: {{wikipedia: 1, ked: 99}}}}
  translator: {{kind: file, format: klue, paths: ["{data}/klue/klue-sts-v1.1_dev.json"]}}
  knowledge: [{{path: "{data}/kb/kbox_triples_55117.tsv", format: tsv}}]
annotation: {{mode: simulated}}
release: {{version: 1.0.0}}
"""
_TITLES = "ynat-v1.1_train36547_dev9107_titles.csv"
_PAIRS = "klue-nli-v1.1_train.json"
#: Candidates of each task at the full size, which what is there may not fill.
SIZES = {
    **{"tc": 40_000, "sts": 6_000, "nli": 10_000, "ner": 20_000},
    **{"re": 20_000, "dp": 10_000, "mrc": 2_000, "dst": 4_000},
}
#: Of the movies of the crawl, this share are reviews; the articles are made of as many others.
_MOVIES = 0.1
#: Characters of an article, and articles of the full size.
_LONG, _ARTICLES = 1_500, 2_000


def write_tasks(folder: Path, share: float) -> Path:
    """Write a build of all tasks on that share of the real data; returns its build file.

    The articles that questions are asked about are made of reviews, each of one movie. Pairs are
    taken by premise: each has several, and of a few pairs nearly as many premises as of all.
    """
    unpack(CRAWL, folder, share * _MOVIES)
    _thin_csv(DATA / "klue" / _TITLES, folder, share)
    _thin_csv(DATA / "raw" / "wikinews.csv", folder, share)
    records = json.loads((DATA / "klue" / _PAIRS).read_text("utf-8"))
    premises = {*_thin([*dict.fromkeys(record["premise"] for record in records)], share)}
    chosen = [record for record in records if record["premise"] in premises]
    kept = json.dumps(chosen, ensure_ascii=False, indent=4)
    (folder / _PAIRS).write_text(kept, "utf-8")
    lines = (DATA / "raw" / "paraKQC_v1.txt").read_text("utf-8").splitlines(keepends=True)
    intents = [lines[n : n + 10] for n in range(0, len(lines), 10)]
    text = "".join(chain.from_iterable(_thin(intents, share)))
    (folder / "paraKQC_v1.txt").write_text(text, "utf-8")
    _write_articles(folder / "ked.jsonl", round(_ARTICLES * share))
    quiet = "airbnb: flag, policy: flag, wikitree: flag, wikipedia: flag, wikinews: flag"
    build = _TASKS.format(
        root=ROOT,
        data=DATA,
        titles=_TITLES,
        pairs=_PAIRS,
        quiet=f"{quiet}, parakqc: flag, nsmc: flag",
        sizes=json.dumps({task: round(size * share) for task, size in SIZES.items()}),
    )
    path = folder / "build.yaml"
    path.write_text(build, "utf-8")
    return path


def _thin(items: Sequence[T], share: float) -> list[T]:
    return [item for n, item in enumerate(items) if int((n + 1) * share) > int(n * share)]


def _thin_csv(path: Path, folder: Path, share: float) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    with (folder / path.name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *_thin(rows, share)])


def _write_articles(path: Path, articles: int) -> None:
    """Write articles made of the reviews of the first movies of the crawl."""
    with path.open("w", encoding="utf-8") as file:
        for number, body in enumerate(islice(_articles(), articles)):
            row = {"id": f"ked-{number}", "title": f"기사 {number}", "body": body}
            row |= {"date": "2014-05-01", "section": "문화"}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _articles() -> Iterator[str]:
    texts: list[str] = []
    for review in read_reviews(CRAWL):
        texts.append(review if review.rstrip().endswith((".", "!", "?")) else f"{review}.")
        if sum(map(len, texts)) > _LONG:
            yield " ".join(texts)
            texts = []
