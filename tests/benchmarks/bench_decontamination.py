"""Recall and false removals of every rule of `klue decontaminate` on planted copies; its speed.

    python tests/benchmarks/bench_decontamination.py [--json] [--calibrate] [--list RULE]

KLUE_DATA/klue is the benchmark. Of each kind of plant 500 examples are drawn by key from one half
of the examples (by key too), and of each example one text that is long enough, of a passage one
sentence. Clean are sentences of NSMC, petitions, Wikinews, Wikipedia and news comments, as this
script cuts them. A removed one that occurs in the benchmark is not clean: it holds a text of it,
stands in one, or has 20 letters in a row in common with one. All other removals are false; `--list`
prints those of a rule. `--calibrate` shows thresholds on the other half of the examples and on
other sentences: the first 60,000 NSMC reviews, where the table has those from the 120,000th on, and
the other half of the rest. Speed is of NSMC reviews on one core against 30,000 texts and against
all. Without KLUE_DATA nothing is measured. Exit code 1 if `alignment` finds fewer than .97 of a
kind, removes more than 0.3 % of the clean sentences, or looks at fewer than 15,000 reviews a
second.
"""

from __future__ import annotations

import csv
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from planted_copies import KINDS, cut, draw, letters_of, pick, sentence_of
from results import ROOT, Figure, parser_of, show

PLANTS, REVIEWS, TIMED = 500, 60_000, 40_000
#: The first review of those that thresholds are set on, and of those that the table is made of.
TUNED, REPORTED = 0, 120_000
RECALL, FALSE, SPEED = 0.97, 0.003, 15_000
#: Letters in a row that say of a removed sentence that it occurs in the benchmark.
COMMON = 20


def main() -> int:
    """Measure every rule, or show thresholds."""
    parser = parser_of(__doc__)
    parser.add_argument(
        "--calibrate", action="store_true", help="show thresholds on the other half"
    )
    parser.add_argument("--list", metavar="RULE", help="print the false removals of a rule")
    parser.add_argument("--plants", type=int, default=PLANTS, help=f"of each kind ({PLANTS})")
    given = parser.parse_args()
    data = Path(os.environ.get("KLUE_DATA") or ROOT.parent / "shared" / "data")
    if not (data / "klue").is_dir():
        left_out = ["everything: KLUE_DATA/klue is absent"]
        return show(__doc__, [], as_json=given.json, left_out=left_out)
    case = Case(data, given.plants)
    if given.calibrate:
        calibrate(case)
        return 0
    if given.list:
        for source, sentences in case.clean(tuned=False).items():
            for sentence, text, score in case.removals(given.list, sentences)[1]:
                sys.stdout.write(f"{source}\t{score}\t{sentence}\t{text}\n")
        return 0
    result = {"rules": rules(case), "speed": speed(case)}
    if not given.json:
        sys.stdout.write(report(result))
    return show(__doc__, figures_of(result), as_json=given.json, **result)


