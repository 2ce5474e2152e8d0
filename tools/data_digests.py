"""Digests of everything whose bytes a refactoring must keep; compares two such lists.

    python tools/data_digests.py write BEFORE.json [--release DIR] [--klue DIR]
    python tools/data_digests.py compare BEFORE.json AFTER.json

`write` lists the SHA-256 of every Parquet file of a release and of its private folder (examples,
votes, ledger), of the official form of its tasks, and of the official KLUE files at hand, read and
written back. Run it after `make build`, before and after a commit that moves code; `compare` exits
with 1 and names every file whose bytes differ.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
#: The official files at hand, by task.
OFFICIAL = {
    "tc": "ynat-v1.1_dev_first17.json",
    "sts": "klue-sts-v1.1_dev.json",
    "nli": "klue-nli-v1.1_dev.json",
    "ner": "klue-ner-v1.1_dev.tsv",
    "re": "klue-re-v1.1_train_subset3247.csv",
    "dp": "klue-dp-v1.1_dev.tsv",
    "mrc": "klue-mrc-v1.1_dev_first1350.json",
    "dst": "wos-v1.1_dev_first700.json",
}


def release_digests(release: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and digest of each Parquet file of a release and of its private folder."""
    for folder in (release, release.with_name(f"{release.name}.private")):
        for path in sorted(folder.rglob("*.parquet")):
            name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
            yield name, sha256(path.read_bytes()).hexdigest()


def converted_digests(release: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and digest of each official file that `klue convert` makes of a release."""
    from typer.testing import CliRunner

    from flows.cli import app

    with TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        arguments = ["convert", str(release), "--format", "klue", "--out", str(out), "--json"]
        result = CliRunner().invoke(app, arguments)
        if result.exit_code:
            raise SystemExit(f"klue convert failed: {result.output}")
        for path in sorted(p for p in out.rglob("*") if p.is_file()):
            name = f"klue/{path.relative_to(out).as_posix()}"
            yield name, sha256(path.read_bytes()).hexdigest()


def official_digests(klue: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and digest of each official file, read and written back."""
    from pipeline.contracts.official.files import read_official, write_official

    with TemporaryDirectory() as folder:
        for task, name in OFFICIAL.items():
            out = Path(folder) / name
            write_official(read_official(task, klue / name), out)
            yield f"official/{name}", sha256(out.read_bytes()).hexdigest()


def differences(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return a line for every file that is missing, new or different."""
    lines = [f"missing    {name}" for name in sorted(before.keys() - after.keys())]
    lines += [f"new        {name}" for name in sorted(after.keys() - before.keys())]
    both = sorted(before.keys() & after.keys())
    return lines + [f"different  {name}" for name in both if before[name] != after[name]]


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("write")
    write.add_argument("out", type=Path)
    write.add_argument("--release", type=Path, default=ROOT / "data/releases/sample/1.0.0")
    write.add_argument("--klue", type=Path, default=ROOT.parent / "shared/data/klue")
    compare = commands.add_parser("compare")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    options = parser.parse_args()
    if options.command == "compare":
        before, after = (json.loads(p.read_text()) for p in (options.before, options.after))
        lines = differences(before, after)
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.write(f"{len(before)} files before, {len(after)} after, {len(lines)} differ\n")
        return int(bool(lines))
    found = dict(release_digests(options.release)) | dict(converted_digests(options.release))
    if options.klue.is_dir():
        found |= dict(official_digests(options.klue))
    else:
        sys.stderr.write(f"{options.klue}: no official files; their round trips are left out\n")
    options.out.write_text(json.dumps(found, indent=1) + "\n")
    sys.stdout.write(f"{len(found)} digests in {options.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
