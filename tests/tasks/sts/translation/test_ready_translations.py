"""Ready translations: JSON lines and the round trips of the official KLUE-STS file."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipeline.core.errors import InputError
from pipeline.core.io import batch
from pipeline.tasks.sts.translation import Translator
from pipeline.tasks.sts.translation.ready import (
    MALFORMED,
    REPEATED,
    identity,
    load_ready,
    read_trips,
)


def _settings(path: Path, **more: Any) -> dict[str, Any]:
    return {"paths": [str(path)], "format": "jsonl", "pivot": "en", "honorific": True, **more}


def _load(path: Path, **more: Any) -> Translator:
    return load_ready(_settings(path, **more))


def _write(tmp_path: Path, *lines: object) -> Path:
    path = tmp_path / "ready.jsonl"
    texts = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in lines]
    path.write_text("\n".join(texts) + "\n", "utf-8")
    return path


def test_texts_are_found_whatever_their_blanks_and_form(tmp_path: Path) -> None:
    path = _write(
        tmp_path,
        {"text": "창가 자리가  조용했다.", "back": "창가 좌석은 조용했습니다.", "pivot": "Quiet."},
        {"text": "버스가 늦게 왔다.", "back": "버스가 늦었습니다."},
    )
    found = _load(path)
    assert found.round_trip("창가 자리가 조용했다.") == ("Quiet.", "창가 좌석은 조용했습니다.")
    assert found.round_trip(" 버스가 늦게 왔다.").pivot is None
    assert not found.offers("버스가 일찍 왔다.")
    assert found.problems == ()


def test_a_line_that_cannot_be_used_costs_no_other(tmp_path: Path) -> None:
    good = {"text": "문이 열렸다.", "back": "문이 열렸습니다."}
    path = _write(
        tmp_path,
        good,
        "{",
        ["문"],
        {"text": "문"},
        {"text": " ", "back": "문"},
        {"text": "문", "back": 5},
        {"text": "문", "back": "문", "source": "x"},
        '{"text": "\\ud800", "back": "문"}',
        good | {"back": "문은 열렸습니다."},
        good,
        "",
    )
    found = _load(path)
    assert len(read_trips(path, "jsonl")[0]) == 1
    assert found.round_trip("문이 열렸다.").back == "문이 열렸습니다."
    rules = {problem.line: problem.rule for problem in found.problems}
    assert rules == dict.fromkeys(range(2, 9), MALFORMED) | {9: REPEATED}
    assert not any("열렸" in problem.reason for problem in found.problems)


def test_a_file_without_translations_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no translation of the format jsonl; line 1: not"):
        _load(_write(tmp_path, "text,back"))
    with pytest.raises(InputError, match=r"cannot be read: No such file"):
        _load(tmp_path / "absent")


@pytest.mark.parametrize(("ending", "codec"), [(".gz", "gzip"), (".zst", "zstd"), (".GZ", "gzip")])
def test_a_packed_file_is_read_like_its_content(tmp_path: Path, ending: str, codec: str) -> None:
    rows = [{"text": f"{n}번 문이 열렸다.", "back": f"{n}번 문이 열렸습니다."} for n in range(90)]
    plain = _write(tmp_path, *rows, "{")
    packed = tmp_path / f"ready.jsonl{ending}"
    with pa.CompressedOutputStream(str(packed), codec) as stream:
        stream.write(b"\xef\xbb\xbf" + plain.read_bytes())
    trips, problems = read_trips(packed, "jsonl")
    assert (trips, problems) == read_trips(plain, "jsonl")
    assert len(trips) == 90
    assert [problem.line for problem in problems] == [91]


@pytest.mark.parametrize(
    ("name", "pack", "told"),
    [
        ("ready.jsonl.xz", lzma.compress, r"\.xz files are not read; unpack it, or pack it as"),
        ("ready.jsonl.xz", lzma.compress, r"\.xz files are not read"),
        ("ready.jsonl", gzip.compress, r"is gzip data; name it \.gz"),
        ("ready.jsonl.gz", bytes, r"is no \.gz file"),
        ("ready.jsonl.gz", lambda data: gzip.compress(data)[:-20], "is cut off after"),
    ],
    ids=range(5),
)
def test_what_is_packed_otherwise_is_refused(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes], told: str
) -> None:
    data = _write(tmp_path, {"text": "문이 열렸다.", "back": "문이 열렸습니다."}).read_bytes()
    path = tmp_path / name
    path.write_bytes(pack(data))
    with pytest.raises(InputError, match=told):
        _load(path)


def test_a_packed_official_file_is_to_be_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "klue-sts-v1.1_dev.json.gz"
    path.write_bytes(gzip.compress(b"[]"))
    with pytest.raises(InputError, match="is packed; unpack it"):
        _load(path, format="klue")


def test_a_line_without_end_costs_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "LIMIT", 1_000)
    long = {"text": "문" * 1_000, "back": "문이 열렸습니다."}
    path = _write(tmp_path, long, {"text": "문이 열렸다.", "back": "문이 열렸습니다."})
    trips, problems = read_trips(path, "jsonl")
    assert list(trips) == ["문이 열렸다."]
    assert problems == [(1, MALFORMED, "the line is longer than 1,000 bytes")]


def test_the_name_tells_content_languages_and_style(tmp_path: Path) -> None:
    path = _write(tmp_path, {"text": "문", "back": "입구"})
    one = identity(_settings(path, pivot="en", honorific=True))
    assert one.endswith(":ko-en-ko+honorific")
    assert identity(_settings(path, pivot="ja", honorific=False)).endswith(":ko-ja-ko+plain")
    path.write_text("{}", "utf-8")
    assert identity(_settings(path, pivot="en", honorific=True)) != one


def test_real_klue_sts_round_trips(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-sts-v1.1_dev.json"
    found = _load(path, format="klue")
    given = [one for one in json.loads(path.read_text("utf-8")) if one["source"].endswith("-rtt")]
    assert len(read_trips(path, "klue")[0]) == len(given) == 181
    assert found.problems == ()
    assert all(found.round_trip(one["sentence1"]).back == one["sentence2"] for one in given)
    sampled = [one for one in json.loads(path.read_text("utf-8")) if "rtt" not in one["source"]]
    assert not any(found.offers(one["sentence1"]) for one in sampled)


def test_real_klue_sts_originals_are_told_from_ways_back(data_dir: Path, tmp_path: Path) -> None:
    """Policy news is written in plain style, Papago's way back is honorific (Section 3.2.1)."""
    path = data_dir / "klue" / "klue-sts-v1.1_dev.json"
    rows = [one for one in json.loads(path.read_text("utf-8")) if one["source"] == "policy-rtt"]
    official = tmp_path / "policy.json"
    official.write_text(json.dumps(rows), "utf-8")
    trips, _ = read_trips(official, "klue")
    assert len(trips) == len(rows) > 30
    polite = [
        sum(text.rstrip(" .?!").endswith(("니다", "니까", "세요")) for text in texts)
        for texts in (trips, [trip.back for trip in trips.values()])
    ]
    assert polite[0] < 0.25 * len(trips)
    assert polite[1] > 0.9 * len(trips)
