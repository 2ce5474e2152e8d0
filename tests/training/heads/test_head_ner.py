"""Named entities through tokens and back, whatever the tokenizer makes of a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from made_tokens import LETTERS, bert, letters, odd_texts, roberta
from seqeval.metrics import f1_score
from seqeval.scheme import IOB2
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from training import tiny
from transformers import PreTrainedTokenizerFast

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.official.files import read_official
from pipeline.contracts.official.tables import rows_of
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.sampling.tagging.registry import load
from pipeline.tasks.kinds.head import head
from pipeline.tasks.ner.official import tags
from pipeline.training.batches import batch_of, predict
from pipeline.training.features import IGNORED, Features, ragged
from pipeline.training.head import Decoder, Head, Network
from pipeline.training.heads.tagging import letters_of
from pipeline.training.recipe import Recipe
from pipeline.training.saving import save_model
from pipeline.training.tokens import Tokens

SPEC = load_spec("ner")
TYPES = ("PS", "LC", "OG", "DT", "TI", "QT")
Span = tuple[int, int, str]


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> None:
    torch.set_num_threads(1)


def words() -> Tokens:
    """Return a tokenizer that knows no word: a token between blanks, lower case, NFKC."""
    made = Tokenizer(models.WordLevel({"[UNK]": 0, "[PAD]": 1}, unk_token="[UNK]"))
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return Tokens(
        PreTrainedTokenizerFast(tokenizer_object=made, unk_token="[UNK]", pad_token="[PAD]")
    )


def made(max_length: int = 64, stride: int = 8) -> Head:
    recipe = Recipe(
        learning_rate=1e-3, batch_size=2, epochs=1, max_length=max_length, stride=stride
    )
    return head(SPEC, recipe, [])


def example(text: str, *spans: Span, id_: str = "e") -> Example:
    label = [{"start": start, "end": end, "label": kind} for start, end, kind in spans]
    return Example(id_, "made", {"text": text}, label)


def found(prediction: Prediction) -> set[Span]:
    return {(one["start"], one["end"], one["label"]) for one in prediction.label}


def gold(one: Example) -> set[Span]:
    return {(span["start"], span["end"], span["label"]) for span in one.label}


def sure(features: Features, rows: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Return logits that say the targets, and anything where there is none."""
    targets = features.columns["target"].pad(rows, IGNORED)  # type: ignore[union-attr]
    said = np.where(targets == IGNORED, np.arange(targets.shape[1]) % 13, targets)
    return {"logits": np.eye(13, dtype=np.float32)[said]}


def told(decoder: Decoder, features: Features, *, size: int = 3) -> list[Prediction]:
    for begin in range(0, len(features), size):
        rows = np.arange(begin, min(begin + size, len(features)))
        decoder.take(rows, sure(features, rows))
    return decoder.predictions()


def back(examples: Sequence[Example], tokens: Tokens, how: Head) -> list[Prediction]:
    features = how.encode(examples, tokens, labels=True)
    return told(how.decoder(features, examples, tokens), features)


