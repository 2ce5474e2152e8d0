"""Ready translations: JSON lines and the round trips of the official KLUE-STS file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.core.errors import InputError
from pipeline.sampling.similarity.translation.ready import (
    MALFORMED,
    REPEATED,
    identity,
    load_ready,
)


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
    found = load_ready(path, "jsonl", pivot="en", honorific=True)
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
    found = load_ready(path, "jsonl", pivot="en", honorific=True)
    assert len(found.trips) == 1
    assert found.round_trip("문이 열렸다.").back == "문이 열렸습니다."
    rules = {problem.line: problem.rule for problem in found.problems}
    assert rules == dict.fromkeys(range(2, 9), MALFORMED) | {9: REPEATED}
    assert not any("열렸" in problem.reason for problem in found.problems)


def test_a_file_without_translations_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no translation of the format jsonl; line 1: not"):
        load_ready(_write(tmp_path, "text,back"), "jsonl", pivot="en", honorific=True)
    with pytest.raises(InputError, match=r"cannot be read: No such file"):
        load_ready(tmp_path / "absent", "jsonl", pivot="en", honorific=True)


def test_the_name_tells_content_languages_and_style(tmp_path: Path) -> None:
    path = _write(tmp_path, {"text": "문", "back": "입구"})
    one = identity(path, pivot="en", honorific=True)
    assert one.endswith(":ko-en-ko+honorific")
    assert identity(path, pivot="ja", honorific=False).endswith(":ko-ja-ko+plain")
    path.write_text("{}", "utf-8")
    assert identity(path, pivot="en", honorific=True) != one


def test_real_klue_sts_round_trips(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-sts-v1.1_dev.json"
    found = load_ready(path, "klue", pivot="en", honorific=True)
    given = [one for one in json.loads(path.read_text("utf-8")) if one["source"].endswith("-rtt")]
    assert len(found.trips) == len(given) == 181
    assert found.problems == ()
    assert all(found.round_trip(one["sentence1"]).back == one["sentence2"] for one in given)
    sampled = [one for one in json.loads(path.read_text("utf-8")) if "rtt" not in one["source"]]
    assert not any(found.offers(one["sentence1"]) for one in sampled)


def test_real_klue_sts_first_sentences_are_the_originals(data_dir: Path) -> None:
    """Policy news is written in plain style, Papago's way back is honorific (Section 3.2.1)."""
    path = data_dir / "klue" / "klue-sts-v1.1_dev.json"
    pairs = [one for one in json.loads(path.read_text("utf-8")) if one["source"] == "policy-rtt"]
    polite = [
        sum(one[key].rstrip(" .?!").endswith(("니다", "니까", "세요")) for one in pairs)
        for key in ("sentence1", "sentence2")
    ]
    assert polite[0] < 0.25 * len(pairs)
    assert polite[1] > 0.9 * len(pairs)
