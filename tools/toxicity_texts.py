"""Finds the texts that the `linear` detector is trained and judged on, in a folder of real data.

    python tools/toxicity_texts.py --data DIR --out FOLDER

Writes what `tools/train_toxicity.py` asks for: `pool.txt`, texts of the official KLUE releases,
which annotators and the paper's models found harmless, `harmless.txt`, the tuning half of
tests/corpus/toxicity/harmless.tsv, and `unlabelled.txt`, news comments. None holds a text that the
registers are judged on.
"""

from __future__ import annotations

import csv
import json
import re
import sys
import tarfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pipeline.core.ids import draw  # noqa: E402

TESTS: Final = ROOT / "tests" / "corpus" / "toxicity"
#: Texts that two annotators labelled, as digests; harmless sentences written for this project.
REGISTERS: Final = TESTS / "registers.tsv"
HARMLESS: Final = TESTS / "harmless.tsv"
#: How often a sentence of our own counts beside one of the pool.
TIMES: Final = 10


class Judged(NamedTuple):
    """A text of a register with the labels of both annotators: gender bias, and class of hate."""

    register: str
    id: str
    text: str
    bias: tuple[bool, bool]
    hate: tuple[str, str]

    @property
    def harmless(self) -> bool:
        """Return whether both found nothing."""
        return not any(self.bias) and self.hate == ("none", "none")


def key(text: str) -> str:
    """Return the name of a text in `registers.tsv`."""
    return sha256(text.encode()).hexdigest()[:16]


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of running text that have ten characters and a Korean word."""
    for line in re.split(r"[\n\t]+", text):
        for sentence in re.split(r"(?<=[.!?…])\s+", line.strip()):
            if len(found := sentence.strip()) >= 10 and re.search("[가-힣]{2}", found):
                yield found


def comments(data: Path) -> Iterator[str]:
    """Yield news comments."""
    yield from map(str.strip, (data / "raw" / "news_comments_unlabeled.txt").open(encoding="utf-8"))


def petitions(data: Path) -> Iterator[str]:
    """Yield sentences of petitions."""
    for path in sorted((data / "raw" / "petitions").glob("*.jsonl")):
        for line in path.open(encoding="utf-8"):
            yield from sentences(json.loads(line)["content"])


def news(data: Path) -> Iterator[str]:
    """Yield sentences of Wikinews and headlines."""
    for row in _csv(data / "raw" / "wikinews.csv"):
        yield from sentences(row["내용"])
    yield from headlines(data)


def headlines(data: Path) -> Iterator[str]:
    """Yield the headlines of KLUE-TC."""
    for row in _csv(data / "klue" / "ynat-v1.1_train36547_dev9107_titles.csv"):
        yield row["title"]


def encyclopaedia(data: Path) -> Iterator[str]:
    """Yield sentences of Wikipedia."""
    for path in sorted((data / "raw" / "kowiki").rglob("*.txt")):
        yield from sentences(path.read_text("utf-8", "replace"))


def reviews(data: Path, films: frozenset[str] | None = None) -> Iterator[str]:
    """Yield film reviews, of all films or of some."""
    for _, review in films_of(data, films):
        yield review


def films_of(data: Path, films: frozenset[str] | None = None) -> Iterator[tuple[str, str]]:
    """Yield film and review."""
    import io

    import zstandard

    with (data / "raw" / "nsmc_raw.tar.zst").open("rb") as packed:
        stream = io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(packed), 1 << 20)
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            for member in archive:
                film = Path(member.name).stem
                if member.name.endswith(".json") and (films is None or film in films):
                    for row in json.load(archive.extractfile(member)):  # type: ignore[arg-type]
                        if review := (row.get("review") or "").strip():
                            yield film, review


READERS: Final[dict[str, Callable[[Path], Iterator[str]]]] = {
    "comment": comments,
    "review": reviews,
    "news": news,
    "petition": petitions,
    "encyclopaedia": encyclopaedia,
}


def judged(data: Path) -> list[Judged]:
    """Return the labelled texts of all registers, found again in the data."""
    with REGISTERS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    films = frozenset(row["film"] for row in rows if row["film"])
    found: dict[tuple[str, str], str] = {}
    for register, read in READERS.items():
        texts = reviews(data, films) if register == "review" else read(data)
        found |= {(register, key(text)): text for text in texts}
    return [
        Judged(
            register=row["register"],
            id=row["id"],
            text=found[row["register"], row["id"]],
            bias=(row["bias_a"] == "1", row["bias_b"] == "1"),
            hate=(row["hate_a"], row["hate_b"]),
        )
        for row in rows
    ]


def own(*, held_out: bool) -> list[tuple[str, str, str]]:
    """Return register, subject and text of one half of our harmless sentences, by a keyed draw."""
    with HARMLESS.open(encoding="utf-8") as file:
        rows = [(row["register"], row["subject"], row["text"]) for row in _rows(file)]
    return [row for row in rows if (draw(1, "toxicity harmless", row[2]) < 0.5) == held_out]


def pool(data: Path) -> Iterator[str]:
    """Yield texts of the official releases, but for those of KLUE-NER and KLUE-DP."""
    klue = data / "klue"
    for part in ("train", "dev"):
        for row in json.loads((klue / f"klue-nli-v1.1_{part}.json").read_text("utf-8")):
            yield from (row["premise"], row["hypothesis"])
    for row in json.loads((klue / "klue-sts-v1.1_dev.json").read_text("utf-8")):
        yield from (row["sentence1"], row["sentence2"])
    for row in json.loads((klue / "klue-mrc-v1.1_dev_first1350.json").read_text("utf-8")):
        yield from sentences(row["context"])
    for row in _csv(klue / "klue-re-v1.1_train_subset3247.csv"):
        yield row["sentence"]
    yield from headlines(data)
    for line in (data / "raw" / "paraKQC_v1.txt").open(encoding="utf-8"):
        yield line.rstrip("\n").rpartition("\t")[2]


def _csv(path: Path) -> Iterator[dict[str, str]]:
    csv.field_size_limit(1 << 30)
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _rows(file: Any) -> Iterator[dict[str, str]]:
    return csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def main(
    data: Annotated[Path, typer.Option(help="The folder of real data (KLUE_DATA).")],
    out: Annotated[Path, typer.Option(help="Folder for pool.txt, harmless.txt, unlabelled.txt.")],
) -> None:
    """Write the texts without labels that `linear` is trained with."""
    names = {row.id for row in judged(data)}
    lists = {
        "pool": (text for text in dict.fromkeys(pool(data)) if len(text) >= 8),
        "harmless": (text for _, _, text in own(held_out=False) for _ in range(TIMES)),
        "unlabelled": dict.fromkeys(text for text in comments(data) if text),
    }
    out.mkdir(parents=True, exist_ok=True)
    for name, texts in lists.items():
        lines = [" ".join(text.split()) for text in texts if key(text) not in names]
        (out / f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")
        typer.echo(f"{name}: {len(lines):,} lines")


if __name__ == "__main__":
    typer.run(main)
