"""Sentences as inputs and targets, trees out of outputs, and what a small network learns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
from training import tiny

from pipeline.contracts.example import Example
from pipeline.contracts.official.files import read_official
from pipeline.contracts.official.tables import rows_of
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.tasks.dp.head import Parsing, head, tag_numbers, tokenize_words
from pipeline.tasks.dp.head.network import NO_TAG, UNKNOWN
from pipeline.tasks.dp.task import check_shape, turns_left
from pipeline.training.batches import batch_of, predict
from pipeline.training.features import IGNORED, Features
from pipeline.training.head import Network
from pipeline.training.recipe import Recipe
from pipeline.training.tokens import Tokens

torch.set_num_threads(1)
SPEC = load_spec("dp")
RECIPE = Recipe(learning_rate=1e-2, batch_size=6, epochs=1, max_length=64)


def sentence(name: str, text: str, heads: str, deprels: str, pos: str) -> Example:
    """Return a sentence; words, heads, relations and tags stand between blanks."""
    label = {
        "heads": [int(head) for head in heads.split()],
        "deprels": deprels.split(),
        "pos": pos.split(),
    }
    return Example(name, "made", {"text": text, "words": text.split(" ")}, label)


MADE = (
    sentence(
        "cat", "고양이가 느리게 걷는다.", "3 3 0", "NP_SBJ VP_AJT VP", "NNG+JKS VA+EC VV+EF+SF"
    ),
    sentence(
        "soup",
        "할머니의 국은 아주 맛있었다.",
        "2 4 4 0",
        "NP_MOD NP_SBJ AP VP",
        "NNG+JKG NNG+JX MAG VA+EP+EF+SF",
    ),
    sentence(
        "letter",
        "어제 보낸 편지를 친구가 오늘 읽었다.",
        "2 3 6 6 6 0",
        "NP_AJT VP_MOD NP_OBJ NP_SBJ NP_AJT VP",
        "NNG VV+ETM NNG+JKO NNG+JKS NNG VV+EP+EF+SF",
    ),
    sentence("go", "가자.", "0", "VP", "VV+EF+SF"),
    sentence(
        "pear", "배와 감이 익었다.", "2 3 0", "NP_CNJ NP_SBJ VP", "NNG+JC NNG+JKS VV+EP+EF+SF"
    ),
    sentence(
        "hill",
        "저 언덕이 마을의 끝이다.",
        "2 4 4 0",
        "DP NP_SBJ NP_MOD VNP",
        "MMD NNG+JKS NNG+JKG NNG+VCP+EF+SF",
    ),
)


def pieces() -> Tokens:
    return tiny.tokens([example.fields["text"] for example in MADE])


def bytes_of(*, prefix: bool) -> Tokens:
    """Return a tokenizer of bytes, as those of GPT are: nothing is unknown, a blank is a token."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: at for at, letter in enumerate(["<pad>", "<s>", "</s>", *letters])}
    made = Tokenizer(models.BPE(vocabulary, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 1), trim_offsets=False, add_prefix_space=prefix
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_input_names=["input_ids", "attention_mask"],
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
    )
    return Tokens(fast)


def parsing(recipe: Recipe = RECIPE, train: Sequence[Example] = MADE) -> Parsing:
    return head(SPEC, recipe, train)


def network(made: Parsing, tokens: Tokens, *, seed: int = 0) -> Network:
    return made.network(tiny.body("", tokens, seed=seed))


def batch(features: Features, rows: Sequence[int], tokens: Tokens) -> dict[str, Any]:
    return batch_of(features, np.array(rows, dtype=np.int64), pad=tokens.pad)


def outputs_of(made: Network, given: dict[str, Any]) -> dict[str, torch.Tensor]:
    with torch.inference_mode():
        return made.eval()(given)


def without(example: Example, *names: str, **changes: Any) -> Example:
    label = {name: one for name, one in example.label.items() if name not in names}
    return replace(example, label={**label, **changes})


def test_relations_are_those_of_train_by_frequency_then_name() -> None:
    made = parsing()
    # Five, two, and one of each.
    assert made.relations[:4] == ("NP_SBJ", "VP", "NP_AJT", "NP_MOD")
    assert " ".join(made.relations[4:]) == "AP DP NP_CNJ NP_OBJ VNP VP_AJT VP_MOD"
    assert made.settings == {"relations": list(made.relations), "pos": list(SPEC.ids("pos"))}
    assert head(SPEC, RECIPE, MADE[::-1]).settings == made.settings


