"""Answers through tokens and windows and back; the best span against a search through all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from made_tokens import LETTERS, bert, letters, roberta
from training import tiny

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.official.files import read_official
from pipeline.contracts.official.tables import rows_of
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.tasks.mrc.head import head
from pipeline.tasks.mrc.head.answers import NEVER, NULL, best_ahead
from pipeline.training.batches import batch_of
from pipeline.training.features import Features
from pipeline.training.head import Head
from pipeline.training.recipe import Recipe, recipe_of
from pipeline.training.tokens import Tokens

SPEC = load_spec("mrc")
PASSAGE = "하늘시 도서관은 다음 달 1일 문을 연다. 김하늘 관장은 새 책 5만 권을 들였다고 밝혔다."


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> None:
    torch.set_num_threads(1)


def made(**given_: Any) -> Head:
    numbers = {"max_length": 128, "stride": 16, "question_length": 16, "answer_length": 30}
    recipe = Recipe(learning_rate=1e-3, batch_size=2, epochs=1, **{**numbers, **given_})
    return head(SPEC, recipe, [])


def asked(
    context: str, *answers: tuple[int, str], question: str = "언제 여나?", id_: str = "e"
) -> Example:
    given_ = [{"start": start, "text": text} for start, text in answers]
    kind = 1 if answers else 3
    plausible = [] if answers else [{"start": 0, "text": context[:1]}]
    label = {
        "question": question, "type": kind, "answers": given_, "plausible_answers": plausible
    }  # fmt: skip
    return Example(id_, "made", {"title": "", "context": context}, label)


def at(context: str, text: str, nth: int = 0) -> tuple[int, str]:
    start = -1
    for _ in range(nth + 1):
        start = context.index(text, start + 1)
    return start, text


def closed(features: Features, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    allowed = features.columns["allowed"].pad(rows, 0)  # type: ignore[union-attr]
    return np.where(allowed == 1, 0.0, NEVER).astype(np.float32)


def sure(features: Features, rows: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Return logits that say the targets."""
    outputs = {}
    for name in ("start", "end"):
        logits = closed(features, rows)
        logits[np.arange(len(rows)), features.columns[f"target_{name}"][rows]] = 10
        outputs[f"{name}_logits"] = logits
    return outputs


def back(
    examples: Sequence[Example], tokens: Tokens, how: Head, *, size: int = 16
) -> list[Prediction]:
    features = how.encode(examples, tokens, labels=True)
    decoder = how.decoder(features, examples, tokens)
    for begin in range(0, len(features), size):
        rows = np.arange(begin, min(begin + size, len(features)))
        decoder.take(rows, sure(features, rows))
    return decoder.predictions()


def test_an_input_is_a_question_and_a_passage_in_the_frame() -> None:
    tokens = bert()
    features = made().encode([asked(PASSAGE)], tokens, labels=False)
    both = tokens.tokenizer("언제 여나?", PASSAGE, return_token_type_ids=True)
    assert features.tokens[0].tolist() == both["input_ids"]
    assert features.segments is not None
    assert features.segments[0].tolist() == both["token_type_ids"]
    assert set(features.columns) == {"allowed"}
    # [CLS] and the passage may be ends of an answer; the question and [SEP] may not.
    own = [int(kind == 1) for kind in both["token_type_ids"]]
    assert features.columns["allowed"][0].tolist() == [1, *own[1:-1], 0]  # type: ignore[index]


def test_the_frame_of_another_tokenizer() -> None:
    tokens = roberta()
    features = made().encode([asked(PASSAGE)], tokens, labels=False)
    assert features.tokens[0].tolist() == tokens.tokenizer("언제 여나?", PASSAGE)["input_ids"]
    assert features.segments is None


def test_targets_are_the_tokens_of_the_answer_or_cls() -> None:
    tokens = letters()
    answer = at(PASSAGE, "다음 달 1일")
    features = made().encode([asked(PASSAGE, answer), asked(PASSAGE)], tokens, labels=True)
    front = 1 + len("언제여나?") + 1
    before = len(PASSAGE[: answer[0]].replace(" ", ""))
    assert features.columns["target_start"].tolist() == [front + before, NULL]  # type: ignore[union-attr]
    assert features.columns["target_end"].tolist() == [front + before + 4, NULL]  # type: ignore[union-attr]


