"""What tests of releases share: the sample built once, builds with other settings, reading both."""

from __future__ import annotations

import json
import shutil
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import mini
import pyarrow.parquet as pq
import pytest
import yaml
from filelock import FileLock
from prefect_runs import run_of
from shared_folder import shared_folder

SAMPLE = mini.ROOT / "data" / "builds" / "sample.yaml"
CONFIGS = {
    "tc": "ynat",
    "sts": "sts",
    "nli": "nli",
    "ner": "ner",
    "re": "re",
    "dp": "dp",
    "mrc": "mrc",
    "dst": "wos",
}
#: The splits, and the files that the hub calls them by.
SPLITS = {"train": "train", "dev": "validation", "test": "test"}
Row = dict[str, Any]


@dataclass(frozen=True)
class Built:
    """A build that ran: its file, its work directory, and the directory of its releases."""

    file: Path
    work: Path
    releases: Path
    result: Row

    @property
    def release(self) -> Path:
        """Return the folder of its release."""
        return Path(self.result["release"])


def sample(factory: pytest.TempPathFactory) -> Built:
    """Return the sample, built to a release once a session; nobody changes what lies there."""
    return _sample(shared_folder(factory))


@cache
def _sample(base: Path) -> Built:
    """Build the sample, unless another worker of this session has; note what Prefect shows."""
    folder = base / "sample-release"
    result = folder / "result.json"
    with FileLock(base / "sample-release.lock"):
        if not result.exists():
            places = folder / "work", folder / "releases"
            built: list[Built] = []
            words = (*places, "--workers", 2)
            run = run_of(lambda: built.append(released(SAMPLE, *words)), mark=str(places[1]))
            result.write_text(json.dumps({**built[0].result, "run": run}), "utf-8")
    return Built(SAMPLE, folder / "work", folder / "releases", json.loads(result.read_bytes()))


def released(file: Path, work: Path, releases: Path, *arguments: object) -> Built:
    """Build to a release in a process of its own, as a user would."""
    words = ("--until", "release", "--releases", releases, *arguments)
    return Built(file, work, releases, mini.built(file, work, *words))


def refused(file: Path, *arguments: object, code: int = 2) -> str:
    """Build to a release in a process of its own, which must be refused; returns what it says."""
    done = mini.klue("build", file, "--until", "release", "--json", *arguments)
    assert done.returncode == code, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    assert done.stderr.count("error: ") == 1
    record = json.loads(done.stdout)
    assert set(record) == {"error", "code"}
    return str(record["error"])


def copied(built: Built, folder: Path) -> tuple[Path, Path]:
    """Return a copy of the work directory and of the releases of a build, to be changed."""
    places = folder / "work", folder / "releases"
    for old, new in zip((built.work, built.releases), places, strict=True):
        shutil.copytree(old, new)
    return places


def build_file(folder: Path, **changes: Any) -> Path:
    """Write the build file of the sample with other sections; a dict changes keys of its section.

    What is left out with None is absent.
    """
    text = SAMPLE.read_text("utf-8").replace("../", f"{SAMPLE.parents[1]}/")
    build: Row = yaml.safe_load(text)
    for name, value in changes.items():
        old = build.get(name)
        build[name] = {**old, **value} if isinstance(old, dict) and value is not None else value
        if value is None:
            del build[name]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "build.yaml"
    path.write_text(yaml.safe_dump(build, allow_unicode=True), "utf-8")
    return path


def imported(votes: list[Path]) -> Row:
    """Return the section of a build file that takes answers from vote files."""
    return {"mode": "imported", "votes": [str(one) for one in votes]}


def private(release: Path) -> Path:
    """Return the folder of what is the owner's alone."""
    return release.with_name(f"{release.name}.private")


def rows(path: Path) -> list[Row]:
    """Return the rows of a Parquet file."""
    found: list[Row] = pq.read_table(path).to_pylist()
    return found


def examples(release: Path, task: str) -> dict[str, list[Row]]:
    """Return the labelled rows of a task by split; those of test come from the private folder."""
    config = CONFIGS[task]
    found = {split: rows(release / config / f"{file}.parquet") for split, file in SPLITS.items()}
    return found | {"test": rows(private(release) / "labels" / f"{config}.parquet")}


def splits_of(release: Path, task: str) -> dict[str, str]:
    """Return the split of each example by guid."""
    return {row["guid"]: split for split, rows in examples(release, task).items() for row in rows}


def candidates(built: Built, task: str) -> dict[str, Row]:
    """Return what was drawn for a task, by id, with `meta` as data."""
    paths = sorted(built.work.glob(f"store/{task}/candidates-*/items-*.parquet"))
    return {
        row["item"]: {**row, "meta": json.loads(row["meta"] or "{}")}
        for path in paths
        for row in rows(path)
    }


def files(folder: Path) -> Iterator[Path]:
    """Yield all files below a folder, in order."""
    return (one for one in sorted(folder.rglob("*")) if one.is_file())


def digests(*folders: Path) -> dict[str, str]:
    """Return the digest of every file below folders, by its path there."""
    return {
        f"{folder.name}/{one.relative_to(folder).as_posix()}": sha256(one.read_bytes()).hexdigest()
        for folder in folders
        for one in files(folder)
    }


def whole(release: Path) -> dict[str, str]:
    """Return the digests of a release, public and private files."""
    return digests(release, private(release))


def plain(text: str) -> str:
    """Return a text in which width, case, blanks and punctuation do not count."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in folded if unicodedata.category(c)[0] in "LN")


def texts(task: str, row: Row) -> Iterator[str]:
    """Yield the texts of an example that none of another split may be: plain, and as a whole."""
    names = {
        "tc": ("title",),
        "sts": ("sentence1", "sentence2"),
        "nli": ("premise",),
        "mrc": ("context",),
        "dst": (),
    }
    yield from (plain(row[name]) for name in names.get(task, ("sentence",)))
    if task == "dst":
        yield plain(" ".join(turn["text"] for turn in row["dialogue"]))