def test_ends_of_words_are_their_own_tokens() -> None:
    tokens = pieces()
    made = tokenize_words([example.fields["words"] for example in MADE], tokens)
    for row, example in enumerate(MADE):
        held, at = made.tokens[row].tolist(), len(tokens.single.parts[0])
        for place, word in enumerate(example.fields["words"]):
            own = tokens.tokenizer(word, add_special_tokens=False)["input_ids"]
            assert (made.first[row][place], made.last[row][place]) == (at, at + len(own) - 1)
            assert held[at : at + len(own)] == own
            at += len(own)
        assert held == tokens.tokenizer(example.fields["text"])["input_ids"]


@pytest.mark.parametrize("prefix", [False, True])
def test_words_in_bytes_are_the_bytes_of_the_sentence(prefix: bool) -> None:
    tokens = bytes_of(prefix=prefix)
    made = tokenize_words([MADE[0].fields["words"]], tokens)
    assert made.tokens[0].tolist() == tokens.tokenizer(MADE[0].fields["text"])["input_ids"]
    first, last = made.first[0].tolist(), made.last[0].tolist()
    # 고양이가 is 12 bytes, with a blank before it where the tokenizer wants one; <s> is token 0.
    assert (first[0], last[0], first[1]) == (1, 12 + prefix, 13 + prefix)
    assert first[1:] == [one + 1 for one in last[:-1]]


def test_words_that_are_unknown_or_dropped_have_a_token() -> None:
    tokens = pieces()
    made = tokenize_words([["𠀀𠀁", "", "걷는다."], [" "]], tokens)
    unknown = tokens.tokenizer.unk_token_id
    assert made.tokens[0][1:3].tolist() == [unknown, unknown]
    assert made.tokens[1].tolist()[1:-1] == [unknown]
    assert made.first[0].tolist() == [1, 2, 3]
    assert made.last[0].tolist()[:2] == [1, 2]
    assert tokenize_words([["", "가"]], bytes_of(prefix=False)).first[0].tolist() == [1, 2]


def test_tags_are_the_first_two_and_the_last_three() -> None:
    made = tag_numbers([["A+B+C+D+E+F", "B"], ["", "A+X"]], ["A", "B", "C", "D", "E", "F"])
    a, b, d, e, f = 2, 3, 5, 6, 7
    assert made[0].tolist() == [[a, b, d, e, f], [b, NO_TAG, NO_TAG, NO_TAG, b]]
    assert made[1].tolist() == [[NO_TAG] * 5, [a, UNKNOWN, NO_TAG, a, UNKNOWN]]


def test_targets_leave_out_relations_that_train_lacks_and_say_so() -> None:
    made, tokens = parsing(train=MADE[:2]), pieces()
    features = made.encode([MADE[4]], tokens, labels=True)
    given = batch(features, [0], tokens)
    assert given["target_heads"].tolist() == [[2, 3, 0]]
    named = [made.relations.index("NP_SBJ"), made.relations.index("VP")]
    assert given["target_relations"].tolist() == [[IGNORED, *named]]
    assert features.notes == ("1 word with a relation that the train split lacks",)
    assert not {"target_heads", "target_relations"} & set(
        made.encode([MADE[4]], tokens, labels=False).columns
    )


def test_parts_of_speech_may_stand_in_meta() -> None:
    made, tokens = parsing(), pieces()
    moved = [replace(without(e, "pos"), meta={"pos": e.label["pos"]}) for e in MADE]
    assert head(SPEC, RECIPE, moved) == made
    here, there = (made.encode(one, tokens, labels=False).columns["tags"] for one in (MADE, moved))
    assert np.array_equal(here.values, there.values)


def test_without_parts_of_speech_it_works_and_says_so() -> None:
    tokens = pieces()
    plain = [without(example, "pos") for example in MADE]
    made = parsing(train=plain)
    features = made.encode(plain, tokens, labels=True)
    assert made.tags == ()
    assert features.notes == ("the train split has no parts of speech: parsed without them",)
    assert torch.isfinite(network(made, tokens)(batch(features, [0, 1], tokens))["loss"])
    silent = parsing(RECIPE.model_copy(update={"pos": False}))
    assert (silent.tags, silent.encode(MADE, tokens, labels=True).notes) == ((), ())


def test_sentences_without_or_with_strange_parts_of_speech_are_counted() -> None:
    given = [without(MADE[0], "pos"), without(MADE[3], pos=["VV+QQ"])]
    features = parsing().encode(given, pieces(), labels=False)
    assert features.notes == (
        "1 sentence without parts of speech",
        "1 word with a part of speech that is not in the spec",
    )
    assert not features.columns["tags"][0].any()


