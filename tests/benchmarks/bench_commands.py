"""What whole commands take: the sample built to a release and again, its verification, real files.

    python tests/benchmarks/bench_commands.py [--json]

Seconds of wall clock with start and imports, CPU seconds of all processes and the peak of the
largest, once each, on two workers: the sample from raw files to a verified release with its report,
in new folders; the same with nothing to do; `klue verify` of that release; and of the official
files in KLUE_DATA/klue the report on all, and an audit of the votes of KLUE-NLI. The tagger reads
2,000 reviews of the NSMC crawl or, without it, of data/sample. Exit code 1 where a target of
seconds is missed.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from commands import Usage, klue
from real_reviews import load_texts
from results import ROOT, Figure, parser_of, show

SAMPLE = ROOT / "data" / "builds" / "sample.yaml"
OFFICIAL = Path(os.environ.get("KLUE_DATA") or ROOT.parent / "shared" / "data") / "klue"
TEXTS = 2_000


def main() -> int:
    """Run the commands and print what they took."""
    given = parser_of(__doc__).parse_args()
    left_out = [] if OFFICIAL.is_dir() else ["official files: KLUE_DATA/klue is absent"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = [*_sample(folder), *_tagger(folder)]
        if not left_out:
            figures += _official(folder)
    return show(__doc__, figures, as_json=given.json, left_out=left_out)


def _sample(folder: Path) -> list[Figure]:
    releases = folder / "releases"
    build = ["build", SAMPLE, "--work", folder / "work", "--releases", releases, "--json"]
    build += ["--workers", 2]
    figures = _cost_figures("sample, raw files to release", klue(build), most=60)
    figures += _cost_figures("sample again, nothing changed", klue(build), most=3.3)
    (release,) = releases.glob("*/[0-9]*[0-9]")
    return figures + _cost_figures("klue verify of the sample", klue(["verify", release]))


def _official(folder: Path) -> list[Figure]:
    votes = OFFICIAL / "klue-nli-v1.1_train.json"
    report = ["report", "--klue", OFFICIAL, "--out", folder / "page"]
    audit = ["audit", votes, "--task", "nli", "--from", "klue", "--json"]
    return [
        *_cost_figures("klue report of all official files", klue(report), most=15),
        *_cost_figures("klue audit of KLUE-NLI train", klue(audit), most=5),
    ]


def _tagger(folder: Path) -> list[Figure]:
    texts = [text.replace("\n", " ") for text in load_texts(TEXTS, repeat=True)[1]]
    (folder / "texts.txt").write_text("\n".join(texts), "utf-8")
    words = ["tagger", "tag", folder / "texts.txt", "--out", folder / "tags.jsonl"]
    return _cost_figures(f"klue tagger of {TEXTS:,} reviews", klue(words))


def _cost_figures(what: str, used: Usage, *, most: float | None = None) -> list[Figure]:
    return [
        Figure(what, used.wall, "s", most=most),
        Figure(what, used.cpu, "CPU s"),
        Figure(what, used.peak / 2**20, "MiB"),
    ]


if __name__ == "__main__":
    sys.exit(main())
