"""The `transformers` tagger on a tiny random checkpoint that the test makes itself, offline."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pipeline.core.checkpoint import digest_of
from pipeline.core.errors import InputError
from pipeline.sampling.tagging.registry import TYPES, load, tag_checked
from pipeline.sampling.tagging.transformer import Transformer

torch = pytest.importorskip("torch", reason="the optional part `train` is not installed")
transformers = pytest.importorskip("transformers", reason="the part `train` is not installed")

WORDS = ("솔", "##마을", "바다", "노래", "##가", "좋다", "3", "##월", ".", "민노을", "##은")
VOCAB = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS)
LABELS = [f"{kind}-{label}" for label in TYPES for kind in "BI"] + ["O"]
TEXTS = (
    "민노을은 솔마을 바다 노래가 좋다.",
    "",
    "3월 3월",
    "노래 " * 100,
    "바다",
    "솔마을 좋다 . 3월",
)


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def checkpoint(folder: Path, labels: list[str], *, seed: int = 5) -> Path:
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(VOCAB) + "\n", "utf-8")
    tokenizer = transformers.BertTokenizerFast(
        vocab=str(folder / "vocab.txt"), do_lower_case=False, model_max_length=64
    )
    tokenizer.save_pretrained(folder)
    config = transformers.ElectraConfig(
        vocab_size=len(VOCAB),
        embedding_size=8,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        initializer_range=0.9,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        transformers.ElectraForTokenClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoint(tmp_path_factory.mktemp("models") / "ner", LABELS)


@pytest.fixture(scope="module")
def tagger(folder: Path) -> Transformer:
    found = load(f"transformers:{folder}")
    assert isinstance(found, Transformer)
    return found


def test_entities_are_those_of_the_library(folder: Path, tagger: Transformer) -> None:
    """The library's own pipeline puts tokens together by the same rules; its score is the mean."""
    model = transformers.AutoModelForTokenClassification.from_pretrained(folder).double()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    pipe = transformers.pipeline(
        "token-classification", model=model, tokenizer=tokenizer, aggregation_strategy="simple"
    )
    found = tagger.tag(TEXTS)
    expected = [
        [(one["start"], one["end"], one["entity_group"]) for one in (pipe(text) if text else [])]
        for text in TEXTS
    ]
    assert [[(m.start, m.end, m.label) for m in text] for text in found] == expected
    assert len({m.label for text in found for m in text}) > 2  # the random model says something


def test_a_text_is_tagged_as_if_it_stood_alone(tagger: Transformer) -> None:
    assert tagger.tag(TEXTS) == [tagger.tag([text])[0] for text in TEXTS]
    assert tagger.tag(TEXTS[::-1]) == tagger.tag(TEXTS)[::-1]
    assert not [one for found in tag_checked(tagger, TEXTS, labels=TYPES) for one in found.left_out]


def test_labels_of_other_houses_are_told(tmp_path: Path, folder: Path, tagger: Transformer) -> None:
    other = dict(zip(TYPES, ("PER", "LOC", "ORG", "DAT", "TIM", "POH"), strict=True))
    turned = [label if label == "O" else f"{other[label[2:]]}-{label[0]}" for label in LABELS]
    found = load(f"transformers:{checkpoint(tmp_path / 'other', turned)}")
    assert tagger.labels == TYPES
    assert found.labels == ("PS", "LC", "OG", "DT", "TI", "POH")
    as_klue = [[(m.start, m.end, other[m.label]) for m in text] for text in tagger.tag(TEXTS)]
    theirs = [[(m.start, m.end, other.get(m.label, m.label)) for m in t] for t in found.tag(TEXTS)]
    assert theirs == as_klue


def test_checkpoints_that_are_none(tmp_path: Path, folder: Path) -> None:
    nameless = checkpoint(tmp_path / "nameless", [f"LABEL_{n}" for n in range(13)])
    with pytest.raises(InputError, match=r"LABEL_0.*needed: O, and B- and I-"):
        load(f"transformers:{nameless}")
    with pytest.raises(InputError, match="neither a folder nor a model"):
        load(f"transformers:{tmp_path / 'gone'}")
    headless = shutil.copytree(folder, tmp_path / "headless")
    (headless / "model.safetensors").unlink()
    with pytest.raises(InputError, match="holds no checkpoint"):
        load(f"transformers:{headless}")
    (headless / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(InputError, match="cannot be loaded"):
        load(f"transformers:{headless}")


def test_the_digest_tells_weights_and_labels_apart(tmp_path: Path, folder: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    assert digest_of(str(copy)) == digest_of(str(folder)) == load(f"transformers:{folder}").digest
    config = json.loads((copy / "config.json").read_text("utf-8"))
    (copy / "config.json").write_text(json.dumps(config | {"id2label": {"0": "O"}}), "utf-8")
    other = checkpoint(tmp_path / "other", LABELS, seed=6)
    assert len({digest_of(str(path)) for path in (folder, copy, other)}) == 3