def test_a_longer_neighbour_changes_nothing() -> None:
    tokens, made = pieces(), parsing()
    features = made.encode(MADE, tokens, labels=True)
    parser = network(made, tokens)
    longest = int(np.argmax(features.tokens.lengths))
    for row in range(len(MADE)):
        alone = outputs_of(parser, batch(features, [row], tokens))
        beside = outputs_of(parser, batch(features, [row, longest], tokens))
        many = len(MADE[row].fields["words"])
        assert torch.equal(alone["heads"][0], beside["heads"][0, :many])
        assert torch.equal(alone["relations"][0], beside["relations"][0, :many])


def test_padding_changes_neither_loss_nor_gradient() -> None:
    tokens, made = pieces(), parsing()
    features = made.encode(MADE, tokens, labels=True)
    parser = network(made, tokens).eval()
    given = batch(features, [0], tokens)
    plain = parser(given)
    plain["loss"].backward()
    slopes = [p.grad.clone() for p in parser.parameters() if p.grad is not None]
    parser.zero_grad(set_to_none=True)
    wide = parser(_widened(given, tokens.pad))
    wide["loss"].backward()
    assert wide["loss"].item() == pytest.approx(plain["loss"].item(), abs=1e-5)
    found = [p.grad for p in parser.parameters() if p.grad is not None]
    assert all(torch.allclose(a, b, atol=1e-5) for a, b in zip(slopes, found, strict=True))


def _widened(given: dict[str, Any], pad: int, more: int = 7) -> dict[str, Any]:
    """Return a batch as it is beside a longer sentence."""
    fills = {"input_ids": pad, "target_heads": IGNORED, "target_relations": IGNORED}
    made = {}
    for name, one in given.items():
        if one.dim() == 1:
            made[name] = one
            continue
        filler = torch.full((len(one), more, *one.shape[2:]), fills.get(name, 0), dtype=one.dtype)
        made[name] = torch.cat([one, filler], dim=1)
    return made


def test_gradient_reaches_the_body_and_every_part() -> None:
    tokens, made = pieces(), parsing()
    parser = network(made, tokens)
    parser(batch(made.encode(MADE, tokens, labels=True), range(6), tokens))["loss"].backward()
    still = [
        name
        for name, one in parser.named_parameters()
        if "pooler" not in name and (one.grad is None or not one.grad.any())
    ]
    assert still == []
    assert parser.tags.weight.grad[NO_TAG].eq(0).all()


def test_training_decodes_nothing() -> None:
    tokens, made = pieces(), parsing()
    parser = network(made, tokens).train()
    scored: list[int] = []
    parser.relations.register_forward_hook(lambda *_: scored.append(1))
    given = batch(made.encode(MADE, tokens, labels=True), range(6), tokens)
    assert set(parser(given)) == {"loss"}
    assert scored == [1]  # those of gold heads alone
    assert set(parser.eval()(given)) == {"loss", "heads", "relations"}
    plain = batch(made.encode(MADE, tokens, labels=False), range(6), tokens)
    assert set(parser(plain)) == {"heads", "relations"}


