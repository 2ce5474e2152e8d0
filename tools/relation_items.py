"""Makes the texts from which a tagger of the entities of KLUE-RE learns: items with gold, as JSONL.

    python tools/relation_items.py KLUE-NER.tsv KLUE-RE.csv --out ITEMS.jsonl [--half tuning]

The texts of KLUE-NER come with the types of KLUE-RE. In KLUE-RE two entities of a sentence are
marked, so the others are those that the shipped tagger finds beside them. `tuning` is the half of
its sentences on which detection is developed, `reporting` the one on which it is measured; a
sentence falls on one side by a keyed draw over its text. The shipped `data/models/re-crf` learnt
from what this makes, with the defaults.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from flows.view.console import handle_errors, say  # noqa: E402
from pipeline.contracts.official.files import read_official  # noqa: E402
from pipeline.core.ids import draw  # noqa: E402
from pipeline.core.jsontext import parsed  # noqa: E402
from pipeline.sampling.tagging.labelled import Labelled, Span, read  # noqa: E402
from pipeline.sampling.tagging.registry import load, tag_checked  # noqa: E402
from pipeline.tasks.re.detection import TYPES  # noqa: E402

_SEED: Final = 18
Half = Literal["tuning", "reporting"]


def half_of(sentence: str) -> Half:
    """Return the half of KLUE-RE that a sentence falls into."""
    return "tuning" if draw(_SEED, "re.tuning", sentence) < 0.5 else "reporting"


def from_entities(path: Path) -> Iterator[Labelled]:
    """Yield the texts of KLUE-NER with the types of KLUE-RE."""
    for text in read(path):
        spans = tuple((start, end, TYPES[label]) for start, end, label in text.spans)
        yield Labelled(text.item, text.source, text.text, spans)


def from_relations(path: Path, half: Half) -> Iterator[Labelled]:
    """Yield the sentences of a half of KLUE-RE with what annotators and the shipped tagger mark."""
    marked, source = defaultdict[str, set[Span]](set), dict[str, str]()
    for row in read_official("re", path).items.select(["fields", "source"]).to_pylist():
        fields = parsed(row["fields"])
        sentence = fields["sentence"]
        source[sentence] = row["source"]
        ends = (fields[name] for name in ("subject", "object"))
        marked[sentence] |= {(end["start"], end["end"], end["type"]) for end in ends}
    sentences = sorted(s for s in marked if half_of(s) == half)
    tagged = tag_checked(load("crf"), sentences, labels=tuple(TYPES))
    for n, (sentence, tagging) in enumerate(zip(sentences, tagged, strict=True)):
        own = sorted(marked[sentence], key=lambda span: (span[0] - span[1], span))
        spans = [*own, *((m.start, m.end, TYPES[m.label]) for m in tagging.mentions)]
        yield Labelled(f"re-{n}", source[sentence], sentence, _apart(spans))


def _apart(spans: list[Span]) -> tuple[Span, ...]:
    kept: list[Span] = []
    for start, end, label in spans:
        if all(end <= other[0] or other[1] <= start for other in kept):
            kept.append((start, end, label))
    return tuple(sorted(kept))


def _record(text: Labelled) -> dict[str, Any]:
    gold = [dict(zip(("start", "end", "label"), span, strict=True)) for span in text.spans]
    about: dict[str, Any] = {"item": text.item, "source": text.source}
    about["corpora"] = ["KLUE-NER", "KLUE-RE"]
    return {**about, "fields": {"text": text.text}, "gold": gold}


def main(
    entities: Annotated[Path, typer.Argument(metavar="KLUE-NER.tsv")],
    relations: Annotated[Path, typer.Argument(metavar="KLUE-RE.csv")],
    out: Annotated[Path, typer.Option("--out")],
    half: Annotated[str, typer.Option(help="tuning or reporting")] = "tuning",
) -> None:
    """Write the items."""
    with handle_errors():
        side: Half = "tuning" if half == "tuning" else "reporting"
        texts = [*from_entities(entities), *from_relations(relations, side)]
        lines = (json.dumps(_record(text), ensure_ascii=False) + "\n" for text in texts)
        out.write_text("".join(lines), "utf-8", newline="\n")
        say(f"{out}: {len(texts):,} texts")


if __name__ == "__main__":
    typer.run(main)
