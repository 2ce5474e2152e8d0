"""Labelled files: what is read, and what is refused with file and line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from comments import rows, write_tsv

from pipeline.core.errors import InputError
from pipeline.corpus.toxicity import calibration
from pipeline.corpus.toxicity.calibration import read_labelled

HEAD = "comments\tcontain_gender_bias\tbias\thate\n"
GOOD = "저녁 노을이 곱다\tFalse\tnone\tnone\n"


def _file(folder: Path, content: str | bytes, name: str = "labelled.tsv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_tsv_is_read_without_quoting(tmp_path: Path) -> None:
    quoted = '"가람포 "라고 말했다\tTrue\tgender\thate\r\n'
    found = read_labelled(_file(tmp_path, "\ufeff" + HEAD + quoted + "\n" + GOOD))
    assert found.texts.to_pylist() == ['"가람포 "라고 말했다', "저녁 노을이 곱다"]
    assert found.gender_bias.tolist() == [True, False]
    assert found.hate.tolist() == [2, 0]
    assert found.sources is None and len(found) == 2


def test_sources_are_kept(tmp_path: Path) -> None:
    given = [row | {"source": "nsmc" if i % 2 else "airbnb"} for i, row in enumerate(rows(10))]
    found = read_labelled(write_tsv(tmp_path / "a.tsv", given))
    assert found.sources == ("airbnb", "nsmc") * 5


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("comments\tbias\thate\nx\tnone\tnone\n", ":1: columns: missing contain_gender_bias"),
        (HEAD.replace("\n", "\tmore\n"), ":1: columns: 1 unknown"),
        (HEAD.replace("bias\thate", "hate\thate"), ":1: columns: missing bias"),
        (HEAD + GOOD + "비밀\tFalse\tnone\n", ":3: 3 columns, the header has 4"),
        (HEAD + "비밀\tfalse\tnone\tnone\n", ":2: contain_gender_bias: unknown value; allowed: T"),
        (HEAD + "비밀\tFalse\tnone\t비밀\n", ":2: hate: unknown value; allowed: none, offensive"),
        (HEAD + "비밀\tFalse\tother\tnone\n", ":2: bias: unknown value"),
        (HEAD + " \tFalse\tnone\tnone\n", ":2: comments: empty"),
        (HEAD, "holds no comments"),
        ("", "holds no comments"),
        (HEAD.encode() + b"\xb0\xa1\tFalse\tnone\tnone\n", ":2: byte 0 is not UTF-8"),
        (bytes(reversed(range(256))), ":1: byte 0 is not UTF-8"),
    ],
    ids=range(12),
)
def test_faults_are_told_with_their_line(tmp_path: Path, content: str | bytes, told: str) -> None:
    path = _file(tmp_path, content)
    with pytest.raises(InputError) as caught:
        read_labelled(path)
    assert str(caught.value).startswith(str(path))
    assert told in str(caught.value)
    assert "비밀" not in str(caught.value)


def test_source_in_some_rows_only_is_refused(tmp_path: Path) -> None:
    first, second = rows(10)[:2]
    given = [first | {"source": "nsmc"}, second | {"source": ""}]
    with pytest.raises(InputError, match="1 of 2 rows has no source"):
        read_labelled(write_tsv(tmp_path / "a.tsv", given))


def test_missing_file_and_endless_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_labelled(tmp_path / "none.tsv")
    endless = HEAD + "가" * calibration.MAX_LINE
    with pytest.raises(InputError, match=":2: the line is longer than 1,048,576 bytes"):
        read_labelled(_file(tmp_path, endless))


def test_the_real_data_have_the_published_sizes(data_dir: Path) -> None:
    """Table 1 of Moon et al. (2020): 7,896 and 471 comments."""
    folder = data_dir / "toxicity"
    train = read_labelled(folder / "korean-hate-speech_train.tsv")
    dev = read_labelled(folder / "korean-hate-speech_dev.tsv")
    assert (len(train), len(dev)) == (7896, 471)
    assert np.bincount(dev.hate).tolist() == [160, 189, 122]
    assert int(train.gender_bias.sum()) == 1232
