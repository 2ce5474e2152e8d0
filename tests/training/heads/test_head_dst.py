"""Dialogues as inputs and targets, states out of outputs, and what a small network learns."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from hypothesis import given as drawn
from hypothesis import strategies as st
from official_gold import plain

from pipeline.contracts.example import Example
from pipeline.contracts.official.files import read_official
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.core.jsontext import parsed
from pipeline.tasks.dst.head import Tracking, head
from pipeline.tasks.dst.head.trade import GATES, PTR, Trade
from pipeline.tasks.dst.head.values import KnownValues, known_values, match_history
from pipeline.tasks.dst.scorer import jga_measure
from pipeline.training.batches import batch_of, predict
from pipeline.training.features import IGNORED, Features, Ragged
from pipeline.training.head import Network
from pipeline.training.recipe import Recipe
from pipeline.training.scratch import train_tokenizer
from pipeline.training.tokens import Tokens

torch.set_num_threads(1)
SPEC = load_spec("dst")
SLOTS = [slot.id for slot in SPEC.slots if slot.informable]
RECIPE = Recipe(learning_rate=1e-3, batch_size=4, epochs=1, max_length=128, value_length=6)


def dialogue(name: str, *turns: tuple[str, list[str]] | str) -> Example:
    """Return a dialogue: texts of the user with states, and texts of the agent."""
    made = [
        {"role": "sys", "text": turn, "state": []}
        if isinstance(turn, str)
        else {"role": "user", "text": turn[0], "state": turn[1]}
        for turn in turns
    ]
    return Example(name, "made", {}, {"turns": made})


INN = dialogue(
    "inn",
    ("서울 북쪽 여관 찾아요 주차 돼야 해요", ["숙소-지역-서울 북쪽", "숙소-주차 가능-yes"]),
    "구름 여관 어때요?",
    (
        "좋아요 값은 아무래도 좋아요",
        [
            "숙소-이름-구름 여관",
            "숙소-가격대-dontcare",
            "숙소-지역-서울 북쪽",
            "숙소-주차 가능-yes",
        ],
    ),
    "네 고맙습니다",
)
TAXI = dialogue(
    "taxi",
    ("안녕하세요", []),
    "무엇을 도와드릴까요?",
    ("10시 반에 달빛역으로 택시요", ["택시-출발 시간-10:30", "택시-도착지-달빛역"]),
    "네",
    (
        "담배 안 피우는 식당도요",
        ["택시-출발 시간-10:30", "택시-도착지-달빛역", "식당-흡연 가능-no"],
    ),
)
BOTH = [INN, TAXI]


def tokens(examples: Sequence[Example] = BOTH, *, size: int = 400) -> Tokens:
    """Return a tokenizer that knows all letters of dialogues; always the same one."""
    texts = [turn["text"] for one in examples for turn in one.label["turns"]]
    return Tokens(train_tokenizer([*texts, "10 : 30"], size))


def without_states(example: Example) -> Example:
    """Return a dialogue as a test file without labels has it."""
    turns = [{"role": t["role"], "text": t["text"]} for t in example.label["turns"]]
    return Example(example.id, example.source, {}, {"turns": turns})


def users(example: Example) -> list[list[str]]:
    return [turn["state"] for turn in example.label["turns"] if turn["role"] == "user"]


def fit(
    topic: Tracking, examples: Sequence[Example], given: Tokens, *, copy: bool = False
) -> Network:
    """Train a small network on all inputs at a time; with `copy` it may never spell a word."""
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(given.tokenizer),
        hidden_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=128,
        max_position_embeddings=128,
        pad_token_id=given.pad,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    network = topic.network(transformers.AutoModel.from_config(config))
    assert isinstance(network, Trade)
    if copy:
        network.spell.requires_grad_(False)
        network.spell.weight.zero_()
        network.spell.bias.fill_(-20.0)
    features = topic.encode(examples, given, labels=True)
    batch = batch_of(features, np.arange(len(features)), pad=given.pad)
    optimizer = torch.optim.AdamW(network.parameters(), lr=5e-3)
    network.train()
    for _ in range(150):
        optimizer.zero_grad()
        network(batch)["loss"].backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
    return network


def outputs_of(features: Features, given: Tokens, slots: int, length: int) -> dict[str, Any]:
    """Return what a network without a fault says of inputs that have targets."""
    end = given.single.parts[-1][-1]
    gates, held = features.columns["target_gates"], features.columns["target_values"]
    assert isinstance(held, Ragged)
    values = np.full((len(features), slots, length), end)
    values[gates == PTR] = np.where(held.values == IGNORED, end, held.values)
    return {"gates": gates, "values": values}


def test_histories_are_all_turns_so_far_each_with_its_separator() -> None:
    given = tokens()
    features = head(SPEC, RECIPE, BOTH).encode(BOTH, given, labels=False)
    (first,), (end,) = given.single.parts
    texts = [[turn["text"] for turn in one.label["turns"]] for one in BOTH]
    expected = []
    for some in texts:
        for many in range(1, len(some) + 1, 2):
            row = [first]
            for text in some[:many]:
                row += [*given.tokenizer(text, add_special_tokens=False)["input_ids"], end]
            expected.append(row)
    assert [row.tolist() for row in map(features.tokens.__getitem__, range(5))] == expected
    assert features.owners.tolist() == [0, 0, 1, 1, 1]
    assert features.columns == {}
    assert features.notes == ()
    assert features.tokens.values.dtype == np.int32


def test_long_histories_lose_their_oldest_tokens() -> None:
    given = tokens()
    short = RECIPE.model_copy(update={"max_length": 16})
    whole = head(SPEC, RECIPE, BOTH).encode(BOTH, given, labels=False)
    cut = head(SPEC, short, BOTH).encode(BOTH, given, labels=False)
    long = 0
    for row in range(len(whole)):
        ids = whole.tokens[row].tolist()
        long += len(ids) > 16
        assert cut.tokens[row].tolist() == [ids[0], *ids[1:][-15:]]
    assert 0 < long < len(whole)
    assert cut.notes == (
        f"{long} of 5 histories have more than 16 tokens: their oldest turns are cut",
    )


def test_targets_are_gates_and_the_tokens_of_values() -> None:
    given = tokens()
    features = head(SPEC, RECIPE, BOTH).encode(BOTH, given, labels=True)
    gates, values = features.columns["target_gates"], features.columns["target_values"]
    assert isinstance(values, Ragged)
    for row, state in enumerate(users(INN) + users(TAXI)):
        said = {one.rsplit("-", 1)[0]: one.rsplit("-", 1)[1] for one in state}
        generated = []
        for place, slot in enumerate(SLOTS):
            value = said.get(slot, "none")
            gate = value if value in ("none", "dontcare", "yes", "no") else "ptr"
            assert GATES[gates[row, place]] == gate
            generated += [value] if gate == "ptr" else []
        assert len(values[row]) == len(generated)
        for ids, value in zip(values[row].tolist(), generated, strict=True):
            plain = given.tokenizer(value, add_special_tokens=False)["input_ids"]
            full = [*plain, given.single.parts[1][0], *[IGNORED] * 6]
            assert ids == full[:6]
    assert features.tokens.lengths.tolist() == [
        len(row) for row in map(features.tokens.__getitem__, range(5))
    ]


def test_yes_of_a_slot_that_is_not_boolean_is_generated() -> None:
    odd = dialogue("odd", ("이름이 yes 인 곳이요", ["숙소-이름-yes", "숙소-스파 유무-yes"]))
    topic = head(SPEC, RECIPE, [odd])
    gates = topic.encode([odd], tokens([odd]), labels=True).columns["target_gates"]
    assert GATES[gates[0, SLOTS.index("숙소-이름")]] == "ptr"
    assert GATES[gates[0, SLOTS.index("숙소-스파 유무")]] == "yes"
    assert topic.values["숙소-이름"] == ("yes",)
    assert topic.values["숙소-스파 유무"] == ()


def test_a_value_that_is_cut_is_counted_and_still_found_if_known() -> None:
    short = RECIPE.model_copy(update={"value_length": 3})
    topic, given = head(SPEC, short, BOTH), tokens()
    features = topic.encode(BOTH, given, labels=True)
    assert "of more than 3 tokens: cut" in features.notes[0]
    decoder = topic.decoder(features, BOTH, given)
    decoder.take(np.arange(5), outputs_of(features, given, len(SLOTS), 3))
    assert plain(jga_measure)(
        [[set(state) for state in users(one)] for one in BOTH],
        [[set(state) for state in one.label] for one in decoder.predictions()],
    ) == pytest.approx(100)


def test_gold_outputs_give_gold_states_in_the_order_of_slots_in_any_order_of_batches() -> None:
    topic, given = head(SPEC, RECIPE, BOTH), tokens()
    features = topic.encode(BOTH, given, labels=True)
    outputs = outputs_of(features, given, len(SLOTS), 6)
    told = []
    for order in ([[0, 1, 2, 3, 4]], [[4, 0], [2, 1, 3]], [[3], [1], [0], [4], [2]]):
        decoder = topic.decoder(features, BOTH, given)
        for rows in order:
            decoder.take(np.array(rows), {name: one[rows] for name, one in outputs.items()})
        told.append([(one.id, one.label) for one in decoder.predictions()])
    assert told[0] == told[1] == told[2]
    assert [name for name, _ in told[0]] == ["inn", "taxi"]
    for (_, states), example in zip(told[0], BOTH, strict=True):
        for state, gold in zip(states, users(example), strict=True):
            assert state == sorted(gold, key=lambda one: SLOTS.index(one.rsplit("-", 1)[0]))


def test_an_empty_or_absent_value_leaves_the_slot_out() -> None:
    named = [dialogue("none", ("none 주세요", []))]
    topic, given = head(SPEC, RECIPE, named), tokens(named)
    features = topic.encode(named, given, labels=False)
    end = given.single.parts[1][0]
    gates = np.zeros((1, len(SLOTS)), dtype=int)
    gates[0, :2] = PTR
    values = np.full((1, len(SLOTS), 6), end)
    written = given.tokenizer("none", add_special_tokens=False)["input_ids"]
    values[0, 1, : len(written)] = written
    decoder = topic.decoder(features, named, given)
    decoder.take(np.array([0]), {"gates": gates, "values": values})
    assert decoder.predictions()[0].label == [[]]


def test_an_unknown_value_is_spelt_as_in_the_turns_so_far() -> None:
    towers = [dialogue("t", ("N탑 이요", []), "네", ("N 탑 말고 N  탑", []))]
    topic, given = head(SPEC, RECIPE, towers), tokens(towers)
    features = topic.encode(towers, given, labels=False)
    ids = given.tokenizer("N 탑", add_special_tokens=False)["input_ids"]
    gates, values = np.zeros((2, len(SLOTS)), dtype=int), np.zeros((2, len(SLOTS), 6), dtype=int)
    gates[:, 0] = PTR
    values[:, 0] = [*ids, *[given.single.parts[1][0]] * 6][:6]
    decoder = topic.decoder(features, towers, given)
    decoder.take(np.array([1, 0]), {"gates": gates, "values": values})
    assert decoder.predictions()[0].label == [["숙소-이름-N탑"], ["숙소-이름-N  탑"]]


def test_two_dialogues_are_learnt_by_heart_with_all_five_gates() -> None:
    topic, given = head(SPEC, RECIPE, BOTH), tokens()
    network = fit(topic, BOTH, given)
    plain = [without_states(one) for one in BOTH]
    topic.check(plain, labels=False)
    features = topic.encode(plain, given, labels=False)
    decoder = topic.decoder(features, plain, given)
    found = predict(network, features, decoder, pad=given.pad, size=2, device="cpu")
    assert [[set(state) for state in one.label] for one in found] == [
        [set(state) for state in users(one)] for one in BOTH
    ]
    text = " ".join(" ".join(state) for one in found for state in one.label)
    assert all(value in text for value in ("yes", "no", "dontcare", "10:30", "구름 여관"))


def test_a_name_that_was_never_a_target_is_copied() -> None:
    slots = tuple(slot for slot in SPEC.slots if slot.id == "숙소-이름")
    spec = SPEC.model_copy(update={"slots": slots})
    letters = "가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허고노도로모보소오조초"
    named = [
        dialogue(str(i), (f"{'네 ' * (i % 3)}여관 {letter} 예약", [f"숙소-이름-{letter}"]))
        for i, letter in enumerate(letters)
    ]
    known, new = named[:28], named[28:]
    given = tokens(named)
    topic = head(spec, RECIPE, known)
    network = fit(topic, known, given, copy=True)
    features = topic.encode(new, given, labels=False)
    found = predict(
        network, features, topic.decoder(features, new, given), pad=given.pad, size=4, device="cpu"
    )
    right = sum(one.label == users(example) for one, example in zip(found, new, strict=True))
    seen = set(topic.encode(known, given, labels=True).tokens.values.tolist())
    assert not seen & {int(given.ids([letter])[0][0]) for letter in letters[28:]}
    assert right > len(new) / 2  # of the five tokens of a history one is right


def test_known_values_are_those_of_spec_and_train_the_most_frequent_first() -> None:
    more = dialogue("more", ("네", ["숙소-지역-서울 서쪽", "숙소-이름-구름여관"]))
    found = known_values(SPEC, [more, *BOTH, INN])
    area = next(slot for slot in SPEC.slots if slot.id == "숙소-지역").values
    assert found["숙소-지역"][:2] == ("서울 북쪽", "서울 서쪽")  # four times, once
    assert sorted(found["숙소-지역"]) == sorted(set(area) - {"dontcare"})
    assert found["숙소-이름"] == ("구름 여관", "구름여관")
    assert KnownValues(found, tokens(), 6).find("숙소-이름", "구름여 관") == "구름 여관"
    assert found["숙소-주차 가능"] == ()
    assert list(found) == SLOTS
    settings = [head(SPEC, RECIPE, order).settings for order in ([INN, TAXI], [TAXI, INN])]
    assert settings[0] == settings[1]
    assert settings[0]["slots"] == SLOTS


VALUES = ("10:30", "N 탑", "달빛 식당 (본관)", "까페 é")
KNOWN = KnownValues({"숙소-이름": VALUES}, tokens([dialogue("v", (" ".join(VALUES), []))]), 50)


@drawn(st.sampled_from(VALUES), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]), st.data())
def test_known_values_are_found_in_any_spacing_case_and_form(
    value: str, form: Any, data: st.DataObject
) -> None:
    cased = data.draw(st.sampled_from([str.lower, str.upper, str.title]))(value)
    blanks = data.draw(st.lists(st.sampled_from(["", " ", "\t"]), min_size=20, max_size=20))
    letters = cased.replace(" ", "")
    text = "".join(letter + blank for letter, blank in zip(letters, blanks, strict=False))
    assert KNOWN.find("숙소-이름", unicodedata.normalize(form, text)) == value
    assert KNOWN.find("숙소-이름", text + "가") is None


@pytest.mark.parametrize(
    ("text", "history", "expected"),
    [
        ("n 탑", ["N탑 말고", "네 N 탑 이요"], "N 탑"),
        ("n 탑", ["네 N 탑 이요", "N탑 말고"], "N탑"),  # the latest turn
        ("달빛 ( 본관 )", ["달빛 (본관)에서요"], "달빛 (본관)"),
        ("10 : 30", ["열 시 반"], "10:30"),
        ("A : B", ["네"], "A : B"),
        ("", ["네"], ""),
        ("Ⅳ관", ["iv관이요"], "iv관"),  # one letter that is two without its form
    ],
)
def test_unknown_values_are_taken_from_the_history(
    text: str, history: list[str], expected: str
) -> None:
    assert match_history(text, history) == expected


def broken(change: Callable[[dict[str, Any]], Any]) -> Example:
    turns = [dict(turn) for turn in INN.label["turns"]]
    label = {"turns": turns}
    change(label)
    return Example("d7", "made", {}, label)


def states(*given: str) -> Callable[[dict[str, Any]], Any]:
    return lambda label: label["turns"][2].update(state=list(given))


@pytest.mark.parametrize(
    ("change", "said", "labels"),
    [
        (lambda label: label["turns"].clear(), "no turns", False),
        (lambda label: label.pop("turns"), "no turns", False),
        (lambda label: label["turns"].pop(0), "first turn", False),
        (lambda label: label["turns"][1].update(role="agent"), "turn 2 needs a role", False),
        (lambda label: label["turns"][1].pop("text"), "turn 2 needs a role", False),
        (lambda label: label["turns"][2].pop("state"), "turn 3: the state is null", True),
        (states("숙소-날씨-맑음"), "turn 3: the slot is a text of 5 characters; allowed", True),
        (states("숙소-주소-산 1"), "the slot is a text of 5 characters; allowed", True),
        (states("숙소-이름- "), "turn 3: a slot-value is a text of 7 characters", True),
        (states("숙소-이름-none"), "`none` is no value of '숙소-이름'", True),
        (states("숙소-이름"), "turn 3: a slot-value is a text of 5 characters", True),
        (states("숙소-이름-가", "숙소-이름-나"), "'숙소-이름' is there twice", True),
    ],
)
def test_check_names_the_example_and_what_is_wrong(
    change: Callable[[dict[str, Any]], Any], said: str, labels: bool
) -> None:
    topic = head(SPEC, RECIPE, BOTH)
    topic.check(BOTH, labels=True)
    with pytest.raises(InputError, match=said) as caught:
        topic.check([*BOTH, broken(change)], labels=labels)
    assert "d7: " in str(caught.value)
    if labels:
        topic.check([broken(change)], labels=False)


def test_check_refuses_a_recipe_without_room_for_a_turn() -> None:
    with pytest.raises(InputError, match="max_length 12"):
        head(SPEC, RECIPE.model_copy(update={"max_length": 12}), BOTH).check(BOTH, labels=True)


def official(data_dir: Path) -> list[Example]:
    items = read_official("dst", data_dir / "klue" / "wos-v1.1_dev_first700.json").items
    return [Example(one["item"], "wos", {}, parsed(one["gold"])) for one in items.to_pylist()]


def test_gold_of_wizard_of_seoul_comes_back_whole(data_dir: Path) -> None:
    ranked = sorted(official(data_dir), key=lambda one: draw(0, "test", one.id))
    dev, train = ranked[:100], ranked[100:]
    recipe = RECIPE.model_copy(update={"max_length": 510, "value_length": 20})
    topic = head(SPEC, recipe, train)
    topic.check(ranked, labels=True)
    given = tokens(train, size=4_000)
    features = topic.encode(dev, given, labels=True)
    decoder = topic.decoder(features, dev, given)
    decoder.take(np.arange(len(features)), outputs_of(features, given, len(SLOTS), 20))
    golds = [[set(state) for state in users(one)] for one in dev]
    found = [[set(state) for state in one.label] for one in decoder.predictions()]
    assert plain(jga_measure)(golds, found) > 99.5