def test_the_same_seed_gives_the_same_parameters() -> None:
    tokens, made = pieces(), parsing()
    first, second, other = (network(made, tokens, seed=seed) for seed in (3, 3, 4))
    pairs = zip(first.state_dict().values(), second.state_dict().values(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)
    assert not torch.equal(first.arcs.pair, other.arcs.pair)


@pytest.mark.parametrize("kind", ["pieces", "bytes"])
def test_six_sentences_are_learnt_by_heart(kind: str) -> None:
    tokens = pieces() if kind == "pieces" else bytes_of(prefix=False)
    made = parsing(RECIPE.model_copy(update={"max_length": 128}))
    made.check(MADE, labels=True)
    features = made.encode(MADE, tokens, labels=True)
    parser = network(made, tokens)
    steps = torch.optim.AdamW(parser.parameters(), lr=3e-3)
    for _ in range(40):
        steps.zero_grad()
        parser(batch(features, range(6), tokens))["loss"].backward()
        steps.step()
    said = predict(
        parser, features, made.decoder(features, MADE, tokens), pad=tokens.pad, size=2, device="cpu"
    )
    assert [one.id for one in said] == [example.id for example in MADE]
    gold = [without(example, "pos").label for example in MADE]
    assert [one.label for one in said] == gold


def test_an_untrained_network_gives_valid_trees() -> None:
    tokens, made = pieces(), parsing()
    features = made.encode(MADE, tokens, labels=False)
    for seed in range(5):
        parser = network(made, tokens, seed=seed)
        decoder = made.decoder(features, MADE, tokens)
        said = predict(parser, features, decoder, pad=tokens.pad, size=4, device="cpu")
        trees = [replace(e, label=one.label) for e, one in zip(MADE, said, strict=True)]
        made.check(trees, labels=True)
        for tree in trees:
            check_shape(tree.label["heads"])
            assert turns_left(tree.label["heads"]) == 0


def test_the_decoder_takes_batches_in_any_order() -> None:
    made, tokens = parsing(), pieces()
    features = made.encode(MADE[:3], tokens, labels=False)
    heads = np.array([[3, 3, 0, 9, 9, 9], [4, 3, 4, 0, 9, 9], [2, 3, 4, 5, 6, 0]])
    relations = np.array([[0, 1, 2, 0, 0, 0], [1, 1, 1, 1, 0, 0], [2, 2, 2, 2, 2, 2]])
    said = []
    for parts in ([[0, 1, 2]], [[2], [1, 0]]):
        decoder = made.decoder(features, MADE[:3], tokens)
        for part in parts:
            rows = np.array(part, dtype=np.int64)
            decoder.take(rows, {"heads": heads[rows], "relations": relations[rows]})
        said.append(decoder.predictions())
    assert said[0] == said[1]
    assert said[0][0].label == {"heads": [3, 3, 0], "deprels": list(made.relations[:3])}
    assert said[0][1].label["heads"] == [4, 3, 4, 0]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"heads": [3, 0]}, "heads needs one entry a word: 3, given: 2"),
        ({"deprels": ["VP"]}, "deprels needs one entry a word: 3, given: 1"),
        ({"heads": [3, 4, 0]}, "head 4 of word 2 is not a word from 0 to 3"),
        ({"heads": [3, 1, 0]}, "the head of word 2 stands left of it"),
        ({"heads": [2, 0, 0]}, "2 words have the head 0"),
        (
            {"deprels": ["NP_SBJ", "ZP", "VP"]},
            "syntax tag of word 2 is 'ZP', which is not in the spec",
        ),
        ({"heads": None}, "heads needs one entry a word: 3, given: null"),
    ],
)
def test_wrong_trees_are_refused_by_name(changes: dict[str, Any], told: str) -> None:
    wrong = without(MADE[0], **changes)
    made = head(SPEC, RECIPE, [wrong])
    with pytest.raises(InputError) as error:
        made.check([MADE[1], wrong], labels=True)
    assert str(error.value).startswith("cat: label: ")
    assert told in str(error.value)
    made.check([wrong], labels=False)


def test_sentences_without_words_labels_or_matching_tags_are_refused() -> None:
    made = parsing()
    empty = replace(MADE[0], fields={"text": "", "words": []})
    with pytest.raises(InputError, match="cat: words: the sentence is empty"):
        made.check([empty], labels=False)
    with pytest.raises(InputError, match="cat: words: a list of texts is wanted, not a text of 3"):
        made.check([replace(MADE[0], fields={"words": "가 나"})], labels=False)
    with pytest.raises(
        InputError, match="cat: pos: one text of tags a word is wanted: 3, given: 1"
    ):
        made.check([without(MADE[0], pos=["NNG"])], labels=False)
    with pytest.raises(InputError, match="cat: label: heads and deprels are wanted, not null"):
        made.check([replace(MADE[0], label=None)], labels=True)


def test_too_long_sentences_are_told_before_training() -> None:
    tokens = bytes_of(prefix=False)
    made = parsing(RECIPE.model_copy(update={"max_length": 40}))
    with pytest.raises(InputError) as error:
        made.encode([MADE[3], *MADE[:3]], tokens, labels=False)
    # The second one: 12 syllables of three bytes, three blanks, a full stop; <s> and </s>.
    assert str(error.value) == (
        "soup: 42 tokens, special ones included, and max_length is 40 (2 of 4 sentences are"
        " longer); raise max_length to 53 if the model has so many places, or leave them out"
    )


def test_official_sentences_are_read_whole(data_dir: Path) -> None:
    official = read_official("dp", data_dir / "klue" / "klue-dp-v1.1_dev.tsv")
    examples = [Example(r.item, "", r.fields, r.gold, meta=r.meta) for r in rows_of(official)]
    made, tokens = parsing(train=examples), pieces()
    made.check(examples, labels=True)
    made = replace(made, recipe=RECIPE.model_copy(update={"max_length": 512}))
    features = made.encode(examples, tokens, labels=True)
    assert features.notes == ()
    assert (len(made.relations), int(features.columns["words"].sum())) == (32, 22_496)
    assert made.relations[:3] == ("NP", "NP_AJT", "VP")