@st.composite
def marked(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> Example:
    """Return a text with spans that begin and end with letters; some touch, some are of a type."""
    text = draw(texts)
    solid = [place for place, letter in enumerate(text) if not letter.isspace()]
    ends = sorted(draw(st.lists(st.sampled_from(solid), max_size=6))) if solid else []
    spans, at = [], 0
    for start, last in zip(ends[::2], ends[1::2], strict=False):
        if start >= at:
            spans.append((start, last + 1, draw(st.sampled_from(TYPES[:3]))))
            at = last + 1
    return example(text, *spans)


def owned(text: str, places: Sequence[tuple[int, int]]) -> list[set[int]]:
    """Return the letters of each token: those that no token before it covers."""
    taken: set[int] = set()
    made_ = []
    for start, end in places:
        mine = {at for at in range(start, end) if not text[at].isspace()} - taken
        taken |= mine
        made_.append(mine)
    return made_


def allowed(one: Example, places: Sequence[tuple[int, int]]) -> set[Span]:
    """Return the entities that are made of whole tokens and of what no token covers."""
    parts = [part for part in owned(one.fields["text"], places) if part]
    kept = set()
    for start, end, kind in gold(one):
        inside = set(range(start, end))
        whole = [part for part in parts if part <= inside]
        covered = set().union(*whole)
        cut = any(part & inside and not part <= inside for part in parts)
        if not cut and {start, end - 1} <= covered:
            kept.add((start, end, kind))
    return kept


def offsets(tokens: Tokens, text: str) -> list[tuple[int, int]]:
    encoded = tokens.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    return [tuple(pair) for pair in encoded["offset_mapping"]]


def test_labels_are_those_of_the_task_in_their_order() -> None:
    how = made()
    assert how.auto == "TokenClassification"
    assert how.labels == (
        *("O", "B-PS", "I-PS", "B-LC", "I-LC", "B-OG", "I-OG"),
        *("B-DT", "I-DT", "B-TI", "I-TI", "B-QT", "I-QT"),
    )


@given(marked(odd_texts()))
def test_letter_by_letter_every_span_comes_back(one: Example) -> None:
    assert [found(p) for p in back([one], letters(), made())] == [gold(one)]


@given(st.lists(marked(st.text(LETTERS, max_size=60)), min_size=1, max_size=4))
def test_every_span_comes_back_through_windows_too(examples: list[Example]) -> None:
    predicted = back(examples, letters(), made(max_length=13, stride=3))
    assert [found(p) for p in predicted] == [gold(one) for one in examples]


TOKENIZERS = {"bert": bert(), "roberta": roberta(), "words": words()}


@pytest.mark.parametrize("name", TOKENIZERS)
@given(data=st.data())
def test_spans_of_whole_tokens_come_back_from_any_tokenizer(name: str, data: st.DataObject) -> None:
    # Names of special tokens are left out: transformers finds them where Tokens does not.
    one = data.draw(marked(st.text(LETTERS, max_size=30)))
    places = offsets(TOKENIZERS[name], one.fields["text"])
    (predicted,) = back([one], TOKENIZERS[name], made())
    assert allowed(one, places) <= found(predicted)
    heads = {min(part) for part in owned(one.fields["text"], places) if part}
    carried = [span for span in gold(one) if heads & set(range(*span[:2]))]
    assert len(predicted.label) == len(carried)
    for span in predicted.label:
        text = one.fields["text"][span["start"] : span["end"]]
        assert text == text.strip() != ""


def test_a_word_unknown_to_the_tokenizer_keeps_its_place() -> None:
    one = example("뷁뷁 龍龍龍 하늘시", (0, 2, "OG"), (3, 6, "PS"), (7, 10, "LC"))
    assert found(back([one], words(), made())[0]) == gold(one)
    assert found(back([one], bert(), made())[0]) == gold(one)


def test_what_a_token_holds_decides() -> None:
    # One token a word: its first letter says the tag; an entity that begins later in it is lost.
    one = example(
        "하늘시에서 (바다군) 별빛대별빛대",
        (0, 3, "LC"),
        (7, 10, "LC"),
        (12, 15, "OG"),
        (15, 18, "OG"),
    )
    assert found(back([one], words(), made())[0]) == {(0, 5, "LC"), (12, 18, "OG")}


def test_the_first_token_of_an_entity_begins_it_wherever_the_entity_begins() -> None:
    # 에서바 | 다: the first token is outside by its first letter, so the second one begins.
    pieces = {"[UNK]": 0, "[PAD]": 1, "에서바": 2, "##다": 3}
    two = Tokenizer(models.WordPiece(pieces, unk_token="[UNK]"))
    fast = PreTrainedTokenizerFast(tokenizer_object=two, unk_token="[UNK]", pad_token="[PAD]")
    features = made().encode([example("에서바다", (2, 4, "LC"))], Tokens(fast), labels=True)
    assert features.tokens[0].tolist() == [2, 3]
    assert features.columns["target"][0].tolist() == [0, 3]  # type: ignore[index]


def test_letters_belong_to_the_first_token_that_covers_them() -> None:
    # An empty place, two bytes of one letter, a token with the blank before it, a blank alone.
    places = ragged([[(0, 0), (0, 1), (0, 1), (1, 3), (3, 4)], [(0, 1), (0, 2)]])
    made_ = letters_of(["가 나 다", "라마"], places)
    assert made_.example.tolist() == [0, 0, 1, 1]
    assert made_.place.tolist() == [0, 2, 0, 1]
    assert made_.token.tolist() == [1, 3, 5, 6]
    assert made_.first.all()


def test_tokens_without_letters_are_not_learnt() -> None:
    one = example("龍 가", (0, 1, "PS"))
    features = made().encode([one], roberta(), labels=True)
    assert features.columns["target"][0].tolist()[:4] == [IGNORED, 1, IGNORED, IGNORED]  # type: ignore[index]
    assert (features.columns["target"][0][1:-1] == IGNORED).sum() >= 2  # type: ignore[index]


def said(text: str, names: Sequence[str], how: Head) -> set[Span]:
    """Return the spans of tags, one a letter; what is almost said has a half."""
    one = example(text)
    features = how.encode([one], letters(), labels=False)
    decoder = how.decoder(features, [one], letters())
    logits = np.zeros((1, len(names) + 2, 13))
    for place, some in enumerate(names, start=1):
        for rank, name in enumerate(some.split("/")):
            logits[0, place, how.labels.index(name)] = 1 - rank / 2
    decoder.take(np.array([0]), {"logits": logits})
    return found(decoder.predictions()[0])


@pytest.mark.parametrize(
    ("names", "spans"),
    [
        ("B-PS I-PS B-PS I-PS", {(0, 2, "PS"), (2, 4, "PS")}),
        ("B-PS B-PS O B-LC", {(0, 1, "PS"), (1, 2, "PS"), (3, 4, "LC")}),
        # I- without a beginning: it begins where B- is the likelier second choice ...
        ("O/B-PS I-PS I-PS O", {(0, 3, "PS")}),
        ("O I-PS/B-PS I-PS O", {(1, 3, "PS")}),
        ("I-PS/B-PS O B-LC I-LC", {(0, 1, "PS"), (2, 4, "LC")}),
        # ... or is none at all.
        ("O I-PS/O O O", set()),
        ("B-PS I-LC/I-PS I-PS O", {(0, 3, "PS")}),
    ],
)
def test_every_entity_has_a_beginning(names: str, spans: set[Span]) -> None:
    assert said("하늘시에", names.split(), made()) == spans


def test_blanks_within_an_entity_are_of_it_and_those_at_its_ends_are_not() -> None:
    assert said("하늘 시 에", ["B-LC", "I-LC", "I-LC", "O"], made()) == {(0, 4, "LC")}
    assert said("하늘  시에", ["B-LC", "I-LC", "O", "B-PS"], made()) == {(0, 2, "LC"), (5, 6, "PS")}


def test_a_token_in_two_windows_is_told_by_the_one_around_it() -> None:
    text = "하늘시도서관새단장다음달문연다"
    one, how = example(text), made(max_length=10, stride=4)
    features = how.encode([one], letters(), labels=False)
    assert [len(features.tokens[row]) for row in range(3)] == [10, 10, 10]
    decoder = how.decoder(features, [one], letters())
    # Windows 0..8, 4..12, 7..15: to each its middle, begun by B- of another type in each window.
    wrong = np.full((3, 10), how.labels.index("B-QT"))
    wrong[0, 1:7], wrong[1, 3:7], wrong[2, 4:9] = 2, 4, 6
    wrong[0, 1], wrong[1, 3], wrong[2, 4] = 1, 3, 5
    decoder.take(np.array([2, 0]), {"logits": np.eye(13)[wrong[[2, 0]]]})
    decoder.take(np.array([1]), {"logits": np.eye(13)[wrong[[1]]]})
    assert found(decoder.predictions()[0]) == {(0, 6, "PS"), (6, 10, "LC"), (10, 15, "OG")}
    assert features.notes == ("1 text is read in 3 windows of at most 10 tokens that overlap by 4",)


def test_the_order_of_batches_does_not_matter() -> None:
    texts = [f"하늘시 {'도서관 ' * n}문 연다" for n in range(12)]
    examples = [example(text, (0, 3, "LC"), id_=f"e{n}") for n, text in enumerate(texts)]
    how = made(max_length=12, stride=3)
    features = how.encode(examples, letters(), labels=True)
    decoder = how.decoder(features, examples, letters())
    order = np.random.default_rng(5).permutation(len(features))
    for rows in np.array_split(order, 4):
        decoder.take(rows, sure(features, rows))
    assert decoder.predictions() == back(examples, letters(), how)
    assert [p.id for p in decoder.predictions()] == [f"e{n}" for n in range(12)]


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (example(" \t", id_="g1"), "g1"),
        (Example("g2", "made", {"text": "하늘시"}, None), "g2: label: a list of spans"),
        (
            example("하늘시", (0, 1, "ZZ"), id_="g3"),
            "g3: label: the entity type is 'ZZ'.* allowed: PS, LC",
        ),
        (example("하늘시", (2, 4, "PS"), id_="g4"), "g4: label: span 2..4 is outside"),
        (example("하늘시", (1, 1, "PS"), id_="g5"), "g5: label: span 1..1 is empty"),
        (example("하늘시", (0, 2, "PS"), (1, 3, "LC"), id_="g6"), "g6: label: spans .* overlap"),
    ],
)
def test_what_cannot_be_learnt_is_refused_by_name(one: Example, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        made().check([example("하늘시"), one], labels=True)
    assert "하늘" not in str(error.value)


def test_labels_are_looked_at_only_where_they_are_learnt() -> None:
    made().check([Example("e", "made", {"text": "하늘시"}, None)], labels=False)
    with pytest.raises(InputError):
        made().check([example("", id_="g")], labels=False)


def test_a_text_of_too_many_windows_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="long: a text of 400 tokens"):
        made(max_length=10, stride=4).encode(
            [example("하" * 400, id_="long")], letters(), labels=False
        )


