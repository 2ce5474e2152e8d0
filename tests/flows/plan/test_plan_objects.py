"""Inputs in an object store, and options that name one: the same plan, or one clear error."""

from __future__ import annotations

from pathlib import Path

import mini
import moto_store
import pytest

from flows.build import say_what_runs
from flows.plan.build import BuildPlan, Request, plan_build
from pipeline.core.errors import FatalError, InputError, SpecError
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address


@pytest.fixture
def bucket() -> Address:
    return moto_store.memory_bucket()


def _plan(file: Path, work: Path) -> BuildPlan:
    return plan_build(Request(file, work=work, until="corpus"), frozenset())


def _fingerprints(plan: BuildPlan) -> list[str]:
    return [call.fingerprint for call in plan.calls]


def _stored(file: Path, bucket: Address) -> Path:
    """Put the raw files of a build into a bucket; returns the same build that reads them there."""
    store, raw = ObjectStore(bucket.scheme), file.parent / "raw"
    for path in (path for path in raw.rglob("*") if path.is_file()):
        store.create(bucket / path.relative_to(file.parent).as_posix(), path)
    other = file.with_name("stored.yaml")
    other.write_text(file.read_text("utf-8").replace("path: raw/", f"path: {bucket}/raw/"), "utf-8")
    return other


def test_inputs_in_a_store_are_those_on_disk(bucket: Address, tmp_path: Path) -> None:
    file = mini.write(tmp_path)
    local, stored = _plan(file, tmp_path / "w"), _plan(_stored(file, bucket), tmp_path / "w")
    assert _fingerprints(stored) == _fingerprints(local)
    ObjectStore("memory").remove([bucket / "raw/kqc.txt"])
    ObjectStore("memory").create(bucket / "raw/kqc.txt", "0\t0\t불을 꺼 줄래?".encode())
    changed = _plan(file.with_name("stored.yaml"), tmp_path / "w")
    differ = {
        call.source
        for call, fingerprint in zip(changed.calls, _fingerprints(local), strict=True)
        if call.fingerprint != fingerprint
    }
    assert differ == {"parakqc", "all"}


def test_all_objects_that_are_not_there_are_told(bucket: Address, tmp_path: Path) -> None:
    stored = _stored(mini.write(tmp_path), bucket)
    ObjectStore("memory").remove([bucket / "raw/kqc.txt", bucket / "raw/heads.jsonl"])
    with pytest.raises(FatalError) as raised:
        _plan(stored, tmp_path / "w")
    assert [line.partition(": cannot")[0] for line in str(raised.value).splitlines()] == [
        f"{stored}: sources.{source}.inputs.0.path: {bucket}/raw/{name}: no such object, and none"
        " below it; correct the address"
        for source, name in (("parakqc", "kqc.txt"), ("yna", "heads.jsonl"))
    ]


def test_only_inputs_lie_in_a_store(tmp_path: Path) -> None:
    file = mini.write(tmp_path)
    text = file.read_text("utf-8").replace(f"{mini.ROOT}/data/", "s3://bucket/")
    file.write_text(text, "utf-8")
    with pytest.raises(SpecError, match=r"catalogue: .*stays on a file system"):
        _plan(file, tmp_path / "w")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"work": Path("s3://b/w")}, "--work s3://b/w: stays on a file system"),
        ({"private": Path("p")}, "--private p: is for --releases in an object store"),
        (
            {"releases": Path("s3://b/r"), "private": Path("s3://b/p")},
            "--private s3://b/p: is in the bucket of --releases",
        ),
        ({"releases": Path("s3://key:secret@b/r")}, "the address holds credentials"),
    ],
    ids=["work", "private", "bucket", "credentials"],
)
def test_options_that_do_not_go_together_are_refused(
    options: dict[str, Path], message: str, tmp_path: Path
) -> None:
    request = Request(mini.write(tmp_path), **options)
    with pytest.raises(InputError, match=message):
        say_what_runs(request)
