"""A folder with a spec and a guideline is a task; what is wrong with it is one error."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import mood_task
import pytest

from pipeline.contracts import own_task
from pipeline.contracts.decisions import EXPERT
from pipeline.contracts.parts import load_part, part_module
from pipeline.contracts.registry import TASKS, task_of
from pipeline.contracts.spec import guideline, load_spec
from pipeline.core.errors import InputError, RecordError, SpecError

SPEC = f"{mood_task.SPEC}sampling:\n  quotas: {{nsmc: 20}}\n"
pytestmark = pytest.mark.usefixtures("no_own_tasks")
#: The same for a score, of which labels may only name points.
SCORE = re.sub(r"(?s)\nlabels:.*?\nsampling", "\nsampling", SPEC.replace(": label", ": score"))


def _folder(path: Path, spec: str = SPEC, **modules: str) -> Path:
    mood_task.write_task(path, spec)
    for name, text in modules.items():
        (path / f"{name}.py").write_text(text, "utf-8")
    return path


def test_a_folder_is_a_task(tmp_path: Path) -> None:
    assert own_task.register_task(_folder(tmp_path / "mood")) == "mood"
    assert list(TASKS)[-1] == "mood"
    task, spec = task_of("mood"), load_spec("mood")
    assert (task.id, task.config, task.kind, task.fields) == ("mood", "mood", "category", ("text",))
    assert (spec.name, spec.ids()) == ("mood@1.0.0", ("good", "bad"))
    assert spec.accepts("mood@1.0.3") and not spec.accepts("mood@2.0.0")
    assert [(r.id, r.answer, r.per_item) for r in spec.rounds] == [("main", "label", 3)]
    assert spec.sampling.total == 20 and spec.split.rule == "stratified"
    assert guideline("mood", "en") == guideline("mood", "ko") == "# 지침\n"
    assert EXPERT not in {r.role for r in spec.rounds}


@pytest.mark.parametrize(
    ("kind", "answer", "wrong", "view"),
    [
        ("label", "good", "great", "good"),
        ("pair", "bad", 3, "bad"),
        ("score", 4, 6, 4.0),
        (
            "spans",
            [{"start": 0, "end": 2, "label": "good"}],
            [{"start": 0, "end": 9, "label": "good"}],
            [(0, 2, "good")],
        ),
    ],
)
def test_each_kind_has_its_answers(
    tmp_path: Path, kind: str, answer: object, wrong: object, view: object
) -> None:
    text = SCORE if kind == "score" else SPEC.replace("kind: label", f"kind: {kind}")
    own_task.register_task(_folder(tmp_path / kind, text))
    task, spec = TASKS["mood"], load_spec("mood")
    fields = dict.fromkeys(task.fields, "좋다")
    assert task.fields == (("text1", "text2") if kind == "pair" else ("text",))
    assert task.view(task.parse(answer, fields, spec, spec.rounds[0])) == view
    assert set(task.compare(*[task.parse(answer, fields, spec, spec.rounds[0])] * 2).values()) == {
        1.0
    }
    with pytest.raises(RecordError):
        task.parse(wrong, fields, spec, spec.rounds[0])


@pytest.mark.parametrize(
    ("answer", "labels"),
    [
        ("good|bad", ["good", "bad"]),
        (" bad | good ", ["good", "bad"]),
        ("bad", ["bad"]),
        ("|", []),
        ([], []),
        (1, ["1"]),
        ("1|true", ["1", "true"]),
        (True, ["true"]),
        ("a|b", ["a|b"]),
        (["a|b", "good"], ["good", "a|b"]),
    ],
)
def test_a_cell_holds_several_labels(tmp_path: Path, answer: object, labels: list[str]) -> None:
    more = "  - {id: '1', title: 하나}\n  - {id: 'true', title: 참}\n  - {id: a|b, title: 둘}\n"
    text = SPEC.replace("kind: label", "kind: labels").replace("sampling:", f"{more}sampling:")
    spec = load_spec(own_task.register_task(_folder(tmp_path / "mood", text)))
    assert TASKS["mood"].parse(answer, {}, spec, spec.rounds[0]) == labels
    for wrong in ("good|great", "good|good", {"good": 1}, None):
        with pytest.raises(RecordError):
            TASKS["mood"].parse(wrong, {}, spec, spec.rounds[0])


LIKERT = SPEC.replace("kind: label", "kind: score").replace("good", '"4"').replace("bad", '"1"')


def test_words_stand_for_points_of_the_scale(tmp_path: Path) -> None:
    name = own_task.register_task(_folder(tmp_path / "mood", LIKERT))
    spec = load_spec(name)
    taken = [
        task_of(name).parse(answer, {}, spec, spec.rounds[0]) for answer in ("좋음", "나쁨", 3)
    ]
    assert taken == [4, 1, 3]
    with pytest.raises(RecordError, match="no word of the scale; allowed: its numbers, 좋음"):
        task_of(name).parse("보통", {}, spec, spec.rounds[0])
    folder = _folder(tmp_path / "mood", LIKERT + "scale: {high: 3}\n")
    with pytest.raises(SpecError, match=r"labels\.0\.id: 4 is off the scale, .* 0 to 3"):
        load_spec(own_task.register_task(folder))
    folder = _folder(tmp_path / "mood", LIKERT.replace("나쁨", "좋음"))
    with pytest.raises(SpecError, match="a word stands for one point"):
        load_spec(own_task.register_task(folder))


def test_no_score_is_dropped_or_cut_in_two_by_default(tmp_path: Path) -> None:
    spec = load_spec(own_task.register_task(_folder(tmp_path / "mood", LIKERT)))
    rule = spec.aggregation
    assert (rule.step, rule.drop_deviation, rule.binary_at) == (0.1, None, None)


def test_a_module_of_the_folder_replaces_the_default(tmp_path: Path) -> None:
    own_task.register_task(
        _folder(tmp_path / "mood", split="def split(groups, numbers, *, seed): ...")
    )
    assert part_module("mood", "split") == "klue_task_mood.split"
    assert part_module("mood", "columns") == "pipeline.tasks.kinds.columns"
    assert part_module("mood", "before_split") is None
    with pytest.raises(InputError, match=r"mood has no part `before_split`.*before_split\.py"):
        load_part("mood", "before_split")


def test_a_module_that_does_not_import_is_told_with_its_line(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "mood", split="import os\n\nfrom nowhere import nothing\n")
    own_task.register_task(folder)
    with pytest.raises(InputError, match=r"split\.py:3: cannot be imported: ModuleNotFoundError"):
        load_part("mood", "split")
    (folder / "columns.py").write_text("x = (\n")
    with pytest.raises(InputError, match=r"columns\.py:1: cannot be imported: SyntaxError"):
        load_part("mood", "columns")


def test_the_first_round_asks_what_the_instruction_says(tmp_path: Path) -> None:
    spans = SPEC.replace("kind: label", "kind: spans")
    main, inspect = load_spec(own_task.register_task(_folder(tmp_path / "mood", spans))).rounds
    assert main.question.ko == main.question.en == "글의 기분을 고르세요."
    assert inspect.question.en == "Answer as the guideline says."


@pytest.mark.parametrize(
    ("kind", "section", "keys"),
    [
        ("label", "aggregation: {minimum: 5}", {"rule": "majority", "minimum": 5, "needed": 2}),
        ("label", "aggregation: {rule: plurality}", {"minimum": 3, "margin": 1}),
        ("labels", "aggregation: {rule: mace, minimum: 2}", {"otherwise": "expert", "minimum": 2}),
        ("labels", "aggregation: {needed: 0.3}", {"empty": True, "needed": 0.3}),
        ("score", "aggregation: {rule: median, step: null}", {"step": None, "minimum": 3}),
        ("score", "agreement: {level: ordinal}", {"coefficient": "krippendorff_alpha"}),
        ("label", "agreement: {coefficient: entity_f1}", {"level": None}),
        ("score", "scale: {high: 7}", {"low": 0, "high": 7}),
        ("label", "pilot: {needed: 9}", {"rule": "correct", "items": 10, "needed": 9}),
        ("label", "pilot: {rule: agreement, threshold: 0.8}", {"items": 10, "threshold": 0.8}),
        ("label", "split: {numbers: {by: source}}", {"rule": "stratified"}),
    ],
)
def test_a_section_keeps_the_defaults_that_it_does_not_give(
    tmp_path: Path, kind: str, section: str, keys: dict[str, object]
) -> None:
    text = SCORE if kind == "score" else SPEC.replace("kind: label", f"kind: {kind}")
    text += f"{section}\n"
    spec = load_spec(own_task.register_task(_folder(tmp_path / "mood", text)))
    found = getattr(spec, section.partition(":")[0])
    assert {key: getattr(found, key) for key in keys} == keys
    numbers = spec.split.numbers
    assert (numbers.train, numbers.dev, numbers.test) == (8, 1, 1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kind: label", "kind: labels_", r"spec.yaml:3: kind: Input should be 'label', 'labels'"),
        ("kind: label", "", r"kind: missing; allowed: label, pair, labels, score, spans"),
        ("title: 기분", "titel: 기분", r"spec.yaml:4: titel: unknown key; allowed here: .*title"),
        ("quotas: {nsmc: 20}", "rule: goals", r"sampling.rule: Input should be 'quotas'"),
        ("{nsmc: 20}", "{nsmc: 0}", r"spec.yaml:10: sampling.quotas.nsmc"),
        (
            "kind: label",
            "kind: score\naggregation:"
            " {rule: glad, roles: [annotator], minimum: 2, otherwise: expert}",
            r"aggregation.rule: glad is not for answers of the kind score; allowed: mean, median",
        ),
        (
            "kind: label",
            "kind: labels\naggregation: {rule: majority}",
            "aggregation.rule: majority is",
        ),
        ("id: good", "id: yes", r"spec.yaml:7: labels.0.id: must be a text; write it in quotes"),
        ("title: 좋음", "title: 1", r"spec.yaml:7: labels.0.title: must be a text in quotes"),
        ("{id: good, title: 좋음}", "good", r"labels.0: must hold keys \(id, title\)"),
        ("id: bad", "id: good", r"spec.yaml:8: labels.1.id: label 'good' is defined twice"),
        ("title: 나쁨", "title: 좋음", r"spec.yaml:8: labels.1.title: label 'good' has it too"),
        ("id: good", r'id: "a\nb"', r"labels.0.id: must hold no line break"),
        (
            "title: 나쁨",
            "title: 나쁨, group: g",
            r"labels.1.group: labels of the kind label have no",
        ),
        (
            "  - {id: bad, title: 나쁨}\n",
            "",
            r"spec.yaml:6: labels: the kind label needs 2 or more",
        ),
        ("{nsmc: 20}", "{nsmc: 20}\n  shortest: 9\n  longest: 3", r"shortest \(9\) is more than"),
        (
            "kind: label",
            "kind: label\nscale: {low: 1, high: 3}",
            r"spec.yaml:4: scale: the kind label has",
        ),
        ("kind: label", "kind: label\nrounds: []", r"spec.yaml:4: rounds: must not be empty"),
        ("kind: label", "kind: label\naggregation: {roles: []}", r"aggregation.roles: must not be"),
        (
            "kind: label",
            "kind: label\naggregation: {needed: 4}",
            r"needed: 4 votes are never there",
        ),
        ("kind: label", "kind: label\nreports: [{id: none, title: x}]", r"'none' is reserved"),
        ("task: mood", "task: My Mood", r"spec.yaml:1: task: must be an id of small letters"),
        ("task: mood", "task: 기분", r"spec.yaml:1: task: must be an id of small letters"),
        ("task: mood", "task: nli", r"task 'nli' has the id of the task of KLUE"),
        ("task: mood", "task: ynat", r"task 'ynat' has the id of the task of KLUE"),
    ],
)
def test_faults_of_a_spec_are_told(tmp_path: Path, old: str, new: str, message: str) -> None:
    folder = _folder(tmp_path / "mood", SPEC.replace(old, new))
    with pytest.raises(SpecError, match=message):
        load_spec(own_task.register_task(folder))


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("id: adjudicate, answer: label", r"rounds.0.id: 'adjudicate' is reserved"),
        (
            "id: main, answer: tree",
            r"rounds.0.answer: tree is no answer of the kind label; allowed",
        ),
        ("id: main, answer: verdict", r"rounds.0.answer: a verdict needs a round before it"),
    ],
)
def test_rounds_fit_the_kind(tmp_path: Path, keys: str, message: str) -> None:
    rounds = f"rounds: [{{{keys}, role: annotator, per_item: 3, question: 어떤가요?}}]\n"
    with pytest.raises(SpecError, match=f"spec.yaml:11: {message}"):
        load_spec(own_task.register_task(_folder(tmp_path / "mood", SPEC + rounds)))


def test_labels_are_composed_korean(tmp_path: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "좋음")
    text = SPEC.replace("id: good", f"id: {decomposed}")
    spec = load_spec(own_task.register_task(_folder(tmp_path / "mood", text)))
    assert TASKS["mood"].parse(decomposed, {}, spec, spec.rounds[0]) == "좋음"


def test_an_unknown_kind_is_no_task(tmp_path: Path) -> None:
    allowed = r"spec.yaml:3: kind: Input should be 'label', 'labels', 'pair', 'score' or 'spans'"
    for kind in ("lable", "[label]", "yes"):
        folder = _folder(tmp_path / "mood", SPEC.replace("kind: label", f"kind: {kind}"))
        with pytest.raises(SpecError, match=allowed):
            own_task.register_task(folder)
    assert "mood" not in TASKS


def test_faults_of_a_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no such file"):
        own_task.register_task(tmp_path)
    folder = _folder(tmp_path / "mood")
    (folder / "guideline.ko.md").unlink()
    with pytest.raises(SpecError, match=r"no guideline.*guideline\.ko\.md or guideline\.en\.md"):
        own_task.register_task(folder)
    own_task.register_task(_folder(tmp_path / "mood"))
    own_task.register_task(tmp_path / "mood")
    with pytest.raises(SpecError, match=r"task 'mood' has the id of .*mood; rename it"):
        own_task.register_task(_folder(tmp_path / "other"))


def test_an_environment_variable_names_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KLUE_TASKS", str(_folder(tmp_path / "mood")))
    assert "mood" in TASKS and TASKS["mood"].id == "mood"
