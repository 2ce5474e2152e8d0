"""Examples by split, wherever they are, and dev splits drawn of files that have one split only."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from flows.commands.examples import Examples, examples_at, gold_at, tasks_at
from flows.commands.split_files import split
from pipeline.contracts.registry import TASKS, task_of
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.release.manifest import private_folder
from pipeline.release.writing import write
from pipeline.report import official as official_files

sys.path.append(str(Path(__file__).parents[2] / "release"))

import small_release as small

TOPICS = ("정치", "경제", "사회", "생활문화", "세계", "IT과학", "스포츠")
#: By what names the inputs of an example go, in fields and label; all other parts are answers.
INPUTS = {
    "tc": {"title"},
    "sts": {"sentence1", "sentence2"},
    "nli": {"premise", "hypothesis"},
    "ner": {"text"},
    "re": {"sentence", "word", "start", "end", "type"},
    "dp": {"text", "words", "lemmas", "pos"},
    "mrc": {"title", "context", "question"},
    "dst": {"role", "text"},
}
Place = tuple[str | int, ...]


def nli(many: int) -> list[dict[str, Any]]:
    """Return official records: three hypotheses for each premise."""
    golds = ("entailment", "contradiction", "neutral")
    return [
        {
            "guid": f"klue-nli-v1_train_{3 * i + j:05}",
            "genre": "airbnb",
            "premise": f"{i}번 숙소는 바다에서 가깝고 조용했다.",
            "hypothesis": f"{i}번 숙소의 {j}번째 이야기다.",
            "gold_label": gold,
            "author": gold,
            **{f"label{k}": gold for k in range(2, 6)},
        }
        for i in range(many)
        for j, gold in enumerate(golds)
    ]


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("official")
    text = json.dumps(nli(60), ensure_ascii=False)
    (folder / "klue-nli-v1.1_train.json").write_text(text, "utf-8")
    return folder


def premises(found: Examples, part: str) -> set[str]:
    return {one.fields["premise"] for one in found.splits[part]}


def test_one_split_alone_needs_a_share_to_hold_out(official: Path) -> None:
    assert tasks_at(official) == ("nli",)
    with pytest.raises(InputError, match=r"no dev split of nli, only train; give --holdout 0.1"):
        examples_at(official, "nli")


def test_what_is_held_out_shares_no_premise_with_the_rest(official: Path) -> None:
    found = examples_at(official, "nli", holdout=0.3, seed=4)
    assert sum(map(len, found.splits.values())) == 180
    assert not premises(found, "train") & premises(found, "dev")
    assert 9 <= len(premises(found, "dev")) <= 27
    assert found.labelled == {"train", "dev"}
    assert found.data == {"files": official.name, "holdout": 0.3, "holdout_seed": 4}


def test_the_draw_is_keyed(official: Path) -> None:
    one, again, other = (examples_at(official, "nli", holdout=0.3, seed=seed) for seed in (4, 4, 5))
    assert one == again
    assert one.digest != other.digest
    assert premises(one, "dev") != premises(other, "dev")


def test_the_order_and_place_of_files_do_not_show(official: Path, tmp_path: Path) -> None:
    text = json.dumps(nli(60)[::-1], ensure_ascii=False)
    (tmp_path / "klue-nli-v1.1_train.json").write_text(text, "utf-8")
    digests = {examples_at(place, "nli", holdout=0.3).digest for place in (official, tmp_path)}
    assert len(digests) == 1


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5, 2.0, float("nan")])
def test_a_share_out_of_range_is_refused(official: Path, share: float) -> None:
    with pytest.raises(InputError, match="is out of range"):
        examples_at(official, "nli", holdout=share)


def test_a_task_that_is_not_there_is_named(official: Path) -> None:
    with pytest.raises(InputError, match="no official files of ner; it holds nli"):
        examples_at(official, "ner")


@pytest.mark.parametrize("what", ["absent", "file.txt", "empty"])
def test_a_place_without_examples_is_refused(tmp_path: Path, what: str) -> None:
    (tmp_path / "file.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=what):
        examples_at(tmp_path / what, "tc")


def test_what_klue_split_wrote_is_read(tmp_path: Path) -> None:
    rows = [
        {
            "item": f"t{i:03}",
            "fields": {"title": f"{i}번째 소식, {TOPICS[i % 7]} 분야의 새 일이 {i * 37 % 101}건"},
            "gold": [TOPICS[i % 7]],
            "source": "yna",
            "meta": {"date": f"{2016 + i % 5}-0{1 + i % 9}-{1 + i % 28:02}"},
        }
        for i in range(140)
    ]
    items = tmp_path / "items.jsonl"
    items.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    split((items,), "tc", out=tmp_path / "out")
    assert tasks_at(tmp_path / "out") == ("tc",)
    found = examples_at(tmp_path / "out", "tc")
    assert set(found.splits) == {"train", "dev", "test"} == found.labelled
    known = {row["item"]: row["gold"] for row in rows}
    for examples in found.splits.values():
        assert [one.id for one in examples] == sorted(one.id for one in examples)
        assert all(one.label == known[one.id] for one in examples)


def leaves(value: Any, place: Place = ()) -> Iterator[Place]:
    """Yield where the texts and numbers of a JSON value are."""
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in inner:
            yield from leaves(one, (*place, key))
    elif value is not None:
        yield place


def changed(value: Any, place: Place) -> Any:
    """Return a JSON value with another text or number at a place."""
    made = at = deepcopy(value)
    for key in place[:-1]:
        at = at[key]
    old = at[place[-1]]
    at[place[-1]] = f"{old}!" if isinstance(old, str) else old + 1
    return made


def digest(folder: Path, task: str, rows: list[dict[str, Any]]) -> str:
    folder.mkdir(exist_ok=True)
    pq.write_table(schemas.build("examples", rows), folder / "examples.parquet")
    return examples_at(folder, task).digest


@pytest.mark.parametrize("task", TASKS)
def test_the_digest_is_of_all_inputs_and_of_no_answer_of_test(task: str, tmp_path: Path) -> None:
    rows = small.examples(task).to_pylist()
    place = next(n for n, row in enumerate(rows) if row["split"] == "test")
    before, seen = digest(tmp_path, task, rows), set()
    for part in ("fields", "label"):
        value = {part: json.loads(rows[place][part])}
        for leaf in leaves(value):
            name = next(key for key in reversed(leaf) if isinstance(key, str))
            is_input = name in INPUTS[task] and (part == "fields" or task in ("dp", "mrc", "dst"))
            other = deepcopy(rows)
            other[place][part] = json.dumps(changed(value, leaf)[part])
            assert (digest(tmp_path, task, other) != before) is is_input, leaf
            seen |= {name} if is_input else set()
    assert seen == INPUTS[task]


@pytest.mark.parametrize("task", TASKS)
def test_the_digest_is_of_the_answers_of_train_and_dev(task: str, tmp_path: Path) -> None:
    rows = small.examples(task).to_pylist()
    before = digest(tmp_path, task, rows)
    for part in ("train", "dev"):
        place = next(n for n, row in enumerate(rows) if row["split"] == part)
        value = {"label": json.loads(rows[place]["label"])}
        for leaf in leaves(value):
            other = deepcopy(rows)
            other[place]["label"] = json.dumps(changed(value, leaf)["label"])
            assert digest(tmp_path, task, other) != before, leaf


def test_parts_of_speech_beside_the_label_are_in_the_digest(tmp_path: Path) -> None:
    rows = small.examples("dp").to_pylist()
    found = []
    for tag in ("NNG", "NNP"):
        rows[-1]["meta"] = json.dumps({"pos": [tag, "SN", "VV"]})
        found.append(digest(tmp_path, "dp", rows))
    assert found[0] != found[1]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("released")
    return write(small.material(folder), folder / "mini" / "1.0.0").folder


@pytest.mark.parametrize("task", TASKS)
def test_the_private_labels_do_not_show_in_the_digest(
    release: Path, tmp_path: Path, task: str
) -> None:
    """Who has them and who has not train the same model on the same examples."""
    alone = tmp_path / "1.0.0"
    shutil.copytree(release, alone)
    known, unknown = examples_at(release, task), examples_at(alone, task)
    assert (known.labelled - unknown.labelled, unknown.notes) == ({"test"}, ())
    assert known.digest == unknown.digest
    assert known.splits["test"] != unknown.splits["test"]


def test_private_labels_that_cannot_be_read_are_told(release: Path, tmp_path: Path) -> None:
    shutil.copytree(release, tmp_path / "1.0.0")
    shutil.copytree(private_folder(release), tmp_path / "1.0.0.private")
    (tmp_path / "1.0.0.private" / "labels" / "sts.parquet").write_bytes(b"PAR1")
    found = examples_at(tmp_path / "1.0.0", "sts")
    assert found.labelled == {"train", "dev"}
    (note,) = found.notes
    assert "test is not scored" in note and "sts.parquet" in note


def test_the_private_folder_is_not_taken_for_the_release(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = private_folder(release)
    takers: list[Callable[[Path], object]] = [
        tasks_at,
        lambda place: examples_at(place, "tc"),
        lambda place: gold_at(place, task_of("tc")),
    ]
    for read in takers:
        with pytest.raises(InputError, match=r"give the folder beside it, 1\.0\.0$"):
            read(private)
        with monkeypatch.context() as patch:
            patch.chdir(private)
            with pytest.raises(InputError, match=r"give the folder beside it, 1\.0\.0$"):
                read(Path())


def test_a_folder_given_as_a_dot_has_a_name(
    official: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(official)
    found = examples_at(Path(), "nli", holdout=0.3)
    assert found.data["files"] == official.name
    assert found == examples_at(official, "nli", holdout=0.3)


def test_what_is_left_out_of_official_files_is_told(tmp_path: Path) -> None:
    rows = nli(30)
    rows[4]["gold_label"] = "perhaps"
    text = json.dumps(rows, ensure_ascii=False)
    (tmp_path / "klue-nli-v1.1_train.json").write_text(text, "utf-8")
    found = examples_at(tmp_path, "nli", holdout=0.3)
    assert sum(map(len, found.splits.values())) == 89
    assert any("klue-nli-v1.1_train.json: 1 fault" in note for note in found.notes)
    assert any("a part of train: 89 of 24,998" in note for note in found.notes)


def test_only_files_of_the_task_are_read_and_each_once(
    official: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(official, tmp_path, dirs_exist_ok=True)
    (tmp_path / "klue-sts-v1.1_dev.json").write_text("{", "utf-8")
    asked, read = [], official_files.read_official

    def heard(task: str, path: Path) -> Any:
        asked.append(task)
        return read(task, path)

    monkeypatch.setattr(official_files, "read_official", heard)
    assert tasks_at(tmp_path) == ("sts", "nli")
    examples_at(tmp_path, "nli", holdout=0.3)
    assert asked == ["nli"]
    with pytest.raises(InputError, match=r"klue-sts-v1.1_dev.json: not read: "):
        examples_at(tmp_path, "sts", holdout=0.3)


@pytest.mark.parametrize(("part", "text"), [("fields", "{"), ("label", "x"), ("meta", "[1]")])
def test_rows_that_hold_no_json_are_named(tmp_path: Path, part: str, text: str) -> None:
    rows = small.examples("nli").to_pylist()
    rows[0][part] = text
    with pytest.raises(InputError, match=rows[0]["id"]):
        digest(tmp_path, "nli", rows)


def test_real_files_of_two_splits_are_not_mixed(data_dir: Path) -> None:
    found = examples_at(data_dir / "klue", "nli")
    assert {name: len(one) for name, one in found.splits.items()} == {"train": 24_998, "dev": 3_000}
