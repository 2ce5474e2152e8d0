"""Keys are read, checked and recognised, and never shown."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

import pytest

from pipeline.core.errors import InputError
from pipeline.pii.key import check_value, exposure, random_key, read_key

KEY = b"sixteen bytes ok"


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n"], ids=range(3))
def test_one_newline_is_no_part_of_the_key(tmp_path: Path, ending: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(KEY + ending)
    assert read_key(path) == KEY
    path.write_bytes(KEY + b"\n" + ending)
    assert read_key(path) == (KEY + b"\n" if ending else KEY)


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"hunter2\n", KEY[:15] + b"\n", b"x" * 5000], ids=range(5)
)
def test_a_key_of_a_wrong_length_is_an_error_that_does_not_show_it(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "key"
    path.write_bytes(content)
    with pytest.raises(InputError, match="allowed are 16 to 4096") as caught:
        read_key(path)
    assert not content.strip() or content.decode().strip() not in str(caught.value)


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent"):
        with pytest.raises(InputError, match="cannot be read"):
            read_key(path)


def test_a_key_that_others_may_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_bytes(KEY)
    path.chmod(0o600)
    assert exposure(path) is None
    path.chmod(0o644)
    assert "chmod 600" in str(exposure(path))


def test_random_keys_differ_and_are_keys(tmp_path: Path) -> None:
    keys = {random_key() for _ in range(8)}
    assert len(keys) == 8
    assert all(len(key) >= 16 for key in keys)


def test_the_check_value_is_an_hmac_and_tells_keys_apart() -> None:
    expected = hmac.new(KEY, b"klue pii check value", hashlib.sha256).hexdigest()[:16]
    assert check_value(KEY) == expected
    assert check_value(KEY) != check_value(KEY + b"x")
    assert KEY.hex()[:8] not in check_value(KEY)


@pytest.mark.parametrize("content", [b" " * 20, bytes(32), b"abc" * 20], ids=range(3))
def test_blanks_and_zeros_are_no_key(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(content)
    with pytest.raises(InputError, match="are easily guessed; make a key"):
        read_key(path)