def test_plausible_answers_are_never_learnt() -> None:
    with_, without = asked(PASSAGE), asked(PASSAGE)
    without = replace(without, label={**without.label, "plausible_answers": []})
    first, second = (made().encode([one], letters(), labels=True) for one in (with_, without))
    for name in ("target_start", "target_end"):
        assert first.columns[name].tolist() == second.columns[name].tolist() == [NULL]  # type: ignore[union-attr]


def test_the_first_answer_counts_and_its_own_place() -> None:
    context = "문 하나, 문 둘, 문 셋"
    for nth in range(3):
        answers = [at(context, "문", nth), at(context, "하나")]
        features = made().encode([asked(context, *answers)], letters(), labels=True)
        token = int(features.columns["target_start"][0]) - (1 + 5 + 1)  # type: ignore[index]
        assert token == len(context[: answers[0][0]].replace(" ", ""))


def test_answers_in_later_windows_and_across_their_borders() -> None:
    context = "".join(chr(ord("가") + n) for n in range(100))
    how = made(max_length=36, stride=12, question_length=8, answer_length=12)
    examples = [
        asked(
            context, (start, context[start : start + size]), question="무엇?", id_=f"{start}-{size}"
        )
        for size in (1, 5, 12)
        for start in range(101 - size)
    ]
    features = how.encode(examples, letters(), labels=True)
    assert len(features) == 5 * len(examples)
    # No answer is longer than what windows share, so that each lies in one wholly.
    assert not features.notes
    assert [p.label for p in back(examples, letters(), how)] == [
        one.label["answers"][0]["text"] for one in examples
    ]


def test_a_window_learns_the_first_answer_that_it_holds_wholly() -> None:
    context = "".join(chr(ord("가") + n) for n in range(40))
    how = made(max_length=25, stride=4, question_length=8)
    # 19 tokens of the passage a window: 0..19, 15..34, 21..40.
    one = asked(
        context,
        (30, context[30:36]),
        (17, context[17:23]),
        (2, context[2:4]),
        question="무엇?",
    )
    features = how.encode([one], letters(), labels=True)
    front = 1 + 3 + 1
    assert features.columns["target_start"].tolist() == [front + 2, front + 2, front + 9]  # type: ignore[union-attr]
    assert features.columns["target_end"].tolist() == [front + 3, front + 7, front + 14]  # type: ignore[union-attr]


def test_an_answer_that_no_window_holds_is_told() -> None:
    context = "".join(chr(ord("가") + n) for n in range(60))
    how = made(max_length=25, stride=4, question_length=8)
    one = asked(context, (10, context[10:40]), question="무엇?")
    features = how.encode([one, asked(PASSAGE, at(PASSAGE, "1일"))], letters(), labels=True)
    assert features.notes == (
        "1 of 2 questions with an answer is learnt as if it had none: no window holds an answer"
        " as a whole",
    )


def test_long_questions_are_cut_and_told() -> None:
    how = made(question_length=4)
    examples = [asked(PASSAGE, at(PASSAGE, "1일")), asked(PASSAGE, question="언제?")]
    features = how.encode(examples, letters(), labels=True)
    own = letters().ids(["언제여나", "언제?"])
    assert [features.tokens[row][1 : 1 + n].tolist() for row, n in ((0, 4), (1, 3))] == [
        own[0].tolist(),
        own[1].tolist(),
    ]
    assert features.notes == ("1 of 2 questions is cut at 4 tokens",)
    assert back(examples, letters(), how)[0].label == "1일"


def test_a_passage_shorter_than_the_overlap_is_one_window() -> None:
    one = asked("문을 연다", (0, "문을"))
    features = made(stride=64, max_length=128).encode([one], letters(), labels=True)
    assert len(features) == 1
    assert back([one], letters(), made(stride=64))[0].label == "문을"


@st.composite
def odd(draw: st.DrawFn) -> Example:
    """Return an odd passage with up to three answers that begin and end with letters."""
    context = draw(st.text(LETTERS, min_size=1, max_size=60).filter(str.strip))
    solid = [place for place, letter in enumerate(context) if not letter.isspace()]
    ends = draw(st.lists(st.tuples(*[st.sampled_from(solid)] * 2), max_size=3))
    spans = dict.fromkeys((min(pair), max(pair) + 1) for pair in ends)
    return asked(context, *((start, context[start:end]) for start, end in spans))


