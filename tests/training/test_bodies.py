"""Tokenizers and bodies: heads that are kept, put in order, replaced or refused."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
import transformers
from checkpoints import TEXTS, Plan, albert, batch, bert, roberta
from transformers.utils import logging

from pipeline.core.errors import InputError
from pipeline.training.encoders import body_of, longest, tokens_of
from pipeline.training.source import quiet, source

PLAN = Plan()
#: The same labels in an order that is not its own inverse, as on the hub.
OTHER_ORDER = ("모른다", "그렇다", "아니다")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Spare the machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def body(folder: Path | str, plan: Plan = PLAN, *, seed: int = 3, new_head: bool = False) -> object:
    made = source(str(folder))
    torch.manual_seed(seed)
    return body_of(made, plan, tokens_of(made, TEXTS), new_head=new_head).eval()


def named(model: object, folder: Path) -> dict[str, list[float]]:
    """Return the logits of each label by its name."""
    tokens = tokens_of(source(str(folder)), ())
    with torch.no_grad():
        logits = model(**batch(tokens)).logits  # type: ignore[operator]
    labels = model.config.id2label  # type: ignore[attr-defined]
    return {labels[at]: logits[..., at].flatten().tolist() for at in range(len(labels))}


def stored(folder: Path, auto: str) -> object:
    """Return the model as transformers alone loads it."""
    return getattr(transformers, f"AutoModelFor{auto}").from_pretrained(folder).eval()


@pytest.mark.parametrize("kind", [bert, roberta])
@pytest.mark.parametrize("auto", ["SequenceClassification", "TokenClassification"])
@pytest.mark.parametrize("labels", [PLAN.labels, OTHER_ORDER])
def test_same_labels_in_any_order_give_the_same_by_name(
    tmp_path: Path, kind: object, auto: str, labels: tuple[str, ...]
) -> None:
    folder = kind(tmp_path / "model", auto, labels)  # type: ignore[operator]
    made = body(folder, Plan(auto=auto))
    assert made.config.id2label == dict(enumerate(PLAN.labels))  # type: ignore[attr-defined]
    assert made.config.label2id == {  # type: ignore[attr-defined]
        label: at for at, label in enumerate(PLAN.labels)
    }
    assert named(made, folder) == named(stored(folder, auto), folder)


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (("정치", "경제", "사회"), r"other labels: 정치, 경제, 사회 \(3\); needed: 그렇다, 아니"),
        (("그렇다", "아니다"), r"other labels: 그렇다, 아니다 \(2\)"),
        (tuple("가나다라마바"), r"가, 나, 다, 라, 마 \.\.\. \(6\)"),
        (("LABEL_0", "LABEL_1", "LABEL_2"), r"LABEL_0, LABEL_1, LABEL_2 \(3\)"),
    ],
)
def test_another_label_set(tmp_path: Path, labels: tuple[str, ...], told: str) -> None:
    folder = bert(tmp_path / "model", "SequenceClassification", labels)
    with pytest.raises(InputError, match=rf"{told}.* the base model .* --new-head"):
        body(folder)
    made = body(folder, new_head=True)
    assert made.config.id2label == dict(enumerate(PLAN.labels))  # type: ignore[attr-defined]
    old = stored(folder, "SequenceClassification").state_dict()  # type: ignore[attr-defined]
    for name, weights in made.state_dict().items():  # type: ignore[attr-defined]
        if name.startswith("bert."):
            assert torch.equal(weights, old[name])
        elif name == "classifier.weight" and len(labels) == 3:
            assert not torch.equal(weights, old[name])


def test_one_output_without_a_name_is_a_score(tmp_path: Path) -> None:
    """So are scores stored on the hub: there is nothing to be mistaken for."""
    folder = bert(tmp_path / "model", "SequenceClassification", ["LABEL_0"])
    made = body(folder, Plan(labels=("score",)))
    assert list(named(made, folder)) == ["score"]
    found = named(stored(folder, "SequenceClassification"), folder)
    assert named(made, folder)["score"] == found["LABEL_0"]


@pytest.mark.parametrize("auto", ["MaskedLM", "TokenClassification", "QuestionAnswering"])
def test_what_has_no_such_head_gets_a_new_one(
    tmp_path: Path, auto: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """A head of another kind is not taken for one, although its weights have the same name."""
    folder = bert(tmp_path / "model", auto, PLAN.labels)
    capfd.readouterr()
    made = body(folder)
    assert capfd.readouterr() == ("", "")
    again, other = body(folder), body(folder, seed=4)
    old = stored(folder, auto).state_dict()  # type: ignore[attr-defined]
    for name, weights in made.state_dict().items():  # type: ignore[attr-defined]
        assert torch.equal(weights, again.state_dict()[name])  # type: ignore[attr-defined]
        if name.startswith("bert.") and name in old:
            assert torch.equal(weights, old[name])
    assert not torch.equal(made.classifier.weight, other.classifier.weight)  # type: ignore[attr-defined]
    if "classifier.weight" in old:
        assert not torch.equal(made.classifier.weight, old["classifier.weight"])  # type: ignore[attr-defined]


def test_span_heads_are_kept_without_labels(tmp_path: Path) -> None:
    folder = bert(tmp_path / "model", "QuestionAnswering")
    plan = Plan(auto="QuestionAnswering", labels=())
    old = stored(folder, "QuestionAnswering").qa_outputs.weight  # type: ignore[attr-defined]
    assert torch.equal(body(folder, plan).qa_outputs.weight, old)  # type: ignore[attr-defined]
    made = body(folder, plan, new_head=True)
    assert not torch.equal(made.qa_outputs.weight, old)  # type: ignore[attr-defined]


def test_bare_encoder(tmp_path: Path) -> None:
    folder = roberta(tmp_path / "model", "TokenClassification", PLAN.labels)
    made = body(folder, Plan(auto="", labels=()))
    assert type(made).__name__ == "RobertaModel"
    old = stored(folder, "TokenClassification").roberta.state_dict()  # type: ignore[attr-defined]
    found = made.state_dict()  # type: ignore[attr-defined]
    assert all(torch.equal(found[name], weights) for name, weights in old.items())


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16])
def test_half_precision_is_loaded_as_single(tmp_path: Path, kind: torch.dtype, kept: bool) -> None:
    folder = bert(tmp_path / "model", "SequenceClassification", PLAN.labels)
    stored(folder, "SequenceClassification").to(kind).save_pretrained(folder)  # type: ignore[attr-defined]
    made = body(folder, new_head=not kept)
    assert {one.dtype for one in made.parameters()} == {torch.float32}  # type: ignore[attr-defined]


def test_weights_of_the_older_form(tmp_path: Path) -> None:
    folder = bert(tmp_path / "model", "SequenceClassification", PLAN.labels)
    old = stored(folder, "SequenceClassification").state_dict()  # type: ignore[attr-defined]
    (folder / "model.safetensors").unlink()
    torch.save(old, folder / "pytorch_model.bin")
    found = body(folder).state_dict()  # type: ignore[attr-defined]
    assert all(torch.equal(found[name], weights) for name, weights in old.items())


def test_markers_get_rows_of_their_own(tmp_path: Path) -> None:
    folder = bert(tmp_path / "model", "MaskedLM")
    made = source(str(folder))
    found = []
    for seed in (0, 0, 1):
        tokens = tokens_of(made, ())
        many = len(tokens.tokenizer)
        assert tokens.add(["<subj>", "</subj>"]) == 2
        torch.manual_seed(seed)
        rows = body_of(made, PLAN, tokens).get_input_embeddings().weight
        assert len(rows) == many + 2
        found.append(rows)
    old = stored(folder, "MaskedLM").get_input_embeddings().weight  # type: ignore[attr-defined]
    assert torch.equal(found[0][:many], old)
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[1][many:], found[2][many:])


def test_a_vocabulary_that_was_filled_up_is_left_so(tmp_path: Path) -> None:
    folder = bert(tmp_path / "model", "MaskedLM")
    large = stored(folder, "MaskedLM")
    large.resize_token_embeddings(512, mean_resizing=False)  # type: ignore[attr-defined]
    large.save_pretrained(folder)  # type: ignore[attr-defined]
    assert len(body(folder).get_input_embeddings().weight) == 512  # type: ignore[attr-defined]


def test_scratch() -> None:
    made = source("scratch:tiny")
    tokens = tokens_of(made, iter(TEXTS))
    tokens.add(["<subj>"])
    torch.manual_seed(0)
    model = body_of(made, PLAN, tokens)
    assert model.config.id2label == dict(enumerate(PLAN.labels))
    assert len(model.get_input_embeddings().weight) == len(tokens.tokenizer) < 200
    assert model(**batch(tokens)).logits.shape == (len(TEXTS), 3)
    assert longest(model, tokens) == 512
    torch.manual_seed(0)
    again = body_of(made, PLAN, tokens).state_dict()
    assert all(torch.equal(one, again[name]) for name, one in model.state_dict().items())


def test_longest_input(tmp_path: Path) -> None:
    """So many and no more: RoBERTa's 66 rows of positions begin behind padding, which is 1."""
    for kind, limit in ((bert, 128), (roberta, 64)):
        folder = kind(tmp_path / kind.__name__, "MaskedLM")
        made, tokens = body(folder), tokens_of(source(str(folder)), ())
        assert longest(made, tokens) == limit
        made(input_ids=torch.full((1, limit), 5))  # type: ignore[operator]
        with pytest.raises((IndexError, RuntimeError)):
            made(input_ids=torch.full((1, limit + 1), 5))  # type: ignore[operator]
        tokens.tokenizer.model_max_length = 20
        assert longest(made, tokens) == 20


