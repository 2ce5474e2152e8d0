"""Markers of entities: where they are, and what stays of long sentences."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch", reason="the optional part `train` is not installed")
pytest.importorskip("transformers", reason="the optional part `train` is not installed")

from training.heads.made_inputs import entity, examples, head_of, made, with_marks
from training.heads.made_tokens import SPECIAL, TEXTS, bert, letters, odd_texts, roberta

from pipeline.contracts.example import Example
from pipeline.contracts.official.files import read_official
from pipeline.contracts.official.tables import rows_of
from pipeline.core.errors import InputError
from pipeline.tasks.re.head import MARKERS
from pipeline.training.tokens import Tokens

KINDS = {"bert": bert(), "roberta": roberta(), "letters": letters()}
for known in KINDS.values():
    known.add(MARKERS)
every_kind = pytest.mark.parametrize("kind", sorted(KINDS))
SENTENCE = "하늘시도서관문다"
SPANS = list(combinations(range(len(SENTENCE) + 1), 2))


def example(sentence: str, subject: tuple[int, int], object_: tuple[int, int]) -> Example:
    sides = {"subject": entity(sentence, *subject), "object": entity(sentence, *object_)}
    return made("re", 0, {"sentence": sentence, **sides})


def encoded(given_: list[Example], tokens: Tokens, length: int = 256) -> list[list[str]]:
    """Return the tokens of inputs, without the frame, as the vocabulary writes them."""
    head = head_of("re", max_length=length)
    head.check(given_, labels=False)
    before, after = (len(some) for some in tokens.single.parts)
    found = head.encode(given_, tokens, labels=False).tokens
    names = tokens.tokenizer.convert_ids_to_tokens
    return [names(row.tolist())[before : len(row) - after] for row in found]


def between(row: list[str], opens: str, closes: str) -> list[str]:
    """Return what stands between two markers, without other markers."""
    assert row.count(opens) == row.count(closes) == 1
    inside = row[row.index(opens) + 1 : row.index(closes)]
    return [one for one in inside if one not in MARKERS]


def test_every_pair_of_spans_is_marked() -> None:
    """Side by side, adjacent, inside, overlapping, equal; at both ends: all of them."""
    tokens = KINDS["letters"]
    pairs = list(product(SPANS, SPANS))
    rows = encoded([example(SENTENCE, *pair) for pair in pairs], tokens)
    for (subject, object_), row in zip(pairs, rows, strict=True):
        assert "".join(between(row, "<subj>", "</subj>")) == SENTENCE[slice(*subject)]
        assert "".join(between(row, "<obj>", "</obj>")) == SENTENCE[slice(*object_)]
        assert "".join(one for one in row if one not in MARKERS) == SENTENCE
        if not partial(subject, object_):
            assert nested(row), (subject, object_)


def partial(one: tuple[int, int], two: tuple[int, int]) -> bool:
    return one[0] < two[0] < one[1] < two[1] or two[0] < one[0] < two[1] < one[1]


def nested(row: list[str]) -> bool:
    """Tell whether markers are closed in the order in which they were opened last."""
    opened = []
    for one in row:
        if one in MARKERS[::2]:
            opened.append(one)
        elif one in MARKERS and opened.pop() != one.replace("/", ""):
            return False
    return not opened


@pytest.mark.parametrize(
    ("subject", "object_", "want"),
    [
        ((0, 2), (3, 6), "<subj>하늘</subj>시<obj>도서관</obj>문다"),
        ((6, 8), (0, 6), "<obj>하늘시도서관</obj><subj>문다</subj>"),  # adjacent, at both ends
        ((2, 3), (0, 3), "<obj>하늘<subj>시</subj></obj>도서관문다"),  # inside, same end
        ((0, 3), (0, 2), "<subj><obj>하늘</obj>시</subj>도서관문다"),  # around, same start
        ((0, 4), (2, 6), "<subj>하늘<obj>시도</subj>서관</obj>문다"),  # overlapping
        ((1, 2), (1, 2), "하<subj><obj>늘</obj></subj>시도서관문다"),  # the same
    ],
)
def test_marked_sentences_by_hand(
    subject: tuple[int, int], object_: tuple[int, int], want: str
) -> None:
    (row,) = encoded([example(SENTENCE, subject, object_)], KINDS["letters"])
    assert "".join(row) == want


@every_kind
@given(text=st.one_of(odd_texts(), st.sampled_from(TEXTS)), data=st.data())
def test_entities_are_their_own_tokens_and_nothing_else_is_a_marker(
    kind: str, text: str, data: st.DataObject
) -> None:
    tokens, text = KINDS[kind], text if text.strip() else "하늘시 <subj>"
    spans = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    subject, object_ = (data.draw(spans.filter(lambda s: s[0] < s[1])) for _ in range(2))
    (row,) = encoded([example(text, tuple(subject), tuple(object_))], tokens, 512)
    names = tokens.tokenizer.convert_ids_to_tokens
    edges = sorted({0, *subject, *object_, len(text)})
    pieces = {(a, b): tokens.ids([text[a:b]])[0].tolist() for a, b in pairwise(edges)}
    for (start, end), (opens, closes) in zip(
        (subject, object_), (MARKERS[:2], MARKERS[2:]), strict=True
    ):
        want = [one for (a, b), ids in pieces.items() if start <= a and b <= end for one in ids]
        assert between(row, opens, closes) == names(want)
    assert [one for one in row if one not in MARKERS] == names(
        [one for ids in pieces.values() for one in ids]
    )


@pytest.mark.parametrize("name", SPECIAL)
@every_kind
def test_a_marker_written_in_a_sentence_is_letters(kind: str, name: str) -> None:
    tokens, sentence = KINDS[kind], f"{name}하늘{name} 문{name}"
    start = sentence.index("문")
    given_ = example(sentence, (len(name), len(name) + 2), (start, start + 1))
    (row,) = encoded([given_], tokens)
    assert [row.count(marker) for marker in MARKERS] == [1, 1, 1, 1]
    special = {"[SEP]", "[CLS]", "[PAD]", "<s>", "</s>"}
    assert not special & set(row)


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_as_the_tokenizer_reads_marked_text(kind: str) -> None:
    """Where nobody wrote a marker, the text with markers put in gives the same ids."""
    tokens = KINDS[kind]
    given_ = examples("re")
    found = head_of("re").encode(given_, tokens, labels=True).tokens
    texts = [with_marks(one.fields) for one in given_]
    want = tokens.tokenizer(texts, split_special_tokens=False)["input_ids"]
    assert [row.tolist() for row in found] == want


def distance(at: int, row: list[str]) -> tuple[bool, int]:
    """Return whether a token is around both entities, and its distance to the nearest one."""
    places = [row.index(marker) for marker in MARKERS]
    entities = (places[:2], places[2:])
    away = min(max(start - at, at - end, 0) for start, end in entities)
    return not min(places) <= at <= max(places), away


@given(
    subject=st.sampled_from(SPANS),
    object_=st.sampled_from(SPANS),
    around=st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30)),
    length=st.integers(8, 40),
)
def test_long_sentences_keep_both_entities_and_the_nearest_tokens(
    subject: tuple[int, int], object_: tuple[int, int], around: tuple[int, int, int], length: int
) -> None:
    left, middle, right = ("1" * many for many in around)
    sentence = left + SENTENCE + middle + SENTENCE + right
    far = len(left + SENTENCE + middle)
    one = (subject[0] + len(left), subject[1] + len(left))
    given_ = example(sentence, one, (object_[0] + far, object_[1] + far))
    (whole,) = encoded([given_], KINDS["letters"], 512)
    ranks = sorted((*distance(at, whole), at) for at in range(len(whole)))
    room = length - 2
    if sum(rank[:2] == (False, 0) for rank in ranks) > room:
        with pytest.raises(InputError, match=rf"re-000.*{len(whole)} tokens.*max_length {length};"):
            encoded([given_], KINDS["letters"], length)
        return
    (row,) = encoded([given_], KINDS["letters"], length)
    kept = sorted(at for *_, at in ranks[:room])
    assert row == [whole[at] for at in kept]
    assert between(row, "<subj>", "</subj>") == between(whole, "<subj>", "</subj>")
    assert between(row, "<obj>", "</obj>") == between(whole, "<obj>", "</obj>")


@pytest.mark.parametrize(
    ("length", "want"),
    [
        (20, "새단<subj>하</subj>1259<obj>늘</obj>음달일문연장"),  # 18 tokens: all of them
        (16, "새단<subj>하</subj>1259<obj>늘</obj>음달"),
        (13, "단<subj>하</subj>1259<obj>늘</obj>"),
        (12, "<subj>하</subj>1259<obj>늘</obj>"),
        (11, "<subj>하</subj>129<obj>늘</obj>"),
        (8, "<subj>하</subj><obj>늘</obj>"),
    ],
)
def test_what_is_between_stays_longer_than_what_is_around(length: int, want: str) -> None:
    given_ = example("새단하1259늘음달일문연장", (2, 3), (7, 8))
    (row,) = encoded([given_], KINDS["letters"], length)
    assert "".join(row) == want


def test_what_was_cut_is_told_for_relations() -> None:
    given_ = [example("하늘시" + "1" * many, (0, 2), (2, 3)) for many in (3, 40, 5, 60)]
    found = head_of("re", max_length=16).encode(given_, KINDS["letters"], labels=False)
    assert found.notes == ("2 of 4 texts were cut at 16 tokens",)
    assert found.tokens.lengths.tolist() == [12, 16, 14, 16]


def test_no_sentences_at_all() -> None:
    assert len(head_of("re").encode([], KINDS["bert"], labels=True)) == 0


def test_a_tokenizer_without_markers_is_refused() -> None:
    with pytest.raises(InputError, match="lacks <subj> </subj> <obj> </obj>"):
        head_of("re").encode(examples("re"), bert(), labels=False)


GOOD = {"start": 0, "end": 2, "word": "하늘", "type": "LOC"}


@pytest.mark.parametrize("side", ["subject", "object"])
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({**GOOD, "word": "하늘시"}, "`word` is not what the sentence has from 0 to 2"),
        ({**GOOD, "start": 1, "end": 3}, "`word` is not what the sentence has from 1 to 3"),
        ({**GOOD, "end": 9, "word": SENTENCE}, "from 0 to 9 in a sentence of 8 characters"),
        ({**GOOD, "start": -8}, "from -8 to 2 in a sentence"),
        ({**GOOD, "start": 2, "word": ""}, "from 2 to 2 in a sentence"),
        ({**GOOD, "start": True}, "from true to 2, not between whole numbers"),
        ({**GOOD, "end": 2.0}, "from 0 to 2.0, not between whole numbers"),
        ({"start": 0, "end": 2}, "`word` is not what"),
        ({"word": "하늘"}, "from null to null, not between"),
        ([0, 2], "it is a list of 2 values, not an object with"),
        (None, "it is null, not an object with"),
    ],
)
def test_an_entity_that_is_not_at_its_place_is_refused(side: str, wrong: Any, message: str) -> None:
    fields = {"sentence": SENTENCE, "subject": GOOD, "object": GOOD}
    given_ = [made("re", i, fields) for i in range(4)]
    given_ += [made("re", i, {**fields, side: wrong}) for i in (4, 5)]
    with pytest.raises(InputError, match=f"re: 2 of 6 examples have a wrong `{side}`") as error:
        head_of("re").check(given_, labels=False)
    assert "the first is re-004 (" in str(error.value)
    assert message in str(error.value)
    assert "하늘" not in str(error.value)


def test_official_sentences_keep_both_entities(data_dir: Path) -> None:
    """All 3,247 official rows, at a length that cuts most of them."""
    path = data_dir / "klue" / "klue-re-v1.1_train_subset3247.csv"
    given_ = [
        Example(row.item, "official", row.fields, row.gold)
        for row in rows_of(read_official("re", path))
    ]
    head_of("re").check(given_, labels=True)
    wholes = encoded(given_, KINDS["bert"], 2_000)
    rows = encoded(given_, KINDS["bert"], 110)
    assert sum(map(len, rows)) < sum(map(len, wholes))
    for row, whole in zip(rows, wholes, strict=True):
        for pair in (MARKERS[:2], MARKERS[2:]):
            assert between(row, *pair) == between(whole, *pair)
