"""The `crf` tagger: shipped weights, places in raw text, and files that are not what they were."""

from __future__ import annotations

import json
import shutil
import unicodedata
from pathlib import Path

import pytest
from train_tagger import CARD, Trained, card, split

from pipeline.core.errors import InputError
from pipeline.core.morphology import MAX_RUN, MAX_STRETCH
from pipeline.sampling.tagging.crf import (
    FACTS,
    SHIPPED,
    SHIPPED_RE,
    WEIGHTS,
    Crf,
    facts_of,
    load_crf,
)
from pipeline.sampling.tagging.labelled import measure, read
from pipeline.sampling.tagging.registry import TYPES

TEXT = "민노을 감독이 3월 2일 오후 7시 서울에서 삼성전자 직원 10명을 만났다 ㅋㅋ"


@pytest.fixture(scope="module")
def shipped() -> Crf:
    return load_crf(SHIPPED)


def spans(tagger: Crf, text: str) -> list[tuple[str, str]]:
    return [(text[m.start : m.end], m.label) for m in tagger.tag([text])[0]]


def test_the_six_types_are_found(shipped: Crf) -> None:
    assert shipped.labels == TYPES
    found = dict(spans(shipped, TEXT))
    assert found["민노을"] == "PS"
    assert found["3월 2일"] == "DT"
    assert found["오후 7시"] == "TI"
    assert found["서울"] == "LC"
    assert found["삼성전자"] == "OG"
    assert found["10명"] == "QT"


def test_every_form_of_a_text_gives_the_same_entities(shipped: Crf) -> None:
    given = [unicodedata.normalize(form, TEXT) for form in ("NFC", "NFD", "NFKC", "NFKD")]
    found = [
        [(unicodedata.normalize("NFC", part), label) for part, label in spans(shipped, text)]
        for text in given
    ]
    assert found[1:] == found[:1] * 3


def test_a_text_is_tagged_as_if_it_stood_alone(shipped: Crf) -> None:
    texts = [TEXT, "", " \n", "\ud800 \0", "서울", TEXT * 30, "\n서울"]
    together = shipped.tag(texts)
    assert together == [shipped.tag([text])[0] for text in texts]
    assert together[1] == together[2] == []
    assert [(m.start, m.end) for m in together[6]] == [(1, 3)]
    assert all(m.score == round(m.score, 6) and 0 <= m.score <= 1 for m in together[5])


@pytest.mark.parametrize("folder", [SHIPPED, SHIPPED_RE], ids=lambda folder: folder.name)
def test_shipped_weights_are_small_and_their_card_is_theirs(folder: Path) -> None:
    assert (folder / WEIGHTS).stat().st_size < 7_000_000
    facts = facts_of(folder)
    assert (folder / CARD).read_text("utf-8") == card(facts)
    assert "CC BY-SA 4.0" in card(facts)
    assert facts["train"]["texts"] + facts["quality"]["texts"] == facts["data"][0]["texts"]


@pytest.mark.full
def test_the_figures_of_the_card_are_true(shipped: Crf, data_dir: Path) -> None:
    facts = facts_of(SHIPPED)
    labelled = read(data_dir / "klue" / "klue-ner-v1.1_dev.tsv")
    _, held = split(labelled, facts["held_out"], seed=facts["seed"])
    assert measure(shipped, held).record() == facts["quality"]
    assert facts["quality"]["micro"]["f1"] > 0.75


def _copy(made: tuple[Path, Trained], tmp_path: Path) -> Path:
    return shutil.copytree(made[0], tmp_path / "copy")


def test_weights_that_changed_are_refused(made: tuple[Path, Trained], tmp_path: Path) -> None:
    folder = _copy(made, tmp_path)
    data = bytearray((folder / WEIGHTS).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / WEIGHTS).write_bytes(data)
    with pytest.raises(InputError, match="SHA-256 differs"):
        load_crf(folder)
    (folder / WEIGHTS).unlink()
    with pytest.raises(InputError, match="cannot be read"):
        load_crf(folder)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"format": "other@1"}, "is not of the format"),
        ({"labels": "PS"}, "does not list the labels"),
        ({"features": 0}, "version 0 of the features"),
    ],
)
def test_facts_that_do_not_fit_are_refused(
    made: tuple[Path, Trained], tmp_path: Path, changes: dict[str, object], what: str
) -> None:
    folder = _copy(made, tmp_path)
    facts = json.loads((folder / FACTS).read_text("utf-8")) | changes
    (folder / FACTS).write_text(json.dumps(facts), "utf-8")
    with pytest.raises(InputError, match=what):
        load_crf(folder)


def test_folders_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_crf(tmp_path)
    (tmp_path / FACTS).write_text("{", "utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        load_crf(tmp_path)


def test_a_long_text_is_tagged_in_parts_with_the_places_of_the_whole(shipped: Crf) -> None:
    line = "김연아가 제주에 왔다. "
    count = 2 * MAX_STRETCH // len(line)
    (found,) = shipped.tag([f"{'(' * (MAX_RUN + 1)} {line * count}"])
    first = MAX_RUN + 2
    assert {(m.start - first) % len(line) for m in found} == {0, 5}
    assert len(found) == 2 * count