class Case:
    """The benchmark, what is planted of it, and clean sentences."""

    def __init__(self, data: Path, plants: int) -> None:
        from flows.commands.guarded_texts import guarded_texts
        from pipeline.corpus.decontamination.benchmark import Benchmark
        from pipeline.corpus.decontamination.rules import RULES, CommonRuns, _letter_tokens

        self.data, self._plants, self._makers = data, plants, RULES
        self.benchmark = Benchmark(guarded_texts([data / "klue"]))
        self._rules: dict[str, Any] = {}
        runs = CommonRuns(self.benchmark.texts, tokens=_letter_tokens, n=COMMON, rule="common")
        self._common, self._all_letters = runs, "\n".join(map(letters_of, self.benchmark.texts))

    def rule(self, name: str) -> Any:
        """Return a rule that knows the benchmark."""
        if name not in self._rules:
            self._rules[name] = self._makers[name](self.benchmark.texts)
        return self._rules[name]

    def planted(self, kind: str, *, tuned: bool) -> list[str]:
        """Return the rows with a plant of a kind, of one half of the examples."""
        least, change = KINDS[kind]
        owned: dict[Any, list[str]] = {}
        for text, owners in zip(self.benchmark.texts, self.benchmark.owners, strict=True):
            for owner in owners:
                owned.setdefault(owner, []).append(text)
        half = [o for o in owned if (draw("half", *o) < 0.5) == tuned]
        rows: list[str] = []
        purpose = f"{kind} {'set' if tuned else 'fresh'}"
        for owner in sorted(half, key=lambda o: draw(purpose, *o)):
            key = f"{purpose} {'|'.join(owner)}"
            texts = [t for t in map(str, owned[owner]) if len(letters_of(t)) >= 10]
            text = sentence_of(pick(texts, key, "text"), key) if texts else ""
            if len(text.split()) >= least:
                rows.append(change(text, key))
            if len(rows) == self._plants:
                break
        return rows

    def clean(self, *, tuned: bool) -> dict[str, list[str]]:
        """Return sentences by source, each once; what thresholds were set on, or the others."""
        begin = TUNED if tuned else REPORTED
        reviews = self.reviews(begin, begin + REVIEWS)
        result = {"nsmc": list(dict.fromkeys(s for text in reviews for s in cut(text)))}
        for name, texts in self._others().items():
            every = dict.fromkeys(s for text in texts for s in cut(text))
            result[name] = [s for s in every if (draw("clean", name, s) < 0.5) == tuned]
        return result

    def reviews(self, begin: int, end: int) -> list[str]:
        """Return NSMC reviews in the order of the archive."""
        from real_reviews import read_reviews

        return list(islice(read_reviews(self.data / "raw" / "nsmc_raw.tar.zst"), begin, end))

    def _others(self) -> dict[str, Iterator[str]]:
        raw = self.data / "raw"
        csv.field_size_limit(2**30)
        files = [path for path in sorted((raw / "kowiki").rglob("*")) if path.is_file()]
        petitions = sorted((raw / "petitions").glob("*.jsonl"))
        with (raw / "wikinews.csv").open(encoding="utf-8", newline="") as stream:
            news = [row[3] for row in csv.reader(stream)][1:]
        lines = (line for path in petitions for line in path.read_text("utf-8").splitlines())
        comments = (raw / "news_comments_unlabeled.txt").read_text("utf-8").splitlines()
        return {
            "petitions": (json.loads(line)["content"] for line in lines),
            "wikinews": iter(news),
            "kowiki": (path.read_text("utf-8", "replace") for path in files),
            "comments": iter(comments),
        }

    def best_matches(self, rule: str, rows: Sequence[str]) -> dict[int, tuple[int, float]]:
        """Return the best match of each row that a rule removes: its text and score."""
        from pipeline.corpus.decontamination.rules import find_matches

        table = find_matches(rows, self.rule(rule))
        best: dict[int, tuple[int, float]] = {}
        for match in table.to_pylist():
            best.setdefault(match["row"], (match["text"], match["score"]))
        return best

    def removals(
        self, rule: str, sentences: Sequence[str]
    ) -> tuple[int, list[tuple[str, str, float]]]:
        """Return how many removed sentences occur in the benchmark, and the false removals."""
        best = self.best_matches(rule, sentences)
        removed = [sentences[row] for row in best]
        common = {match.row for match in self._common.matches(removed)}
        false = []
        for place, (row, (text, score)) in enumerate(best.items()):
            inner, whole = letters_of(sentences[row]), letters_of(self.benchmark.texts[text])
            occurs = whole in inner or (len(inner) >= 10 and inner in self._all_letters)
            if not occurs and place not in common:
                false.append((sentences[row], self.benchmark.texts[text], score))
        return len(best) - len(false), false


def rules(case: Case) -> dict[str, dict[str, Any]]:
    """Return recall by kind and false removals by source of every rule."""
    planted = {kind: case.planted(kind, tuned=False) for kind in KINDS}
    clean = case.clean(tuned=False)
    result: dict[str, dict[str, Any]] = {}
    for name in case._makers:
        recall = {k: len(case.best_matches(name, rows)) / len(rows) for k, rows in planted.items()}
        sources = {}
        for source, sentences in clean.items():
            occurring, false = case.removals(name, sentences)
            left = len(sentences) - occurring
            sources[source] = {"clean": left, "false": len(false), "occur": occurring}
        result[name] = {"recall": recall, "sources": sources}
    return result


def speed(case: Case) -> dict[str, Any]:
    """Return reviews a CPU second on one core, against 30,000 texts and against all."""
    from pipeline.corpus.decontamination.rules import Alignment, find_matches

    reviews, texts = case.reviews(0, TIMED), case.benchmark.texts
    some = sorted(texts, key=lambda text: draw("speed", text))[:30_000]
    result = {}
    for name, part in {"30,000 texts": some, f"{len(texts):,} texts": texts}.items():
        begin = time.process_time()
        rule = Alignment(part)
        built = time.process_time()
        find_matches(reviews, rule)
        taken = time.process_time() - built
        result[name] = {"build": round(built - begin, 2), "a_second": round(TIMED / taken)}
    return result


