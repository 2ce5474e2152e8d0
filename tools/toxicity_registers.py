"""Sets thresholds for the registers at hand, and says what they lose of harmless text.

    python tools/toxicity_registers.py --data DIR [--detector DETECTOR]

The lowest thresholds, from 0.5 in steps of 0.01, that together lose at most 1 % of harmless text:
of texts that two annotators found harmless (tests/corpus/toxicity/registers.tsv), of our own
harmless sentences (their tuning half, of any register), and, for registers that are harmless by
nature, of half of a larger sample, by a keyed draw (of Wikipedia by article). The other halves
choose nothing and are the check. The check of comments are harmless ones of the dev set; that of
petitions are unlabelled, some of them toxic.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import pyarrow as pa
import typer

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from toxicity_texts import READERS, Judged, judged, key, own, petitions, pool, sentences  # noqa: E402
from toxicity_texts import _csv as rows_of  # noqa: E402

from pipeline.core.ids import draw  # noqa: E402
from pipeline.corpus.toxicity.calibration import read_labelled  # noqa: E402
from pipeline.corpus.toxicity.scoring import COLUMNS, Detector, judge, load  # noqa: E402

#: The share of harmless text that both scores together may cost.
LOSS: Final = 0.01
STEPS: Final = (np.arange(50, 101) / 100).tolist()
Scores = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Register:
    """Thresholds of a register, and shares: of harmless text that is lost, of toxic text found.

    `own` are our sentences that no choice has seen; a share of no texts is None.
    """

    name: str
    thresholds: dict[str, float]
    judged: int
    lost: float
    checked: int
    check_lost: float
    own_lost: float
    toxic: int
    found: float | None


def calibrate(detector: Detector, data: Path) -> list[Register]:
    """Return thresholds of all registers with what they lose and find."""
    texts, samples = judged(data), samples_of(data)
    return [
        _calibrate(detector, name, [one for one in texts if one.register == name], samples[name])
        for name in READERS
    ]


def _calibrate(
    detector: Detector, name: str, texts: list[Judged], halves: tuple[list[str], list[str]]
) -> Register:
    harmless = [one.text for one in texts if one.harmless]
    toxic = [one.text for one in texts if any(one.bias) or "hate" in one.hate]
    ours = [text for _, _, text in own(held_out=False)]
    sets = [scores_of(detector, chosen_by) for chosen_by in (harmless, ours, halves[0])]
    limits = dict(zip(COLUMNS, lowest(sets), strict=True))

    def share(texts: list[str]) -> float:
        reached = scores_of(detector, texts) >= np.array(list(limits.values()))
        return round(float(reached.any(axis=1).mean()), 4)

    sentences_of_own = [text for register, _, text in own(held_out=True) if register == name]
    return Register(
        name=name,
        thresholds=limits,
        judged=len(harmless),
        lost=share(harmless),
        checked=len(halves[1]),
        check_lost=share(halves[1]),
        own_lost=share(sentences_of_own),
        toxic=len(toxic),
        found=share(toxic) if toxic else None,
    )


def lowest(sets: list[Scores]) -> list[float]:
    """Return the lowest thresholds with which no set of harmless texts loses more than LOSS."""

    def allowed(limits: list[float], loss: float) -> bool:
        lost = ((one >= np.array(limits)).any(axis=1) for one in sets)
        return all(own.sum() <= loss * len(own) for own in lost)

    hate = next((t for t in STEPS if allowed([2.0, t], LOSS / 2)), 1.0)
    bias = next((t for t in STEPS if allowed([t, hate], LOSS)), 1.0)
    return [bias, next((t for t in STEPS if allowed([bias, t], LOSS)), hate)]


def scores_of(detector: Detector, texts: list[str]) -> Scores:
    """Return the scores, a row a text; those of texts that are not Korean are below any."""
    scores = judge(detector, pa.array(texts, pa.string()))
    columns = [column.fill_null(-1.0).to_numpy() for column in scores.columns]
    return np.column_stack(columns)


def samples_of(data: Path) -> dict[str, tuple[list[str], list[str]]]:
    """Return for each register the samples that choose and that check."""
    known = {one.id for one in judged(data)} | {key(text) for text in pool(data)}
    dev = read_labelled(data / "toxicity" / "korean-hate-speech_dev.tsv")
    plain = ~dev.gender_bias & (dev.hate == 0)
    entities = dict(_entities(data))
    news = [s for row in rows_of(data / "raw" / "wikinews.csv") for s in sentences(row["내용"])]
    articles = sorted((data / "raw" / "kowiki").rglob("*.txt"))
    return {
        "comment": ([], dev.texts.filter(pa.array(plain)).to_pylist()),
        "review": _halves(entities["nsmc"], known),
        "news": _halves(news + entities["wikitree"], known),
        "petition": ([], [t for t in petitions(data) if key(t) not in known]),
        "encyclopaedia": _halves(
            ((s, path.stem) for path in articles for s in sentences(path.read_text("utf-8"))), known
        ),
    }


def _halves(texts: Iterable[str | tuple[str, str]], known: set[str]) -> tuple[list[str], list[str]]:
    """Deal distinct texts out by themselves, or by what they are of; known ones are left out."""
    halves: tuple[list[str], list[str]] = [], []
    for text, whole in dict.fromkeys(t if isinstance(t, tuple) else (t, t) for t in texts):
        if key(text) not in known:
            halves[draw(1, "register sample", whole) >= 0.5].append(text)
    return halves


def _entities(data: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the sources of KLUE-NER's dev file with their sentences."""
    lines = (data / "klue" / "klue-ner-v1.1_dev.tsv").read_text("utf-8").split("\n\n")
    for source in ("nsmc", "wikitree"):
        found = []
        for block in lines:
            head = re.search(rf"^## klue-ner\S*{source}\t.*$", block, re.MULTILINE)
            if head:
                letters = block[head.end() :].strip("\n").split("\n")
                found.append("".join(line.split("\t")[0] for line in letters))
        yield source, found


def table(registers: list[Register]) -> str:
    """Return the registers as a table of Markdown."""
    lines = [
        "| register | thresholds | harmless | lost | check | lost | own, lost | toxic, found |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for one in registers:
        limits = ", ".join(f"{name}: {value:g}" for name, value in one.thresholds.items())
        found = "" if one.found is None else f"{one.found:.0%} of {one.toxic}"
        lines.append(
            f"| {one.name} | `{{{limits}}}` | {one.judged} | {one.lost:.2%} | {one.checked:,} |"
            f" {one.check_lost:.2%} | {one.own_lost:.0%} | {found} |"
        )
    return "\n".join(lines)


def main(
    data: Annotated[Path, typer.Option(help="The folder of real data (KLUE_DATA).")],
    detector: Annotated[str, typer.Option(help="As for `klue toxicity`.")] = "linear",
) -> None:
    """Set thresholds for the registers at hand."""
    typer.echo(table(calibrate(load(detector), data)))


if __name__ == "__main__":
    typer.run(main)
