"""Addresses of objects, told apart from paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.core.errors import InputError
from pipeline.core.objects.address import Address, address_of, require_file_system


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("s3://bucket", Address("s3", "bucket")),
        ("s3://bucket/", Address("s3", "bucket")),
        ("s3://bucket/klue/말뭉치 1.jsonl", Address("s3", "bucket", "klue/말뭉치 1.jsonl")),
        ("gs://bucket/klue/", Address("gs", "bucket", "klue")),
        ("az://container/klue", Address("az", "container", "klue")),
    ],
)
def test_addresses_survive_being_paths(text: str, address: Address) -> None:
    assert address_of(text) == address
    assert address_of(Path(text)) == address
    assert address_of(str(address)) == address


@pytest.mark.parametrize(
    "path", ["data/releases", "/s3/x", "s3", "/tmp/s3:/x", "http://x/y", "S3://b"]
)
def test_paths_are_no_addresses(path: str) -> None:
    assert address_of(Path(path)) is None
    require_file_system("--work", path)


@pytest.mark.parametrize(
    "text",
    ["s3://", "s3://bucket/../x", "s3://bucket/a//b", "s3://bucket/a?versionId=1", "s3://b\n"],
)
def test_what_leads_elsewhere_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        address_of(text)


def test_credentials_in_an_address_are_refused_and_not_repeated() -> None:
    with pytest.raises(InputError, match="holds credentials") as refused:
        address_of("s3://AKIA123:secret@bucket/key")
    assert "secret" not in str(refused.value)
    assert "AKIA123" not in str(refused.value)


def test_a_work_directory_stays_on_a_file_system() -> None:
    with pytest.raises(InputError, match="--work s3://b/w: stays on a file system"):
        require_file_system("--work", Path("s3://b/w"))