@given(st.lists(odd(), min_size=1, max_size=4))
def test_letter_by_letter_every_first_answer_comes_back(examples: list[Example]) -> None:
    examples = [replace(one, id=f"e{n}") for n, one in enumerate(examples)]
    how = made(answer_length=60)
    assert [p.label for p in back(examples, letters(), how)] == [
        next((a["text"] for a in one.label["answers"]), "") for one in examples
    ]


@pytest.mark.parametrize("tokens", [bert(), roberta()])
@given(odd())
def test_any_tokenizer_gives_back_a_part_of_the_passage_around_the_answer(
    tokens: Tokens, one: Example
) -> None:
    how = made(max_length=512, answer_length=400)
    (predicted,) = back([one], tokens, how)
    assert predicted.label in one.fields["context"]
    assert predicted.label == predicted.label.strip()
    encoded = tokens.fast.encode(one.fields["context"], add_special_tokens=False)
    covered = {place for pair in encoded.offsets for place in range(*pair)}
    for answer in one.label["answers"][:1]:
        ends = {answer["start"], answer["start"] + len(answer["text"]) - 1}
        if ends <= covered:
            assert answer["text"] in predicted.label
            edges = ends | {max(ends) + 1}
            if not any(start < edge < end for start, end in encoded.offsets for edge in edges):
                assert predicted.label == answer["text"]


def brute(start: Any, end: Any, longest: int) -> tuple[float, int, int]:
    """Return the best span of a row without [CLS]: of equal ones the first, the shortest."""
    spans = [
        (-float(start[i]) - float(end[j]), i, j)
        for i in range(1, len(start))
        for j in range(i, min(i + longest, len(start)))
    ]
    score, i, j = min(spans)
    return -score, i, j


@given(seed=st.integers(0, 2**32 - 1), longest=st.integers(1, 12), whole=st.booleans())
def test_the_best_span_is_that_of_a_search_through_all(
    seed: int, longest: int, whole: bool
) -> None:
    context = "".join(chr(ord("가") + n) for n in range(30))
    how = made(max_length=23, stride=6, question_length=8, answer_length=longest)
    examples = [asked(context, question="무엇?", id_="a"), asked(context[:9], id_="b")]
    features = how.encode(examples, letters(), labels=False)
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(features))
    logits = [closed(features, rows) for _ in range(2)]
    for one in logits:
        noise = rng.integers(-2, 3, one.shape) if whole else rng.normal(size=one.shape)
        one[one == 0] = noise[one == 0]
        one[:, NULL] += rng.integers(-1, 3)
    decoder = how.decoder(features, examples, letters())
    for part in np.array_split(np.arange(len(rows)), 2):
        decoder.take(rows[part], {"start_logits": logits[0][part], "end_logits": logits[1][part]})
    wanted = []
    for number, one in enumerate(examples):
        mine = sorted((row, at_) for at_, row in enumerate(rows) if features.owners[row] == number)
        null = min(float(logits[0][at_, NULL]) + float(logits[1][at_, NULL]) for _, at_ in mine)
        found = [(brute(logits[0][at_], logits[1][at_], longest), row) for row, at_ in mine]
        (score, i, j), row = max(found, key=lambda pair: (pair[0][0], -pair[1]))
        shift = int(features.beside["token"][row]) - (0 if number == 0 else len(context))
        text = one.fields["context"][shift + i : shift + j + 1]
        wanted.append("" if null > score else text)
    assert [p.label for p in decoder.predictions()] == wanted


def test_no_answer_is_said_only_where_every_window_is_surer_of_it() -> None:
    context = "".join(chr(ord("가") + n) for n in range(30))
    how = made(max_length=23, stride=6, question_length=8)
    one = asked(context, question="무엇?")
    features = how.encode([one], letters(), labels=False)
    rows = np.arange(len(features))
    for nulls, said in (([9, 9, 9], ""), ([9, 1, 9], context[0]), ([2, 9, 9], context[0])):
        start, end = closed(features, rows), closed(features, rows)
        start[:, NULL] = nulls
        start[0, 5] = 2  # the first token of the passage
        decoder = how.decoder(features, [one], letters())
        decoder.take(rows, {"start_logits": start, "end_logits": end})
        assert decoder.predictions()[0].label == said


