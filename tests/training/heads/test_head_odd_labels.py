"""What `check` makes of labels that nobody should write: an InputError, or inputs to learn from."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_tokens import letters

from pipeline.contracts.example import Example
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.tasks.re.head import MARKERS
from pipeline.training.head import Head
from pipeline.training.preparing import HEADS
from pipeline.training.recipe import recipe_of

GOOD: dict[str, tuple[dict[str, Any], Any]] = {
    "tc": ({"title": "하늘시 도서관 새 단장"}, ["사회"]),
    "sts": (
        {"sentence1": "도서관이 문 연다", "sentence2": "새 도서관"},
        {"label": 2.6, "real-label": 2.6, "binary-label": 0},
    ),
    "nli": ({"premise": "도서관이 문 연다", "hypothesis": "문 연다"}, "entailment"),
    "ner": (
        {"text": "하늘시 도서관 1일"},
        [{"start": 0, "end": 3, "label": "LC"}, {"start": 8, "end": 10, "label": "DT"}],
    ),
    "re": (
        {
            "sentence": "김하늘은 도서관 관장",
            "subject": {"word": "김하늘", "start": 0, "end": 3, "type": "PER"},
            "object": {"word": "관장", "start": 9, "end": 11, "type": "POH"},
        },
        "per:title",
    ),
    "dp": (
        {"text": "하늘시 도서관 연다", "words": ["하늘시", "도서관", "연다"]},
        {
            "heads": [2, 3, 0],
            "deprels": ["NP", "NP_SBJ", "VP"],
            "lemmas": ["하늘시", "도서관", "열 다"],
            "pos": ["NNP", "NNG", "VV+EF"],
        },
    ),
    "mrc": (
        {"title": "도서관", "context": "하늘시 도서관은 1일 문 연다"},
        {
            "question": "며칠에 여나?",
            "type": 1,
            "answers": [{"start": 9, "text": "1일"}],
            "plausible_answers": [],
        },
    ),
    "dst": (
        {"domains": ["숙소"]},
        {
            "turns": [
                {"role": "user", "text": "도서관 옆이요", "state": ["숙소-이름-도서관"]},
                {"role": "sys", "text": "네", "state": []},
                {"role": "user", "text": "문 연다", "state": []},
            ]
        },
    ),
}
TASKS = sorted(GOOD)
TOKENS = letters()
TOKENS.add(MARKERS)
Path = tuple[str | int, ...]
odd = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.sampled_from([10**30, 2.0, 0.5, float("nan"), float("inf"), -1e300])
    | st.sampled_from(
        ["", " ", "사회", "entailment", "LC", "NP", "user", "없는 것", "\u1112\u1161"]
    )
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["start", "end", "label", "text", "turns"]), inner)
    ),
    max_leaves=6,
)


def good(task: str) -> Example:
    fields, label = deepcopy(GOOD[task])
    return Example(f"{task}-1", "made", fields, label)


@cache
def spec_and_recipe(task: str) -> tuple[Any, Any]:
    return load_spec(task), recipe_of(task)


def head_of(task: str, example: Example) -> Head:
    """Return the head of a train split of one example."""
    return HEADS[task](*spec_and_recipe(task), [example])


def refused(task: str, example: Example) -> bool:
    """Tell whether an example is refused; what is not must be encoded, with its targets."""
    head = head_of(task, example)
    try:
        head.check([example], labels=True)
    except InputError as error:
        assert example.id in str(error)
        return True
    features = head.encode([example], TOKENS, labels=True)
    assert any(name.startswith("target") for name in features.columns)
    return False


def places(value: Any, at: Path = ()) -> Iterator[Path]:
    """Yield where values stand in a label, it included."""
    yield at
    if isinstance(value, dict | list):
        for name in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[name], (*at, name))


def changed(value: Any, at: Path, new: Any) -> Any:
    """Return a value with another one at a place, or none there if `new` is DROPPED."""
    if not at:
        return new
    made = deepcopy(value)
    holder = made
    for name in at[:-1]:
        holder = holder[name]
    if new is DROPPED:
        del holder[at[-1]]
    else:
        holder[at[-1]] = new
    return made


DROPPED = object()


@pytest.mark.parametrize("task", TASKS)
def test_what_is_right_is_learnt_from(task: str) -> None:
    assert not refused(task, good(task))


@pytest.mark.parametrize("task", TASKS)
@given(label=odd)
def test_any_other_label(task: str, label: Any) -> None:
    refused(task, replace(good(task), label=label))


@pytest.mark.parametrize("task", TASKS)
@given(data=st.data())
def test_a_label_with_one_thing_wrong(task: str, data: st.DataObject) -> None:
    example = good(task)
    at = data.draw(st.sampled_from([at for at in places(example.label) if at] or [()]))
    new = data.draw(st.just(DROPPED) | odd) if at else data.draw(odd)
    refused(task, replace(example, label=changed(example.label, at, new)))


@given(data=st.data())
def test_entities_of_a_relation_with_one_thing_wrong(data: st.DataObject) -> None:
    example = good("re")
    of = data.draw(st.sampled_from(["subject", "object"]))
    at = data.draw(st.sampled_from([(of, *at) for at in places(example.fields[of])]))
    new = data.draw(st.just(DROPPED) | odd)
    refused("re", replace(example, fields=changed(example.fields, at, new)))


@pytest.mark.parametrize(
    ("task", "at", "new", "told"),
    [
        ("tc", (), None, "have no label"),
        ("tc", (0,), "날씨", "label that the spec does not know"),
        ("sts", ("real-label",), DROPPED, "have no `real-label` from 0 to 5"),
        ("sts", ("real-label",), float("nan"), r"have no `real-label` .*\(NaN\)"),
        ("sts", (), 2.6, "have no `real-label`"),
        ("nli", (), None, "have no label"),
        ("ner", (1, "end"), 11, "span 8..11 is outside the text of 10 characters"),
        ("ner", (0, "end"), DROPPED, "a span is an object with start, end and label"),
        ("dp", ("heads",), [2, 0], "heads needs one entry a word: 3, given: 2"),
        ("dp", ("heads", 0), 4, "head 4 of word 1 is not a word from 0 to 3"),
        ("dp", ("deprels", 1), None, "relation of word 2 is a text, not null"),
        ("dp", ("pos",), ["NNP"], "one text of tags a word is wanted: 3, given: 1"),
        ("mrc", ("answers", 0, "text"), DROPPED, "answers: number 1 has a blank text"),
        ("mrc", ("answers", 0, "start"), 10, "number 1 does not stand at 10 in the context of 16"),
        ("mrc", ("answers",), [], "a question of type 1 has 0 answers"),
        ("dst", ("turns", 0, "state"), DROPPED, "turn 1: the state is"),
        ("dst", ("turns", 1), "네", "turn 2 needs a role"),
        ("dst", ("turns",), {}, "it has no turns"),
    ],
)
def test_usual_faults_are_told(task: str, at: Path, new: Any, told: str) -> None:
    example = good(task)
    example = replace(example, label=changed(example.label, at, new))
    with pytest.raises(InputError, match=told):
        head_of(task, example).check([example], labels=True)


def test_an_entity_outside_its_sentence() -> None:
    example = good("re")
    example = replace(example, fields=changed(example.fields, ("object", "end"), 12))
    with pytest.raises(InputError, match="it runs from 9 to 12 in a sentence of 11 characters"):
        head_of("re", example).check([example], labels=True)
