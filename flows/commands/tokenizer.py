"""`klue tokenizer`: train one on texts, and measure several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from flows.commands.outputs import check_new_folder, new_folder
from flows.commands.text_sources import Unreadable, text_sources
from flows.engine.run import check_workers
from flows.view.console import Result, from_here, print_line, print_table
from pipeline.core import steps
from pipeline.core.checkpoint import library
from pipeline.core.files import check_utf8, refuse
from pipeline.core.morphology import morphemes
from pipeline.core.pool import Workers
from pipeline.core.wording import count

#: The step of both commands.
_TEXTS: Final = "texts"
_HEADS: Final = (
    "tokenizer", "pieces", "fertility", "continued", "unknown", "precision", "recall", "tokens/s",
)  # fmt: skip


def train(
    inputs: tuple[str, ...],
    *,
    recipe: str,
    algorithm: str,
    vocabulary: int,
    out: Path,
    text_column: str,
    workers: int,
) -> Result:
    """Train a tokenizer and write its folder; returns its record.

    Raises InputError for options and files that cannot be used, before any text is cut.
    """
    _require("duckdb", "tokenizers", "transformers", *["sentencepiece"] * (algorithm == "unigram"))
    from pipeline.tokenization.counting import survey
    from pipeline.tokenization.training import Settings, check_vocabulary
    from pipeline.tokenization.training import train as train_tokenizer

    check_workers(workers)
    check_vocabulary(vocabulary, ())
    check_new_folder(out)
    sources = text_sources(inputs, text_column=text_column, out=out)
    unreadable = Unreadable()
    surveyed = survey(sources, unreadable.add)
    refuse(", ".join(inputs), (not surveyed.texts, "hold no text; give others"))
    unreadable.say_rest()
    with new_folder(out) as folder, Workers(workers) as pool, steps.running(_TEXTS, surveyed.texts):
        trained = train_tokenizer(
            sources,
            settings=Settings(recipe, algorithm, vocabulary),
            surveyed=surveyed,
            folder=folder.parent,
            workers=pool,
            advance=partial(steps.advance, _TEXTS),
        )
        trained.save(folder)
    return trained.record | {"out": str(out)}, _show_trained


def _require(*names: str) -> None:
    """Raise MissingDependencyError for a library that is not installed."""
    for name in names:
        library(name)


def _show_trained(record: dict[str, Any]) -> None:
    read, asked = record["input"], record["vocabulary"]
    print_line(
        f"{record['recipe']}, {record['algorithm']}: {count(record['pieces'], 'piece')} from"
        f" {count(read['words'], 'word')} of {count(read['texts'], 'text')}"
    )
    if record["pieces"] < asked:
        print_line(f"fewer than {asked:,}: the texts give no more")
    print_line(f"written  {from_here(Path(record['out']).absolute())}")


def stats(
    inputs: tuple[str, ...], *, tokenizer: tuple[Path, ...], example: str, text_column: str
) -> Result:
    """Measure tokenizers on the same texts, as Table 35 of the paper, with an example as Table 30.

    Raises InputError for folders and files that cannot be used, before a text is read.
    """
    _require("duckdb", "tokenizers", "transformers")
    from pipeline.tokenization.measures import load_tokenizer, measure

    refuse("--example", (not example.strip(), "is blank; give a sentence"))
    check_utf8("--example", example)
    loaded = [load_tokenizer(folder) for folder in tokenizer]
    sources, unreadable = text_sources(inputs, text_column=text_column), Unreadable()
    with steps.running(_TEXTS):
        record = measure(
            sources, loaded, quarantine=unreadable.add, advance=partial(steps.advance, _TEXTS)
        )
    refuse(", ".join(inputs), (not record["words"], "hold no word; give others"))
    unreadable.say_rest()
    record["unreadable"] = unreadable.rows
    for folder, one, row in zip(tokenizer, loaded, record["tokenizers"], strict=True):
        row |= {"tokenizer": str(folder), "pieces": len(one), "example": one.tokenize(example)}
    record["example"] = {"text": example, "morphemes": [m.form for m in morphemes(example)]}
    return record, _show_stats


def _show_stats(record: dict[str, Any]) -> None:
    rows = [
        (
            row["tokenizer"],
            f"{row['pieces']:,}",
            *(_number(row[name]) for name in _HEADS[2:7]),
            f"{row['tokens_per_second']:,.0f}" if row["tokens_per_second"] else "-",
        )
        for row in record["tokenizers"]
    ]
    print_table(
        f"{count(record['words'], 'word')} of {count(record['texts'], 'text')}", _HEADS, rows
    )
    print_line(
        "fertility: tokens a word; continued: words of several tokens; unknown: of tokens;"
        " precision and recall: ends of tokens against ends of morphemes (mecab) inside words;"
        " tokens/s: of one processor"
    )
    example = [
        ("text", record["example"]["text"]),
        ("mecab", _joined(record["example"]["morphemes"])),
    ]
    example += [(row["tokenizer"], _joined(row["example"])) for row in record["tokenizers"]]
    print_table("", ("cut by", "example"), example, left=("example",))


def _joined(parts: Sequence[str]) -> str:
    return " / ".join(parts)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
