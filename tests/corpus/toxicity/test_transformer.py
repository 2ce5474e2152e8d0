"""The `transformers` detector on tiny random checkpoints that the test makes itself, offline."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pipeline.core.checkpoint import most_tokens
from pipeline.core.errors import InputError
from pipeline.corpus.toxicity import transformer
from pipeline.corpus.toxicity.scoring import digest_of, load
from pipeline.corpus.toxicity.transformer import WANTED, Classifier, load_transformer

torch = pytest.importorskip("torch", reason="the optional part `train` is not installed")
transformers = pytest.importorskip("transformers", reason="the part `train` is not installed")

VOCAB = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "솔",
    "##마을",
    "바다",
    "노래",
    "##가",
    "좋다",
]
HATE = {0: "none", 1: "offensive", 2: "hate"}
BIAS = {0: "False", 1: "True"}
TEXTS = ("바다 노래가 좋다", "솔마을", "", "노래 " * 300, "바다", "좋다 좋다", "솔마을 바다 노래")


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def _checkpoint(folder: Path, labels: dict[int, str], *, seed: int = 0) -> Path:
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
        initializer_range=0.7,
        id2label=labels,
        label2id={label: number for number, label in labels.items()},
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        transformers.ElectraForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("checkpoints")
    return _checkpoint(folder / "bias", BIAS), _checkpoint(folder / "hate", HATE, seed=1)


def _spec(pair: tuple[Path, Path]) -> str:
    return f"transformers:{pair[0]},{pair[1]}"


def _alone(folder: Path, text: str, label: int) -> float:
    """Score one text the way the library's own manual does."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokens = tokenizer(text, return_tensors="pt", truncation=True, max_length=64)
    with torch.no_grad():
        return float(model(**tokens).logits.softmax(-1)[0, label])


def test_scores_are_the_probabilities_of_the_named_class(pair: tuple[Path, Path]) -> None:
    scores = load(_spec(pair)).score(pa.array(TEXTS))
    assert scores["gender_bias"].to_pylist() == pytest.approx(
        [_alone(pair[0], text, 1) for text in TEXTS], abs=2e-5
    )
    assert scores["hate"].to_pylist() == pytest.approx(
        [_alone(pair[1], text, 2) for text in TEXTS], abs=2e-5
    )
    assert len(set(scores["hate"].to_pylist())) > 3  # the checkpoint tells texts apart


