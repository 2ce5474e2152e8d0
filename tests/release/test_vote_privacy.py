"""Which judgements are public, and under which names."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
import small_release as small

from pipeline.contracts.registry import TASKS
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical, parsed
from pipeline.release import privacy
from pipeline.release.privacy import (
    OTHER,
    PUBLIC,
    Judgements,
    key_check,
    public_name,
    public_names,
)

OPEN_PLACES = range(6)
OPEN_ROWS = {"candidates": 2, "annotation": 0, "aggregate": 1, "split": 0}
NAMES = {who: f"public-{who[-1]}" for who in (*small.PEOPLE, small.INSPECTOR)}


def _judgements(task: str) -> Judgements:
    return Judgements(small.task_material(task), NAMES)


def _items(table: pa.Table) -> set[str]:
    return set(table["item"].to_pylist())


@pytest.mark.parametrize("task", [task for task in TASKS if task != "nli"])
def test_public_votes_are_those_on_train_and_dev_examples(task: str) -> None:
    public = _judgements(task).votes()
    assert _items(public) == {small.guid(task, place) for place in OPEN_PLACES}
    closed = pa.array([small.guid(task, place) for place in range(6, 11)])
    others = pc.sum(pc.is_in(small.votes(task)["item"], value_set=closed)).as_py()
    assert public.num_rows + others == small.votes(task).num_rows


def test_what_an_author_wrote_is_public_if_all_its_pairs_are() -> None:
    """Premise 0 has three train pairs, 2 two dev pairs; 1 has one that was left out, 3 is test."""
    public = _items(_judgements("nli").votes())
    assert {small.premise(0), small.premise(4)} <= public
    assert not {small.premise(3), small.premise(6)} & public
    assert {small.premise(3), small.premise(6)} <= _items(small.votes("nli"))


def test_public_votes_have_public_names_and_no_feedback() -> None:
    public = _judgements("ner").votes()
    assert set(public["annotator"].to_pylist()) == set(NAMES.values())
    labels = [parsed(label) for label in public["label"].to_pylist() if label]
    verdicts = [label for label in labels if isinstance(label, dict)]
    assert verdicts and all(label == {"verdict": "reject"} for label in verdicts)


def test_a_vote_without_an_annotator_stays_without() -> None:
    given = small.votes("tc").to_pylist()
    rows = [{**row, "annotator": None, "seat": "label2"} for row in given]
    material = small.task_material("tc", votes=schemas.build("votes", rows))
    public = Judgements(material, {}).votes()
    assert set(public["annotator"].to_pylist()) == {None}
    assert set(public["seat"].to_pylist()) == {"label2"}


def test_a_text_that_only_looks_like_feedback_stays() -> None:
    """A question or a hypothesis may hold any text; only verdicts have feedback."""
    label = canonical({"question": 'what is "feedback":?', "type": 1, "answers": []})
    kept = privacy._without_feedback(label)
    assert kept == label
    assert privacy._without_feedback(canonical({"feedback": "글"})) == canonical({"feedback": "글"})


def test_a_report_says_nothing_in_public_but_a_reason_of_the_spec() -> None:
    rows = small.votes("tc").to_pylist()
    for row in rows:
        if row["report"] is not None:
            row["report"] = "한도담의 전화번호가 보인다"
    material = small.task_material("tc", votes=schemas.build("votes", rows))
    public = Judgements(material, NAMES).votes()
    assert set(public["report"].to_pylist()) == {None, OTHER}
    assert "hate" in _judgements("tc").votes()["report"].to_pylist()


@pytest.mark.parametrize("task", TASKS)
def test_ledger_rows_about_closed_items_are_private(task: str) -> None:
    material = small.task_material(task)
    for stage, table in small.ledgers(task).items():
        tables = Judgements(material, NAMES).ledger(stage, table)
        public, private = (set(t["unit"].to_pylist()) for t in tables)
        closed = {small.guid(task, place) for place in range(6, 11)}
        assert not public & closed
        assert private <= closed or stage == "annotation"
        assert sum(t.num_rows for t in tables) == table.num_rows
        assert tables[0].num_rows == OPEN_ROWS[stage]


def test_a_row_about_an_item_that_nobody_knows_is_private() -> None:
    row = small.ledger_row("tc-cffffffffffffffffffff", "x", "vote.unknown_item@1", "edit", "?")
    tables = _judgements("tc").ledger("aggregate", schemas.build("ledger", [row]))
    assert [table.num_rows for table in tables] == [0, 1]


@pytest.mark.parametrize(
    ("ids", "reason", "told"),
    [
        (["w1", "w12"], "annotator w12 is excluded: 0.12", "annotator P-w12 is excluded: 0.12"),
        (["3"], "annotator 3 is excluded: alpha 3 of 3", "annotator P-3 is excluded: alpha 3 of 3"),
        (["a.b"], "annotator axb is excluded", "annotator axb is excluded"),
        (["kim"], "annotator kim-2 is excluded", "annotator kim-2 is excluded"),
        (["kim", "lee"], "annotator lee and annotator kim", "annotator P-lee and annotator P-kim"),
    ],
)
def test_the_reasons_of_ledgers_name_annotators_by_their_public_names(
    ids: list[str], reason: str, told: str
) -> None:
    names = {one: f"P-{one}" for one in ids}
    row = small.ledger_row("airbnb-s0", "aggregation", "vote.excluded@1", "edit", reason)
    public, _ = Judgements(small.task_material("tc"), names).ledger(
        "aggregate", schemas.build("ledger", [row])
    )
    assert public["reason"].to_pylist() == [told]


def test_a_person_has_one_name_in_all_tasks_and_versions_of_a_release(tmp_path: Path) -> None:
    material = small.material(tmp_path)
    later = replace(material, facts=replace(material.facts, version="2.0.0"))
    names = public_names(material)
    assert names == public_names(later)
    assert set(names) == {*small.PEOPLE, small.INSPECTOR}
    assert all(PUBLIC.fullmatch(name) for name in names.values())
    assert len(set(names.values())) == len(names)


def test_what_came_back_from_annotators_is_private_and_no_public_row_has_a_file() -> None:
    parts = {
        stage: Judgements(small.task_material("tc"), NAMES).ledger(stage, table)
        for stage, table in small.ledgers("tc").items()
    }
    assert parts["annotation"][0].num_rows == 0
    assert parts["annotation"][1]["file"].to_pylist() == [f"{small.PEOPLE[0]}.jsonl"]
    refused = parts["candidates"][0]
    assert refused.num_rows == 2
    assert refused["file"].null_count == refused["line"].null_count == 2


def test_public_votes_tell_no_time_and_whole_seconds() -> None:
    given, public = small.votes("tc"), _judgements("tc").votes()
    assert given["at"].null_count == 0 and set(given["seconds"].to_pylist()) == {7.9}
    assert public["at"].null_count == public.num_rows
    assert set(public["seconds"].to_pylist()) == {8.0}
    assert public.schema.equals(schemas.VOTES)


def test_names_under_a_key_are_those_of_hmac() -> None:
    """HMAC-SHA256 by its definition in RFC 2104, out of plain hashes."""
    key = b"0123456789abcdef"
    inner = sha256(bytes(one ^ 0x36 for one in key.ljust(64, b"\0")) + b"mini\x1fworker-01")
    outer = sha256(bytes(one ^ 0x5C for one in key.ljust(64, b"\0")) + inner.digest())
    assert public_name("mini", "worker-01", key) == f"a-{outer.hexdigest()[:10]}"
    plain = sha256(b"mini\x1fworker-01").hexdigest()
    assert public_name("mini", "worker-01") == f"a-{plain[:10]}"
    votes = privacy.rename_annotators(small.votes("tc"), "mini", key)["annotator"].to_pylist()
    assert public_name("mini", "worker-01", key) in votes


def test_a_check_value_tells_keys_apart_and_is_none_without_one() -> None:
    found = {key_check(key) for key in (b"a" * 16, b"b" * 16, b"c" * 16)}
    assert len(found) == 3 and all(re.fullmatch(r"[0-9a-f]{16}", one) for one in found)
    assert key_check(b"") == ""


def test_cards_may_not_tell_of_a_key_that_is_none(tmp_path: Path) -> None:
    material = replace(small.material(tmp_path), key=b"k" * 16)
    with pytest.raises(ValueError, match=r"facts\.keyed"):
        public_names(material)
    facts = replace(material.facts, keyed=True)
    keyed = public_names(replace(material, facts=facts))
    assert set(keyed.values()).isdisjoint(public_names(small.material(tmp_path)).values())
    assert "kkkk" not in repr(material)


def test_another_release_has_other_names() -> None:
    assert public_name("one", "worker-01") != public_name("two", "worker-01")
    assert public_name("ab", "c") != public_name("a", "bc")


def test_two_people_under_one_name_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(privacy, "public_name", lambda *_: "a-0123456789")
    with pytest.raises(InputError, match=r"release\.name"):
        public_names(small.material(tmp_path))
