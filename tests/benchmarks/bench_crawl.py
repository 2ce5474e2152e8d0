"""The NSMC crawl from archive to kept sentences: this code against that before `klue clean` came.

    python tests/benchmarks/bench_crawl.py [--share 1] [--rounds 1] [--no-profile] [--json]

KLUE_DATA/raw/nsmc_raw.tar.zst, or a share of its films in an archive of the same form, is built by
`klue build --until corpus` on two workers with both codes in turn: this checkout, and commit
f9c66638, unpacked beside it, the last one before the work on one's own corpora. Both run on the
packages of this checkout; the older code also needs datasketch, which it finds in BENCH_PYTHON
(tests/benchmarks/requirements.txt), and is left out without it. Seconds count from the command to
its end, start included; CPU seconds are of all processes.

Then the same stages run in one process, where every interval of CPU is given to what the main
thread was doing (crawl_profile.py), and two floors are taken alone: reading the archive to its last
byte, and mecab's call for every text that the stage of sentences gives it. Without KLUE_DATA
nothing is measured. Exit code 1 when this code takes more than half of the time.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import zstandard
from commands import Usage, klue
from crawl_profile import Profile, profiled
from results import ROOT, Figure, of_runs, parser_of, show

BEFORE = "f9c66638"
TARGET = 2.0
WORKERS = 2
DATA = Path(os.environ.get("KLUE_DATA") or ROOT.parent / "shared" / "data")
CRAWL = DATA / "raw" / "nsmc_raw.tar.zst"
BUILD = """\
name: crawl
seed: 1
catalogue: {root}/data/catalogue.yaml
sources:
  nsmc:
    inputs:
      - path: {archive}
"""


def main() -> int:
    """Build with both codes in turn, profile this one, and print what came out."""
    parser = parser_of(__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the films (1)")
    parser.add_argument("--rounds", type=int, default=1, help="builds of each code (1)")
    parser.add_argument("--no-profile", action="store_true", help="compare only")
    given = parser.parse_args()
    if not CRAWL.is_file():
        left_out = [f"everything: {CRAWL.name} is absent; set KLUE_DATA"]
        return show(__doc__, [], as_json=given.json, left_out=left_out)
    left_out = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archive = CRAWL if given.share == 1 else thinned(folder / "part.tar.zst", given.share)
        figures, reviews = compare(folder, archive, given.rounds, left_out)
        if not given.no_profile:
            figures += _shares(profiled(_build(folder / "profile", ROOT, archive)))
    source = f"NSMC crawl, {reviews:,} reviews, {WORKERS} workers"
    return show(__doc__, figures, as_json=given.json, source=source, left_out=left_out)


def compare(
    folder: Path, archive: Path, rounds: int, left_out: list[str]
) -> tuple[list[Figure], int]:
    """Return the figures of both codes, this one first in each round, and how many reviews."""
    codes, extra = {"this code": ROOT}, dict[str, str]()
    if place := _datasketch():
        codes["the code before"] = before = folder / "before"
        unpack(BEFORE, before)
        (folder / "extra").mkdir()
        (folder / "extra" / "datasketch").symlink_to(place)
        extra = {"PYTHONPATH": f"{before}{os.pathsep}{folder / 'extra'}"}
    else:
        left_out.append("the code before: datasketch is not installed, nor in BENCH_PYTHON")
    runs: dict[str, list[Usage]] = {name: [] for name in codes}
    for round_ in range(rounds):
        for name, root in codes.items():
            build = _build(folder / f"{root.name}-{round_}", root, archive)
            words = ["build", build, "--until", "corpus", "--workers", WORKERS, "--json"]
            words += ["--work", build.parent / "work"]
            runs[name].append(klue(words, environment={} if root == ROOT else extra))
    figures = [figure for name, each in runs.items() for figure in _figures(name, each)]
    if len(codes) > 1:
        for unit, place in (("wall", 0), ("CPU", 1)):
            pairs = zip(*runs.values(), strict=True)
            ratios = [float(old[place]) / float(new[place]) for new, old in pairs]  # type: ignore[arg-type]
            what = f"this code against the code before, {unit}"
            least = TARGET if unit == "wall" else None
            figures.append(of_runs(what, ratios, "times as fast", least=least))
    return figures, _counts(runs["this code"][0])[0]


def _figures(name: str, runs: list[Usage]) -> list[Figure]:
    return [
        of_runs(f"{name}: wall", [run.wall for run in runs], "s"),
        of_runs(f"{name}: CPU", [run.cpu for run in runs], "CPU s"),
        of_runs(f"{name}: largest process", [run.peak / 2**20 for run in runs], "MiB"),
        Figure(f"{name}: kept", _counts(runs[0])[1], "units"),
    ]


def _counts(run: Usage) -> tuple[int, int]:
    """Return the reviews and the kept units of a build."""
    source = json.loads(run.out)["funnel"]["nsmc"]
    return int(source["documents"]), int(source["kept"])


def _shares(profile: Profile) -> list[Figure]:
    figures = [Figure("the stages in one process", profile.total, "CPU s")]
    figures += [
        Figure(f"share of {what}", 100 * seconds / profile.total, "%")
        for what, seconds in profile.seconds.items()
    ]
    floor = profile.reading + profile.analysing
    return [
        *figures,
        Figure("floor: the archive read to its last byte", profile.reading, "CPU s"),
        Figure("floor: mecab's call for every text", profile.analysing, "CPU s"),
        Figure("the stages by both floors together", profile.total / floor, "times"),
    ]


def _build(folder: Path, root: Path, archive: Path) -> Path:
    """Write the build file of a code in a new folder."""
    folder.mkdir()
    path = folder / "build.yaml"
    path.write_text(BUILD.format(root=root, archive=archive), "utf-8")
    return path


def unpack(commit: str, folder: Path) -> None:
    """Write the files of a commit to a new folder."""
    folder.mkdir()
    words = ["git", "-C", str(ROOT), "archive", commit]
    packed = subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    # Modules are compiled once by whoever installs a code; that is not measured.
    compile_all = [sys.executable, "-m", "compileall", "-q", "flows", "pipeline"]
    subprocess.run(compile_all, cwd=folder, check=True)


def _datasketch() -> str:
    """Return the folder of the package datasketch, '' if it is nowhere."""
    code = "import datasketch, pathlib; print(pathlib.Path(datasketch.__file__).parent)"
    for python in filter(None, (sys.executable, os.environ.get("BENCH_PYTHON"))):
        done = subprocess.run([python, "-c", code], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.strip()
    return ""


def thinned(path: Path, share: float) -> Path:
    """Write an archive of that share of the films, evenly spread."""
    with (
        _members() as members,
        zstandard.open(path, "wb") as packed,
        tarfile.open(fileobj=packed, mode="w|") as archive,
    ):
        for number, (member, content) in enumerate(members):
            if int((number + 1) * share) > int(number * share):
                archive.addfile(member, io.BytesIO(content))
    return path


@contextmanager
def _members() -> Iterator[Iterator[tuple[tarfile.TarInfo, bytes]]]:
    with CRAWL.open("rb") as packed:
        stream = zstandard.ZstdDecompressor().stream_reader(packed)
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            files = ((member, archive.extractfile(member)) for member in archive)
            yield ((member, file.read()) for member, file in files if file is not None)


if __name__ == "__main__":
    sys.exit(main())