def test_best_ahead_looks_so_far() -> None:
    where, best = best_ahead(np.array([[1.0, 3.0, 3.0, 0.0, 5.0]]), 3)
    assert best.tolist() == [[3.0, 3.0, 5.0, 5.0, 5.0]]
    assert where.tolist() == [[1, 0, 2, 1, 0]]


def test_a_passage_without_a_token_has_no_answer() -> None:
    class Deaf(Tokens):
        def encode(self, texts: Sequence[str]) -> Any:
            return super().encode([""] * len(texts))

    tokens = Deaf(letters().tokenizer)
    assert back([asked("문을 연다", (0, "문을"))], tokens, made())[0].label == ""


def test_equal_passages_and_questions_are_read_once() -> None:
    class Counting(Tokens):
        texts: list[str] = []  # noqa: RUF012

        def encode(self, texts: Sequence[str]) -> Any:
            self.texts.extend(texts)
            return super().encode(texts)

    examples = [asked(PASSAGE, id_="a"), asked("짧은 글", id_="b"), asked(PASSAGE, id_="c")]
    made().encode(examples, Counting(letters().tokenizer), labels=True)
    assert Counting.texts == [PASSAGE, "짧은 글"]


GOOD = asked(PASSAGE, at(PASSAGE, "1일"))


def changed(**label: Any) -> Example:
    return Example("bad", "made", GOOD.fields, {**GOOD.label, **label})


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (asked(" \n", id_="bad"), "bad"),
        (changed(question=" "), "bad: question: a text that is not blank"),
        (changed(question=None), "bad: question: .* not null"),
        (Example("bad", "made", GOOD.fields, None), "bad: question"),
        (changed(answers=None), "bad: answers: a list is wanted, not null"),
        (changed(answers=[]), "bad: answers: a question of type 1 has 0 answers"),
        (changed(type=3), "bad: answers: a question of type 3 has 1 answer"),
        (changed(answers=[{"start": 0, "text": ""}]), "bad: answers: number 1 has a blank text"),
        (changed(answers=["1일"]), "number 1 is no object with start and text"),
        (
            changed(answers=[GOOD.label["answers"][0], {"start": 3, "text": "1일"}]),
            "bad: answers: number 2 does not stand at 3 in the context of 51 characters",
        ),
        (changed(answers=[{"start": -2, "text": "1일"}]), "number 1 does not stand at -2"),
        (changed(answers=[{"start": 1.0, "text": "1일"}]), "number 1 does not stand at 1.0"),
    ],
)
def test_what_cannot_be_learnt_is_refused_by_name(one: Example, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        made().check([GOOD, one], labels=True)
    assert "1일" not in str(error.value)


def test_answers_are_looked_at_only_where_they_are_learnt() -> None:
    made().check([changed(answers=None), asked("글", id_="t")], labels=False)
    made().check([changed(type=None), changed(type=None, answers=[])], labels=True)
    with pytest.raises(InputError, match="bad: question"):
        made().check([changed(question="")], labels=False)


def test_numbers_that_leave_no_room_are_refused_before_anything_is_loaded() -> None:
    # 16 of the question and 3 special tokens; windows share 16.
    made(max_length=36).check([GOOD], labels=True)
    with pytest.raises(InputError, match=r"leaves 16 .* above 35, or lower stride below 16"):
        made(max_length=35).check([GOOD], labels=True)
    # roberta puts four.
    with pytest.raises(InputError, match=r"leaves 16 .* above 36"):
        made(max_length=36).encode([GOOD], roberta(), labels=True)


def test_a_passage_of_too_many_windows_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="long: a text of 3000 tokens makes"):
        made(max_length=36).encode([GOOD, asked("가" * 3000, id_="long")], letters(), labels=False)


def test_a_tokenizer_without_a_place_for_no_answer_is_refused() -> None:
    tokens = roberta()
    tokens.fast.post_processor = None
    with pytest.raises(InputError, match="no special token before two texts"):
        made().encode([GOOD], tokens, labels=True)