def test_the_loss_is_the_mean_over_tokens_that_have_a_tag() -> None:
    tokens, how = bert(), made()
    examples = [example("하늘시 도서관", (0, 3, "LC")), example("새 단장")]
    features = how.encode(examples, tokens, labels=True)
    network = how.network(tiny.body(how.auto, tokens, how.labels)).eval()
    batch = batch_of(features, np.array([0, 1]), pad=tokens.pad)
    outputs = network(batch)
    chances = torch.log_softmax(outputs["logits"].detach().double(), dim=-1)
    lost = [
        -float(chances[row, place, target])
        for row, line in enumerate(batch["target"].tolist())
        for place, target in enumerate(line)
        if target != IGNORED
    ]
    assert outputs["logits"].dtype == torch.float32
    assert float(outputs["loss"].detach()) == pytest.approx(sum(lost) / len(lost), rel=1e-5)
    del batch["target"]
    assert set(network(batch)) == {"logits"}


def test_a_batch_without_any_tag_costs_nothing() -> None:
    tokens, how = bert(), made()
    features = how.encode([example("하늘시")], tokens, labels=True)
    network = how.network(tiny.body(how.auto, tokens, how.labels))
    batch = batch_of(features, np.array([0]), pad=tokens.pad)
    batch["target"].fill_(IGNORED)
    assert float(network(batch)["loss"].detach()) == 0.0


