"""Personal data: detection and pseudonyms against Presidio and datatrove, one process each.

    python tests/benchmarks/bench_pii.py [--texts N] [--json]

Writes N short sentences (1,000,000) of KLUE_DATA/raw/nsmc_raw.tar.zst or, without it, of
data/sample as JSONL, one in a hundred with a value of the labelled set woven in. Then, each in a
process of its own, imports and set-up not counted, in CPU seconds, three rounds in turn:

    spans          this project detects all 16 types, with spans, in texts already read
    scan           this project reads the file and detects
    pseudonymise   this project reads it twice and writes it with pseudonyms
    datatrove      its JsonlReader reads the file, its PIIFormatter replaces e-mails and IPs
    presidio       its analyzer with ten recognisers finds spans in the first 20,000 texts, read

The last two run with the interpreter BENCH_PYTHON, which has tests/benchmarks/requirements.txt
(`make bench` makes one), and are left out without it. Exit code 1 when the median of a ratio is
below its target: spans 100 times presidio, scan 8 times datatrove, pseudonymise half of scan.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from real_reviews import load_texts
from results import ROOT, Figure, of_runs, parser_of, show

PRESIDIO_TEXTS = 20_000
#: Faster side, slower side, and how many times as fast it has to be.
TARGETS = {
    "spans / presidio": 100.0,
    "scan / datatrove": 8.0,
    "pseudonymise / scan": 0.5,
}
ROUNDS = 3
#: Every how many-th sentence holds personal data.
SPACING = 100

Rates = dict[str, list[float]]


def main() -> int:
    """Write the file, run all sides on it in turn, print rates and ratios."""
    parser = parser_of(__doc__)
    parser.add_argument("--texts", type=int, default=1_000_000, help="how many (1,000,000)")
    parser.add_argument("--side", choices=sorted(SIDES), help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.side:
        sys.stdout.write(json.dumps(SIDES[given.side](given.file)))
        return 0
    other = os.environ.get("BENCH_PYTHON")
    left_out = [] if other else [f"{side}: BENCH_PYTHON is not set" for side in COMPETITORS]
    sides = [side for side in SIDES if other or side not in COMPETITORS]
    rates: Rates = {side: [] for side in sides}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.jsonl"
        source = _write(file, given.texts)
        for _ in range(ROUNDS):
            for side in sides:
                python = other if other and side in COMPETITORS else sys.executable
                rates[side].append(_run(python, side, file))
    source = f"{source}, {given.texts:,} sentences"
    figures = _figures(rates)
    return show(__doc__, figures, as_json=given.json, source=source, left_out=left_out)


def _write(file: Path, texts: int) -> str:
    """Write the sentences; returns where they come from."""
    source, reviews = load_texts(texts, repeat=True)
    values = list(_values())
    with file.open("w", encoding="utf-8") as out:
        for n, text in enumerate(islice(_sentences(reviews), texts)):
            digest = int.from_bytes(hashlib.blake2b(str(n).encode(), digest_size=8).digest(), "big")
            if digest % SPACING == 0:
                value = values[digest // SPACING % len(values)]
                text = f"{text[: len(text) // 2]} {value} {text[len(text) // 2 :]}"  # noqa: PLW2901
            out.write(json.dumps({"id": str(n), "text": text}, ensure_ascii=False) + "\n")
    return source


def _sentences(reviews: list[str]) -> Iterator[str]:
    while True:
        for review in reviews:
            yield from filter(None, map(str.strip, re.split(r"(?<=[.!?~])\s+", review)))


def _values() -> Iterator[str]:
    for path in sorted((ROOT / "tests" / "pii" / "labelled").glob("*.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            for span in row["spans"]:
                yield row["text"][span["start"] : span["end"]]


def _run(python: str, side: str, file: Path) -> float:
    """Run one side in a process of its own; returns its texts per CPU second."""
    command = [python, __file__, "--side", side, "--file", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{side} failed:\n{done.stderr}")
    found = json.loads(done.stdout.splitlines()[-1])
    return float(found["texts"] / found["seconds"])


def _figures(rates: Rates) -> list[Figure]:
    figures = [of_runs(side, each, "texts a CPU second") for side, each in rates.items()]
    for name, least in TARGETS.items():
        fast, slow = name.split(" / ")
        if fast in rates and slow in rates:
            ratios = [a / b for a, b in zip(rates[fast], rates[slow], strict=True)]
            figures.append(of_runs(f"{fast} against {slow}", ratios, "times", least=least))
    return figures


def _timed(work: Callable[[], tuple[int, int]]) -> dict[str, float]:
    begin = time.process_time()
    texts, hits = work()
    return {"texts": texts, "hits": hits, "seconds": time.process_time() - begin}


def _task(file: Path) -> Any:
    sys.path.insert(0, str(ROOT))
    import pyarrow as pa

    from pipeline.core.io import guess_source
    from pipeline.pii.files import Task
    from pipeline.pii.kinds import MINIMUM, TYPES

    pa.set_cpu_count(1)
    return Task(guess_source(file), TYPES, MINIMUM)


def spans(file: Path) -> dict[str, float]:
    """Detect in texts that are read already."""
    task = _task(file)
    from pipeline.core.io import read_batches
    from pipeline.pii.detect import detect

    read = [batch.texts for batch in read_batches(task.file, quarantine=print)]

    def work() -> tuple[int, int]:
        return sum(map(len, read)), sum(detect(texts).num_rows for texts in read)

    return _timed(work)


def scan(file: Path) -> dict[str, float]:
    """Read and detect."""
    task = _task(file)
    from pipeline.pii import files

    def work() -> tuple[int, int]:
        found = files.search_file(task)
        return found.rows, found.hits.total()

    return _timed(work)


def pseudonymise(file: Path) -> dict[str, float]:
    """Read, collect the originals, read again, replace and write."""
    task = replace(_task(file), out=file.with_name("out.jsonl"), force=True)
    from pipeline.pii import files

    def work() -> tuple[int, int]:
        key = b"bench".ljust(32)
        found = files.pseudonymise_file(task, key=key, known=files.collect_originals(task, key=key))
        return found.rows, found.hits.total()

    return _timed(work)


def datatrove(file: Path) -> dict[str, float]:
    """Read and replace e-mails and IP addresses."""
    from datatrove.pipeline.formatters import PIIFormatter
    from datatrove.pipeline.readers import JsonlReader

    reader = JsonlReader(str(file.parent), glob_pattern=file.name)
    formatter = PIIFormatter()

    def work() -> tuple[int, int]:
        return sum(1 for _ in formatter(reader())), -1

    return _timed(work)


def presidio(file: Path) -> dict[str, float]:
    """Analyse the first texts with the ten recognisers that match types of this project."""
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer import predefined_recognizers as known
    from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine

    class NoModel(NlpEngine):
        """No language model: the kindest setting, since only patterns are compared."""

        def load(self) -> None: ...

        def is_loaded(self) -> bool:
            return True

        def process_text(self, _: str, language: str) -> NlpArtifacts:
            return NlpArtifacts([], [], [], [], self, language)

        def process_batch(self, texts, language, **_):  # type: ignore[no-untyped-def]
            for text in texts:
                yield text, self.process_text(text, language)

        def is_stopword(self, *_: str) -> bool:
            return False

        def is_punct(self, *_: str) -> bool:
            return False

        def get_supported_entities(self) -> list[str]:
            return []

        def get_supported_languages(self) -> list[str]:
            return ["ko"]

    korean = ("Rrn", "Frn", "Passport", "DriverLicense", "Brn")
    names = ["Email", "Url", "Ip", "CreditCard", *(f"Kr{name}" for name in korean)]
    recognizers = [getattr(known, f"{name}Recognizer")(supported_language="ko") for name in names]
    phone = known.PhoneRecognizer(supported_language="ko", supported_regions=["KR"])
    registry = RecognizerRegistry([*recognizers, phone], supported_languages=["ko"])
    analyzer = AnalyzerEngine(registry, NoModel(), supported_languages=["ko"])
    with file.open(encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in islice(lines, PRESIDIO_TEXTS)]

    def work() -> tuple[int, int]:
        return len(texts), sum(len(analyzer.analyze(text, language="ko")) for text in texts)

    return _timed(work)


SIDES: dict[str, Callable[[Path], dict[str, float]]] = {
    "spans": spans,
    "scan": scan,
    "pseudonymise": pseudonymise,
    "datatrove": datatrove,
    "presidio": presidio,
}
COMPETITORS = ("datatrove", "presidio")

if __name__ == "__main__":
    sys.exit(main())