def test_the_loss_is_the_mean_of_both_ends_over_the_places_allowed() -> None:
    tokens, how = bert(), made()
    features = how.encode([GOOD, asked("새 책 5만 권", id_="b")], tokens, labels=True)
    network = how.network(tiny.body(how.auto, tokens)).eval()
    batch = batch_of(features, np.arange(2), pad=tokens.pad)
    outputs = network(batch)
    lost = []
    for name in ("start", "end"):
        logits = outputs[f"{name}_logits"]
        assert logits.dtype == torch.float32
        assert (logits[batch["allowed"] == 0] == NEVER).all()
        for row, target in enumerate(batch[f"target_{name}"]):
            mine = logits[row].detach().double()[batch["allowed"][row] == 1].exp()
            lost.append(float(mine.sum().log() - logits[row, target].detach()))
    assert float(outputs["loss"].detach()) == pytest.approx(np.mean(lost), rel=1e-5)
    plain = {name: one for name, one in batch.items() if not name.startswith("target")}
    assert set(network(plain)) == {"start_logits", "end_logits"}


def test_no_answer_ends_in_the_padding_the_question_or_a_blank() -> None:
    # roberta has a token for each of these blanks, and three for the letter that it does not know.
    tokens, how = roberta(), made()
    examples = [asked("새 \t\n 龍"), asked(PASSAGE)]
    features = how.encode(examples, tokens, labels=False)
    network = how.network(tiny.body(how.auto, tokens)).eval()
    outputs = network(batch_of(features, np.arange(2), pad=tokens.pad))
    encoded = tokens.tokenizer(
        "언제 여나?", examples[0].fields["context"], return_offsets_mapping=True
    )
    text, blanks = examples[0].fields["context"], 0
    for name in ("start", "end"):
        logits = outputs[f"{name}_logits"][0].tolist()
        for place, (part, (start, end)) in enumerate(
            zip(encoded.sequence_ids(), encoded["offset_mapping"], strict=True)
        ):
            blanks += part == 1 and not text[start:end].strip()
            open_ = place == NULL or (part == 1 and bool(text[start:end].strip()))
            assert (logits[place] > NEVER) == open_
        padding = logits[len(encoded["input_ids"]) :]
        assert padding
        assert set(padding) == {NEVER}
    assert blanks


def test_it_learns_where_answers_stand() -> None:
    tokens, how = letters(), made()
    examples = [
        asked(PASSAGE, at(PASSAGE, "1일"), question="며칠에 여나?", id_="a"),
        asked(PASSAGE, at(PASSAGE, "김하늘"), question="누가 관장?", id_="b"),
        asked(PASSAGE, question="값은 얼마?", id_="c"),
    ]
    features = how.encode(examples, tokens, labels=True)
    network = how.network(tiny.body(how.auto, tokens))
    batch = batch_of(features, np.arange(3), pad=tokens.pad)
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-2)
    first = float(network(batch)["loss"].detach())
    for _ in range(80):
        loss = network(batch)["loss"]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert float(loss.detach()) < first / 4
    outputs = network.eval()(batch)
    decoder = how.decoder(features, examples, tokens)
    decoder.take(np.arange(3), {k: v.detach().numpy() for k, v in outputs.items() if k != "loss"})
    assert [p.label for p in decoder.predictions()] == ["1일", "김하늘", ""]


@pytest.fixture(scope="module")
def real(data_dir: Path) -> list[Example]:
    official = read_official("mrc", data_dir / "klue" / "klue-mrc-v1.1_dev_first1350.json")
    every_third = list(rows_of(official))[::3]
    return [Example(row.item, "real", row.fields, row.gold) for row in every_third]


@pytest.mark.thin(2)
@pytest.mark.parametrize(("apart", "least"), [(" ", 0.98), ("", 0.8)])
def test_answers_of_real_questions_come_back_where_tokens_allow(
    real: list[Example], apart: str, least: float
) -> None:
    tokens = tiny.tokens([apart.join(one.fields["context"]) for one in real], size=12_000)
    how = head(SPEC, recipe_of("mrc"), real)
    how.check(real, labels=True)
    right = 0
    for one, predicted in zip(real, back(real, tokens, how), strict=True):
        answers = one.label["answers"]
        if not answers:
            assert predicted.label == ""
            right += 1
            continue
        start, text = answers[0]["start"], answers[0]["text"]
        encoded = tokens.fast.encode(one.fields["context"], add_special_tokens=False)
        inside = [p for p in encoded.offsets if p[1] > start and p[0] < start + len(text)]
        if len(inside) > recipe_of("mrc").answer_length:
            continue
        assert predicted.label == one.fields["context"][inside[0][0] : inside[-1][1]]
        right += predicted.label == text
    # A token a letter loses answers that are too long; longer pieces hold particles.
    assert right / len(real) >= least