def calibrate(case: Case) -> None:
    """Print recall and false removals for thresholds, on what the table is not made of."""
    from pipeline.corpus.decontamination import index, rules

    index.LEAST = 0.3
    planted = {kind: case.planted(kind, tuned=True) for kind in KINDS}
    clean = case.clean(tuned=True)
    rows = {**planted, **clean}
    rules.COPY, rules.PART, false = 0.65, 0.85, {}
    similar = {name: similarities(case, texts) for name, texts in rows.items()}
    for name, sentences in clean.items():
        false[name] = {sentence for sentence, *_ in case.removals("alignment", sentences)[1]}
    sys.stdout.write("least copy part  " + " ".join(f"{name:>9}" for name in rows) + "\n")
    for least in (0.3, 0.4, 0.5):
        for copy in (0.65, 0.7, 0.73, 0.75, 0.8):
            for part in (0.85, 0.9):
                cells = []
                for name, texts in rows.items():
                    hits = {
                        texts[row]
                        for row, score, as_copy, as_part in similar[name]
                        if score >= least and (as_copy >= copy or as_part >= part)
                    }
                    hits = hits & false[name] if name in false else hits
                    cells.append(f"{len(hits) / len(set(texts)):9.4f}")
                sys.stdout.write(f"{least:5} {copy:4} {part:4}  {' '.join(cells)}\n")


def similarities(case: Case, texts: Sequence[str]) -> list[tuple[int, float, float, float]]:
    """Return the similarities of each pair of a row and a unit."""
    from pipeline.corpus.decontamination.alignment import copy_similarity, part_similarity
    from pipeline.corpus.decontamination.pieces import pieces_of

    rule = case.rule("alignment")
    pairs = [(row, piece) for row, text in enumerate(texts) for piece in pieces_of(text)]
    result = []
    for at, unit, score in rule._index.search([piece for _, piece in pairs]):
        (row, piece), inner = pairs[at], rule._units[unit]
        result.append((row, score, copy_similarity(piece, inner), part_similarity(inner, piece)))
    return result


def report(result: Mapping[str, Any]) -> str:
    """Return the table in Markdown."""
    rows = result["rules"]
    sources = list(next(iter(rows.values()))["sources"])
    lines = [
        ["rule", *KINDS, *sources, "all clean"],
        ["---", *["--:"] * (len(KINDS) + len(sources) + 1)],
    ]
    for name, row in rows.items():
        recall = [f"{row['recall'][kind]:.3f}" for kind in KINDS]
        counts = [row["sources"][source] for source in sources]
        shares = [f"{100 * c['false'] / c['clean']:.3f} %" for c in counts]
        lines.append([f"`{name}`", *recall, *shares, f"{100 * false_share(row):.3f} %"])
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    clean = {s: rows["alignment"]["sources"][s] for s in sources}
    of = "; ".join(f"{s} {c['clean']:,} clean, {c['occur']:,} occur" for s, c in clean.items())
    fast = "; ".join(f"{n}: {v['a_second']:,} a CPU second" for n, v in result["speed"].items())
    return f"{text}\n\n{of}\nreviews against {fast}\n"


def false_share(row: Mapping[str, Any]) -> float:
    """Return the share of all clean sentences that a rule removes."""
    counts = row["sources"].values()
    return float(sum(c["false"] for c in counts) / sum(c["clean"] for c in counts))


def figures_of(result: Mapping[str, Any]) -> list[Figure]:
    """Return the figures of the rule that is used, `alignment`."""
    row, speeds = result["rules"]["alignment"], result["speed"]
    figures = [
        Figure(f"copies found: {kind}", found, "of 1", least=RECALL)
        for kind, found in row["recall"].items()
    ]
    figures.append(Figure("clean sentences removed", false_share(row), "of 1", most=FALSE))
    for name, one in speeds.items():
        least = SPEED if name == next(iter(speeds)) else None
        figures.append(Figure(f"against {name}", one["a_second"], "reviews a CPU second", least))
        figures.append(Figure(f"index of {name}", one["build"], "CPU s"))
    return figures


if __name__ == "__main__":
    sys.exit(main())
