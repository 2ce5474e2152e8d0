"""The `linear` detector: its sums, its files, and the weights that come with the project."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file
from train_toxicity import Release

from pipeline.core.errors import InputError
from pipeline.corpus.toxicity import linear, ngrams
from pipeline.corpus.toxicity.linear import (
    SHIPPED,
    WEIGHTS,
    Linear,
    load_linear,
    probabilities,
    read_weights,
)

BITS = 12


def _model(bits: int = BITS) -> Linear:
    drawn = np.random.default_rng(5).integers(-127, 128, (1 << bits, 4)).astype(np.int8)
    return Linear(drawn, np.full(4, 0.01), np.array([-1.0, 0.3, 0.1, -0.2]))


def _reference(model: Linear, text: str) -> list[float]:
    """Add the weights of one text one by one, and take the logistic functions by `math`."""
    sums, n = [0, 0, 0, 0], 0
    for _, orders in ngrams.grams(pa.array([text]), bits=BITS):
        for buckets, valid in orders:
            for bucket in buckets[valid].tolist():
                sums = [a + int(b) for a, b in zip(sums, model.weights[bucket], strict=True)]
                n += 1
    logits = [0.01 * s / math.sqrt(n) + float(b) for s, b in zip(sums, model.biases, strict=True)]
    powers = [math.exp(z) for z in logits]
    return [1 / (1 + math.exp(-logits[0])), powers[3] / sum(powers[1:])]


def test_scores_are_those_of_a_plain_sum() -> None:
    texts = ["가람포의 밤은 길다", "ㅋㅋㅋㅋ", "a", "", "긴 글 " * 30]
    scores = _model().score(pa.array(texts))
    for i, text in enumerate(texts):
        found = [scores.column(name)[i].as_py() for name in ("gender_bias", "hate")]
        assert found == pytest.approx(_reference(_model(), text), abs=6e-7)


@given(st.lists(st.text(max_size=90), min_size=1, max_size=9))
def test_a_long_text_has_the_scores_of_its_worst_window(parts: list[str]) -> None:
    """Whatever surrounds it, a text above one window is judged by its windows, each on its own."""
    model, text = _model(), " ".join(parts)
    pieces, _ = ngrams.windows(pa.array([text]))
    assert "".join(pieces.to_pylist()) == text
    found, alone = model.score(pa.array([text])), model.score(pieces)
    for name in found.column_names:
        assert found[name][0].as_py() == max(alone[name].to_pylist())


def test_windows_are_sentences_lines_and_words() -> None:
    sentences = [
        "가람포의 밤은 길고 은여울의 낮은 짧다. ",
        "점 없는 한 줄은 그 줄의 끝까지\n",
        "아니 이건 1.5배나 길다고? ",
    ]
    words = "띄어 쓴 " * 40
    texts = pa.array(["".join(sentences * 4), "짧은 글", None, "가" * 300, words])
    pieces, starts = ngrams.windows(texts)
    own = pieces.to_pylist()
    assert starts.tolist() == [0, 12, 13, 14, 17]
    assert own[:14] == [*sentences * 4, "짧은 글", None]
    assert [len(piece) for piece in own[14:17]] == [140, 140, 20]
    assert all(piece.endswith(" ") and len(piece) <= 141 for piece in own[17:])


@given(st.lists(st.text(max_size=40), max_size=8), st.randoms())
def test_a_score_depends_on_its_text_alone(texts: list[str], random: object) -> None:
    model = _model()
    together = model.score(pa.array(texts, pa.string())).to_pylist()
    assert together == [model.score(pa.array([text])).to_pylist()[0] for text in texts]


def test_batches_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = pa.array([f"은여울 이야기 {i}" * (i % 7) for i in range(300)])
    whole = _model().score(texts)
    monkeypatch.setattr(ngrams, "BATCH", 7)
    monkeypatch.setattr(ngrams, "BATCH_CHARS", 50)
    assert _model().score(texts).equals(whole)
    assert _model().score(texts.slice(100, 50)).equals(whole.slice(100, 50))


def test_scores_have_six_decimals_and_bounds() -> None:
    for name, column in zip(
        ("gender_bias", "hate"), _model().score(pa.array(["가", "나 다"])).columns, strict=True
    ):
        values = column.to_numpy()
        assert column.type == pa.float64(), name
        assert (values == np.round(values, 6)).all() and (values >= 0).all() and (values <= 1).all()


def test_no_texts_give_no_rows() -> None:
    assert _model().score(pa.array([], pa.string())).num_rows == 0


def test_extreme_logits_are_no_fault() -> None:
    with np.errstate(all="raise", under="ignore"):
        found = probabilities(np.array([[800.0, 0, 0, 900], [-800, 5, 5, 5], [0, 0, 0, 0]]))
    assert found[0].tolist() == [1, 0, 0, 1]
    assert found[1, 0] == 0 and found[2].tolist() == pytest.approx([0.5, 1 / 3, 1 / 3, 1 / 3])


def test_weights_come_back_from_their_file(weights: tuple[Path, Release]) -> None:
    folder, made = weights
    loaded = load_linear(folder, name="linear:x")
    texts = pa.array(["솔마을 가수 노래가 참 좋다", "여자 주제에 설치네"])
    assert loaded.score(texts).equals(made.model.score(texts))
    assert (loaded.name, loaded.digest) == ("linear:x", made.model.digest)
    assert read_weights(folder / WEIGHTS)[0]["train"]["texts"] == 240


def _spoilt(folder: Path, out: Path, **changes: Any) -> Path:
    tensors: dict[str, Any] = load_file(folder / WEIGHTS) | changes
    meta = {"klue": json.dumps({"format": linear.FORMAT})}
    out.mkdir(exist_ok=True)
    save_file({k: v for k, v in tensors.items() if v is not None}, out / WEIGHTS, metadata=meta)
    return out


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"weights": np.zeros((1000, 4), np.int8)}, "int8 (1000, 4)"),
        ({"weights": np.zeros((1024, 3), np.int8)}, "(1024, 3)"),
        ({"weights": np.zeros(1024, np.int8)}, "(1024,)"),
        ({"weights": np.zeros((1024, 4), np.float32)}, "float32"),
        ({"scales": np.array([1, 1, math.nan, 1])}, "scales are not all finite"),
        ({"biases": np.array([1, math.inf, 1, 1])}, "biases are not all finite"),
        ({"biases": np.zeros(3)}, "biases are float64 (3,)"),
        ({"biases": None}, "needed: biases, scales, weights"),
    ],
)
def test_wrong_tensors_are_refused(
    weights: tuple[Path, Release], tmp_path: Path, changes: dict[str, object], told: str
) -> None:
    with pytest.raises(InputError) as caught:
        load_linear(_spoilt(weights[0], tmp_path / "w", **changes))
    assert told in str(caught.value)
    assert WEIGHTS in str(caught.value) and "tools/train_toxicity.py" in str(caught.value)


@pytest.mark.parametrize("size", [0, 5, 200, 30_000])
def test_truncated_weights_are_refused(
    weights: tuple[Path, Release], tmp_path: Path, size: int
) -> None:
    whole = (weights[0] / WEIGHTS).read_bytes()
    assert size < len(whole)
    (tmp_path / WEIGHTS).write_bytes(whole[:size])
    with pytest.raises(InputError, match=r"cannot be read .*restore the file"):
        load_linear(tmp_path)


def test_a_flipped_bit_is_seen(weights: tuple[Path, Release], tmp_path: Path) -> None:
    content = bytearray((weights[0] / linear.WEIGHTS).read_bytes())
    content[-1000] ^= 1
    (tmp_path / linear.WEIGHTS).write_bytes(content)
    with pytest.raises(InputError, match="a digest differs; restore the file"):
        linear.load_linear(tmp_path)


def test_foreign_and_missing_weights_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file; give the folder"):
        load_linear(tmp_path)
    save_file({"x": np.zeros(3)}, tmp_path / WEIGHTS)
    with pytest.raises(InputError, match="is of format None, needed"):
        load_linear(tmp_path)


def test_shipped_weights_are_small() -> None:
    assert (SHIPPED / WEIGHTS).stat().st_size < 5_000_000
    assert load_linear(SHIPPED).weights.any()
