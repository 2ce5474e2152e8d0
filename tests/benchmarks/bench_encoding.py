"""Headlines and passages encoded per CPU second, against transformers' own call.

    python tests/benchmarks/bench_encoding.py [--json] [--runs N]

Both sides have the tokenizer that `scratch:tiny` trains on these texts, one thread, and take turns;
the figure is the median of N runs (5). Headlines are encoded with their labels, at 128 tokens;
theirs is `tokenizer(titles, truncation=True, max_length=128)`. Passages are those of KLUE-MRC, each
with its first question, at 510 tokens with an overlap of 128, places and targets included; theirs
returns overflowing tokens and offsets, and no targets. Without KLUE_DATA headlines and passages are
lines of data/sample, over and over. The same ids must come out; of a passage's last window, which
we fill up from the left, those that both have. Exit code 1 where ids differ, or fewer than 20,000
headlines or 1,000 passages a second are encoded.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from real_reviews import load_texts
from results import ROOT, Figure, none_of, parser_of, show

TARGETS = {"headlines": 20_000, "passages": 1_000}
DATA = Path(os.environ.get("KLUE_DATA") or ROOT.parent / "shared" / "data") / "klue"
TITLES = DATA / "ynat-v1.1_train36547_dev9107_titles.csv"
PASSAGES = DATA / "klue-mrc-v1.1_dev_first1350.json"
UNANSWERED = {"question": "이 글은 어디에 실렸나?", "type": 3, "answers": []}
Rows = list[list[int]]


def main() -> int:
    """Measure both and print what came out."""
    parser = parser_of(__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how many (5)")
    given = parser.parse_args()
    os.environ |= {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    found = {"headlines": headlines(given.runs), "passages": passages(given.runs)}
    figures = [figure for name, one in found.items() for figure in _figures(name, one)]
    return show(__doc__, figures, as_json=given.json, texts=found)


def headlines(runs: int) -> dict[str, Any]:
    """Encode headlines both ways."""
    from pipeline.training.preparing import HEADS

    examples = titles()
    texts = [one.fields["title"] for one in examples]
    head, tokens = _prepared("tc", HEADS["tc"], texts)
    head.check(examples, labels=True)
    ours, theirs, made, wanted = _turns(
        runs,
        lambda: head.encode(examples, tokens, labels=True),
        lambda: tokens.tokenizer(texts, truncation=True, max_length=128),
    )
    rows = [row.tolist() for row in made.tokens]
    different = sum(a != b for a, b in zip(rows, wanted["input_ids"], strict=True))
    return _found(len(texts), ours, theirs, different, tokens=_mean(rows))


def passages(runs: int) -> dict[str, Any]:
    """Encode passages in windows both ways."""
    from pipeline.training.preparing import HEADS
    from pipeline.training.recipe import recipe_of

    examples, recipe = questions(), recipe_of("mrc")
    contexts = [one.fields["context"] for one in examples]
    asked = [one.label["question"] for one in examples]
    head, tokens = _prepared("mrc", HEADS["mrc"], [*contexts, *asked])
    head.check(examples, labels=True)
    ours, theirs, made, wanted = _turns(
        runs,
        lambda: head.encode(examples, tokens, labels=True),
        lambda: tokens.tokenizer(
            asked,
            contexts,
            truncation="only_second",
            max_length=recipe.max_length,
            stride=recipe.stride,
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        ),
    )
    rows = [row.tolist() for row in made.tokens]
    owners = made.owners.tolist()
    same = owners == wanted["overflow_to_sample_mapping"]
    different = _unlike(rows, wanted["input_ids"], owners) if same else len(rows)
    return _found(len(contexts), ours, theirs, different, tokens=_mean(rows), windows=len(rows))


def titles() -> list[Any]:
    """Return headlines with their topics."""
    from pipeline.contracts.example import Example

    if TITLES.is_file():
        import csv

        with TITLES.open(encoding="utf-8-sig", newline="") as file:
            read = [(row["title"], row["label"]) for row in csv.DictReader(file)]
    else:
        read = [(text, "사회") for text in load_texts(45_000, repeat=True)[1]]
    return [
        Example(str(place), "bench", {"title": text}, [label])
        for place, (text, label) in enumerate(read)
    ]


def questions() -> list[Any]:
    """Return passages, each with its first question."""
    from pipeline.contracts.example import Example
    from pipeline.contracts.official.files import read_official
    from pipeline.contracts.official.tables import rows_of

    if PASSAGES.is_file():
        rows = rows_of(read_official("mrc", PASSAGES))
        read = {row.fields["context"]: row.gold for row in reversed(list(rows))}
    else:
        lines = load_texts(20_000, repeat=True)[1]
        read = {
            f"{place} {' '.join(lines[place : place + 20])}": UNANSWERED
            for place in range(0, len(lines), 20)
        }
    return [
        Example(str(place), "bench", {"title": "", "context": text}, gold)
        for place, (text, gold) in enumerate(read.items())
    ]


def _prepared(task: str, maker: Any, texts: Sequence[str]) -> tuple[Any, Any]:
    from pipeline.contracts.spec import load_spec
    from pipeline.training.recipe import recipe_of
    from pipeline.training.scratch import SIZES, train_tokenizer
    from pipeline.training.tokens import Tokens

    tokens = Tokens(train_tokenizer(texts, SIZES["tiny"].vocabulary))
    return maker(load_spec(task), recipe_of(task), []), tokens


def _turns(
    runs: int, ours: Callable[[], Any], theirs: Callable[[], Any]
) -> tuple[float, float, Any, Any]:
    """Return the median CPU seconds of both, and what they made; the first run does not count."""
    taken: tuple[list[float], list[float]] = ([], [])
    made: list[Any] = [None, None]
    for _ in range(runs + 1):
        for side, work in enumerate((ours, theirs)):
            begin = time.process_time()
            made[side] = work()
            taken[side].append(time.process_time() - begin)
    return median(taken[0][1:]), median(taken[1][1:]), *made


def _unlike(rows: Rows, wanted: Rows, owners: list[int]) -> int:
    """Count windows that differ; of a passage's last one only what both have counts."""
    different = 0
    for place, (row, want) in enumerate(zip(rows, wanted, strict=True)):
        last = place + 1 == len(rows) or owners[place + 1] != owners[place]
        first = place == 0 or owners[place - 1] != owners[place]
        front = want.index(want[-1])  # the first separator ends the question
        tail = want[front + 1 :]
        same = row[-len(tail) :] == tail and row[:front] == want[:front] if last else row == want
        different += not same or (first and row != want)
    return different


def _mean(rows: Rows) -> float:
    return round(sum(map(len, rows)) / len(rows), 1)


def _found(many: int, ours: float, theirs: float, different: int, **more: float) -> dict[str, Any]:
    return {
        "texts": many,
        "ours": round(many / ours),
        "theirs": round(many / theirs),
        "ratio": round(theirs / ours, 2),
        "different": different,
        **more,
    }


def _figures(name: str, one: dict[str, Any]) -> list[Figure]:
    what = f"{one['texts']:,} {name} of {one['tokens']} tokens"
    return [
        Figure(what, one["ours"], f"{name} a CPU second", least=TARGETS[name]),
        Figure(f"{name}: against transformers' call", one["ratio"], "times as fast"),
        none_of(f"{name}: rows of ids that differ", one["different"]),
    ]


if __name__ == "__main__":
    sys.exit(main())