def test_a_model_without_positions_has_no_limit(tmp_path: Path) -> None:
    folder = bert(tmp_path / "model", "MaskedLM")
    config = transformers.T5Config(vocab_size=9, d_model=8, d_kv=4, d_ff=8, num_layers=1)
    tokens = tokens_of(source(str(folder)), ())
    tokens.tokenizer.model_max_length = 10**30  # what transformers has for none
    assert longest(transformers.T5EncoderModel(config), tokens) is None
    tokens.tokenizer.model_max_length = 512
    assert longest(transformers.T5EncoderModel(config), tokens) == 512


def test_one_token_type_is_not_told_two(tmp_path: Path) -> None:
    """The RoBERTa of KLUE has a tokenizer of BERT: its pairs would ask for a type it has not."""
    folder = roberta(tmp_path / "model", "MaskedLM")
    bert(tmp_path / "bert", "MaskedLM")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (tmp_path / "bert" / name).replace(folder / name)
    assert not tokens_of(source(str(folder)), ()).has_types
    assert tokens_of(source(str(bert(tmp_path / "other", "MaskedLM"))), ()).has_types


def test_token_types_that_the_tokenizer_does_not_name(tmp_path: Path) -> None:
    """The tokenizer of ALBERT names none; the model has two, and the frame of two texts both."""
    folder = albert(tmp_path / "model", "MaskedLM")
    assert (
        "token_type_ids" not in transformers.AutoTokenizer.from_pretrained(folder).model_input_names
    )
    tokens = tokens_of(source(str(folder)), ())
    assert tokens.has_types
    assert (tokens.pair.types, tokens.pair.inside) == (((0,), (0,), (1,)), (0, 1))