NAMED = [
    example("하늘시 도서관", (0, 3, "LC"), id_="a"),
    example("김하늘 감독의 새 영화", (0, 3, "PS"), id_="b"),
    example("바다군 축제에 사흘간", (0, 3, "LC"), (8, 11, "DT"), id_="c"),
]


def fit(how: Head, examples: Sequence[Example], tokens: Tokens) -> Network:
    """Return a small network that has learnt the examples by heart."""
    features = how.encode(examples, tokens, labels=True)
    network = how.network(tiny.body(how.auto, tokens, how.labels))
    batch = batch_of(features, np.arange(3), pad=tokens.pad)
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-2)
    for _ in range(60):
        loss = network(batch)["loss"]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert float(loss.detach()) < 0.1
    return network.eval()


def answered(
    how: Head, examples: Sequence[Example], tokens: Tokens, network: Network
) -> list[set[Span]]:
    features = how.encode(examples, tokens, labels=False)
    decoder = how.decoder(features, examples, tokens)
    told_ = predict(network, features, decoder, pad=tokens.pad, size=2, device="cpu")
    return [found(one) for one in told_]


def test_it_learns_names() -> None:
    tokens, how = bert(), made()
    network = fit(how, NAMED, tokens)
    right = [allowed(one, offsets(tokens, one.fields["text"])) for one in NAMED]
    spans = answered(how, NAMED, tokens, network)
    assert all(want <= some for want, some in zip(right, spans, strict=True))


def test_a_saved_model_is_a_tagger_that_says_the_same(tmp_path: Path) -> None:
    """Of one window, where each token's best tag by itself has a beginning for every entity."""
    tokens, how = bert(), made()
    network = fit(how, NAMED, tokens)
    save_model(tmp_path / "model", network, tokens, {"labels": list(how.labels), "settings": {}})
    tagger = load(f"transformers:{tmp_path / 'model'}")
    assert set(tagger.labels) == set(TYPES)
    mentions = tagger.tag([one.fields["text"] for one in NAMED])
    spans = [{(one.start, one.end, one.label) for one in some} for some in mentions]
    assert spans == answered(how, NAMED, tokens, network)
    assert all(spans)


@pytest.fixture(scope="module")
def real(data_dir: Path) -> list[Example]:
    official = read_official("ner", data_dir / "klue" / "klue-ner-v1.1_dev.tsv")
    every_third = list(rows_of(official))[::3]
    return [Example(row.item, "real", row.fields, row.gold) for row in every_third]


@pytest.mark.thin(2)
@pytest.mark.parametrize(("apart", "least"), [(" ", 99.9), ("", 79.0)])
def test_what_tokens_of_real_texts_can_say(real: list[Example], apart: str, least: float) -> None:
    # A token a letter says all; longer pieces join names and particles, which no tag can part.
    tokens = tiny.tokens([apart.join(one.fields["text"]) for one in real], size=8_000)
    predicted = back(real, tokens, made(max_length=510, stride=128))
    right = [len(gold(one) & found(p)) for one, p in zip(real, predicted, strict=True)]
    possible = [allowed(one, offsets(tokens, one.fields["text"])) for one in real]
    assert right == [len(kept) for kept in possible]
    pairs = list(zip(real, predicted, strict=True))
    score = 200 * sum(right) / sum(len(one.label) + len(p.label) for one, p in pairs)
    tagged = [
        [tags(len(one.fields["text"]), label) for label in (one.label, p.label)] for one, p in pairs
    ]
    ours = f1_score(*zip(*tagged, strict=True), mode="strict", scheme=IOB2, average="micro")
    assert score == pytest.approx(100 * ours)
    assert score > least