def test_batches_keep_the_order(pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    detector = load(_spec(pair))
    whole = detector.score(pa.array(TEXTS))
    monkeypatch.setattr(transformer, "BATCH", 2)
    parts = detector.score(pa.array(TEXTS[::-1]))
    for name in whole.column_names:
        assert parts[name].to_pylist()[::-1] == whole[name].to_pylist()


def _many(n: int) -> list[str]:
    draw = np.random.default_rng(4)
    words = ("솔마을", "바다", "노래가", "좋다", "모름")
    return [" ".join(draw.choice(words, int(draw.integers(0, 60)))) for _ in range(n)]


def test_a_score_depends_on_its_text_alone(pair: tuple[Path, Path]) -> None:
    detector = load(_spec(pair))
    texts = _many(400)
    together = detector.score(pa.array(texts)).to_pylist()
    assert together == [detector.score(pa.array([text])).to_pylist()[0] for text in texts]
    assert together[:100] == detector.score(pa.array(texts[:100])).to_pylist()
    assert len({row["hate"] for row in together}) > 200


def test_what_is_left_of_batches_is_far_below_rounding(pair: tuple[Path, Path]) -> None:
    hate = load_transformer(f"{pair[0]},{pair[1]}", name="x").hate
    texts = _many(100)
    alone = np.concatenate([hate.score([text]) for text in texts])
    assert np.abs(hate.score(texts) - alone).max() < 1e-12


def test_threads_do_not_show_and_are_as_before(pair: tuple[Path, Path]) -> None:
    detector = load(_spec(pair))
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        one = detector.score(pa.array(TEXTS))
        torch.set_num_threads(2)
        assert detector.score(pa.array(TEXTS)).equals(one)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_long_texts_are_cut_to_what_the_model_takes(pair: tuple[Path, Path]) -> None:
    detector = load_transformer(f"{pair[0]},{pair[1]}", name="x")
    assert most_tokens(detector.hate.model, 256) == 64
    scores = detector.score(pa.array(["노래 " * 62, "노래 " * 5000]))["hate"].to_pylist()
    assert scores[0] == pytest.approx(scores[1], abs=2e-5)


def test_null_and_no_texts(pair: tuple[Path, Path]) -> None:
    detector = load(_spec(pair))
    both = detector.score(pa.array([None, ""], pa.string()))
    assert both["hate"][0] == both["hate"][1]
    assert detector.score(pa.array([], pa.string())).num_rows == 0


@pytest.mark.parametrize(
    ("labels", "position"),
    [({0: "none", 1: "gender", 2: "others"}, 1), ({0: "TRUE", 1: "FALSE"}, 0)],
)
def test_class_is_found_by_its_label(
    tmp_path: Path, pair: tuple[Path, Path], labels: dict[int, str], position: int
) -> None:
    bias = _checkpoint(tmp_path / "bias", labels)
    detector = load_transformer(f"{bias},{pair[1]}", name="x")
    assert isinstance(detector.gender_bias, Classifier)
    assert detector.gender_bias.wanted == position


@pytest.mark.parametrize("labels", [{0: "LABEL_0", 1: "LABEL_1"}, {0: "True", 1: "gender"}])
def test_labels_that_say_nothing_are_told(
    tmp_path: Path, pair: tuple[Path, Path], labels: dict[int, str]
) -> None:
    bias = _checkpoint(tmp_path / "bias", labels)
    with pytest.raises(InputError) as caught:
        load(f"transformers:{bias},{pair[1]}")
    for part in (str(bias), "gender_bias", *labels.values(), *WANTED["gender_bias"]):
        assert part in str(caught.value)


def test_digest_follows_the_files(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    same = _checkpoint(tmp_path / "same", HATE, seed=1)
    other = _checkpoint(tmp_path / "other", HATE, seed=2)
    digests = [load(_spec((pair[0], hate))).digest for hate in (pair[1], same, other)]
    assert digests[0] == digests[1] != digests[2]


def test_digest_needs_no_model(pair: tuple[Path, Path]) -> None:
    assert digest_of(_spec(pair)) == load(_spec(pair)).digest


def test_a_model_of_the_cache_is_loaded_by_its_name(
    tmp_path: Path, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    constants = pytest.importorskip("huggingface_hub.constants")
    stored, commit = tmp_path / "models--team--hate", "0" * 40
    shutil.copytree(pair[1], stored / "snapshots" / commit)
    (stored / "refs").mkdir()
    (stored / "refs" / "main").write_text(commit, "utf-8")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    named, wanted = load(f"transformers:{pair[0]},team/hate"), load(_spec(pair))
    assert named.digest == wanted.digest
    assert named.score(pa.array(TEXTS)).equals(wanted.score(pa.array(TEXTS)))


def _spoil(folder: Path, how: str) -> None:
    weights = folder / "model.safetensors"
    if how == "truncated":
        weights.write_bytes(weights.read_bytes()[:2000])
    elif how == "no weights":
        weights.unlink()
    elif how == "no config":
        (folder / "config.json").write_text("{", "utf-8")
    else:  # a checkpoint of another size
        config = json.loads((folder / "config.json").read_text("utf-8"))
        (folder / "config.json").write_text(json.dumps(config | {"hidden_size": 32}), "utf-8")


@pytest.mark.parametrize("how", ["truncated", "no weights", "no config", "other shape"])
def test_damaged_checkpoints_are_told(tmp_path: Path, pair: tuple[Path, Path], how: str) -> None:
    hate = _checkpoint(tmp_path / "hate", HATE)
    _spoil(hate, how)
    told = "holds no checkpoint|cannot be loaded for sequence classification"
    with pytest.raises(InputError, match=told):
        load(_spec((pair[0], hate)))


def test_a_checkpoint_without_its_classifier_is_told(
    tmp_path: Path, pair: tuple[Path, Path]
) -> None:
    folder = _checkpoint(tmp_path / "bare", HATE)
    whole = transformers.ElectraForSequenceClassification.from_pretrained(folder)
    whole.electra.save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    labels = {"id2label": {str(k): v for k, v in HATE.items()}}
    (folder / "config.json").write_text(json.dumps(config | labels), "utf-8")
    with pytest.raises(InputError, match=r"has no weights for .* parts, such as classifier"):
        load(_spec((pair[0], folder)))


@pytest.mark.parametrize("models", ["one", "one,", ",two", "one,two,three"])
def test_two_models_are_needed(models: str) -> None:
    with pytest.raises(InputError, match=r"needs two models.*transformers:koelectra"):
        load(f"transformers:{models}")


def test_missing_models_are_told(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    with pytest.raises(InputError, match=r"none: neither a folder nor a model in the local cache"):
        load(_spec((pair[0], tmp_path / "none")))