def test_tokenizer_without_special_tokens(tmp_path: Path) -> None:
    folder = bert(tmp_path / "model", "MaskedLM")
    config = folder / "tokenizer_config.json"
    told = json.loads(config.read_text("utf-8"))
    del told["pad_token"], told["sep_token"]
    config.write_text(json.dumps(told), "utf-8")
    with pytest.raises(InputError, match="its tokenizer has no pad_token, sep_token; needed: pad_"):
        tokens_of(source(str(folder)), ())


def test_slow_tokenizer_is_read_by_character(tmp_path: Path) -> None:
    folder = bert(tmp_path / "model", "MaskedLM")
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n비\n가\n", "utf-8")
    told = {"tokenizer_class": "BertJapaneseTokenizer", "word_tokenizer_type": "basic"}
    told |= {"subword_tokenizer_type": "character", "do_lower_case": False}
    (folder / "tokenizer_config.json").write_text(json.dumps(told), "utf-8")
    tokens = tokens_of(source(str(folder)), ())
    assert tokens.fast is None
    found = tokens.encode(["비가 온다"])
    assert found.ids.values.tolist() == [5, 6, 1, 1]
    assert found.places[0].tolist() == [[0, 1], [1, 2], [3, 4], [4, 5]]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("model.safetensors", b"damaged", r"its model cannot be loaded \(\w+\)"),
        ("config.json", b"{}", r"its config cannot be loaded \(\w+\)"),
        ("tokenizer.json", b"{", r"its tokenizer cannot be loaded \(\w+\)"),
    ],
    ids=range(3),
)
def test_damaged_files(tmp_path: Path, name: str, content: bytes, told: str) -> None:
    folder = bert(tmp_path / "model", "MaskedLM")
    (folder / name).write_bytes(content)
    with pytest.raises(InputError, match=told):
        body(folder)


@pytest.mark.parametrize("auto", ["SequenceClassification", ""])
def test_weights_of_something_else(tmp_path: Path, auto: str) -> None:
    """All parts of an encoder with more layers cannot be there."""
    folder = bert(tmp_path / "model", "MaskedLM")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 2}), "utf-8")
    with pytest.raises(InputError, match=r"no weights for \d+ parts, such as encoder.layer.1"):
        body(folder, Plan(auto=auto, labels=PLAN.labels if auto else ()))


def test_code_of_a_checkpoint_is_not_run(tmp_path: Path) -> None:
    folder = bert(tmp_path / "model", "MaskedLM")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Own"}}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    (folder / "own.py").write_text("raise SystemExit('run')", "utf-8")
    with pytest.raises(InputError, match="cannot be loaded"):
        body(folder)


def test_quiet_leaves_things_as_they_were(capfd: pytest.CaptureFixture[str]) -> None:
    logger = logging.get_logger("transformers.any")
    level = logging.get_verbosity()
    with quiet():
        logger.warning("talk")
        warnings.warn("talk", stacklevel=1)
        assert not logging.is_progress_bar_enabled()
    assert capfd.readouterr() == ("", "")
    assert logging.get_verbosity() == level
    assert logging.is_progress_bar_enabled()
