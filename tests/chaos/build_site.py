"""Where a round builds: copies of raw files and of finished stages, made from one reference build.

FOLDER/reference/   raw/, build.yaml, work/, releases/: the build that nothing disturbs
FOLDER/round-N/     the same for a round, with some stages still to be done
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from round_draw import Round

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data" / "builds" / "sample.yaml"
#: Processes of a build carry this variable, so that those that outlive it are found.
MARK = "KLUE_CHAOS_ROUND"


@dataclass
class Site:
    """The folder of one build. `words` are further words of its command."""

    folder: Path
    words: tuple[str, ...] = ()
    #: The folders of outputs in the store, below WORK, that are to be done.
    missing: list[str] = field(default_factory=list)

    @property
    def raw(self) -> Path:
        """Return the folder of its raw files."""
        return self.folder / "raw"

    @property
    def file(self) -> Path:
        """Return its build file."""
        return self.folder / "builds" / "build.yaml"

    @property
    def work(self) -> Path:
        """Return its work directory."""
        return self.folder / "work"

    @property
    def releases(self) -> Path:
        """Return the directory of its releases."""
        return self.folder / "releases"

    def command(self, engine: str = "local") -> list[str]:
        """Return the command of its build, as a user gives it."""
        places = ["--work", str(self.work), "--releases", str(self.releases)]
        options = ["--engine", engine, "--workers", "2", "--json", *self.words]
        return [sys.executable, "-m", "flows.cli", "build", str(self.file), *places, *options]

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of its processes."""
        return {**os.environ, MARK: str(self.folder), **more}

    def committed(self) -> int:
        """Return how many of the outputs that were missing are in the store now."""
        return sum((self.work / folder).is_dir() for folder in self.missing)

    def klue(self, *words: object) -> subprocess.CompletedProcess[str]:
        """Run another command of the project."""
        command = [sys.executable, "-m", "flows.cli", *map(str, words)]
        return subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, env=self.environment()
        )


@dataclass(frozen=True)
class Reference:
    """The build that nothing disturbs: its site, its outputs in order, and the bytes it makes.

    `hashes` are those that the build told: of the stages, and of the release if it has one.
    """

    site: Site
    hashes: tuple[str, str | None]
    outputs: tuple[str, ...]
    store: Mapping[str, str]
    releases: Mapping[str, str]
    private_values: frozenset[str]


def make_reference(folder: Path, words: Sequence[str] = ()) -> Reference:
    """Build the reference, or what of it is not done yet; raises RuntimeError when it fails."""
    site = Site(folder / "reference", tuple(words))
    if not site.file.exists():
        _write_inputs(site)
    done = subprocess.run(
        site.command(), cwd=ROOT, capture_output=True, text=True, env=site.environment()
    )
    if done.returncode:
        raise RuntimeError(f"the reference build failed: {done.stderr}")
    record = json.loads(done.stdout)
    (note,) = (site.work / "builds").glob("*.json")
    outputs = [call["folder"] for call in json.loads(note.read_bytes())["calls"]]
    return Reference(
        site,
        (record["fingerprint"], record["release_hash"]),
        tuple(dict.fromkeys(outputs)),
        digests(site.work / "store"),
        digests(site.releases),
        frozenset(_private_values(site.work / "store")),
    )


def prepare_site(reference: Reference, chosen: Round, folder: Path) -> Site:
    """Copy the reference but for what the round has to do; the release is always missing."""
    site = Site(folder, reference.site.words)
    _write_inputs(site)
    outputs = reference.outputs
    begin = int(chosen.begin * max(1, len(outputs) - chosen.width + 1))
    stretch = outputs[begin : begin + chosen.width]
    site.missing = [*(outputs if chosen.from_nothing else stretch)]
    for output in outputs:
        if output not in site.missing:
            shutil.copytree(reference.site.work / output, site.work / output)
    site.work.mkdir(exist_ok=True)
    return site


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file below a folder, by its path; folders that are empty too."""
    paths = sorted(folder.rglob("*"))
    found = {p.relative_to(folder).as_posix(): _digest(p) for p in paths if p.is_file()}
    empty = [p for p in paths if p.is_dir() and not any(p.iterdir())]
    return found | {f"{p.relative_to(folder).as_posix()}/": "" for p in empty}


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _write_inputs(site: Site) -> None:
    """Copy the sample corpora, which a fault may cut, and the build file that names the copies."""
    shutil.copytree(ROOT / "data" / "sample" / "corpora", site.raw)
    site.file.parent.mkdir(parents=True)
    text = SAMPLE.read_text("utf-8").replace("../sample/corpora/", "RAW/")
    text = text.replace("../", f"{ROOT}/data/").replace("RAW/", "../raw/")
    site.file.write_text(text, "utf-8")


def _private_values(store: Path) -> set[str]:
    """Return the personal values in the raw texts: none of them may be in what a build says."""
    from pipeline.core import store as stores
    from pipeline.pii.detect import detect

    found: set[str] = set()
    for folder in sorted(store.glob("*/read-*")):
        texts = stores.read_all(folder, "documents")["text"].combine_chunks()
        values: list[dict[str, Any]] = detect(texts).to_pylist()
        for hit in values:
            value = texts[hit["row"]].as_py()[hit["start"] : hit["end"]]
            found.add(value)
    return {value for value in found if len(value) >= 7}
