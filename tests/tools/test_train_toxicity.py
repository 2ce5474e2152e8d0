"""Weights and card as they are written, and the shipped ones against the real dev set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from comments import SMALL, rows, write_tsv
from sklearn.metrics import average_precision_score, f1_score, precision_score, recall_score
from toxicity_card import Quality, evaluate, figures
from train_toxicity import CARD, Release, app, train_release
from typer.testing import CliRunner, Result

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_file
from pipeline.corpus.toxicity.calibration import FIELDS, Labelled, read_labelled
from pipeline.corpus.toxicity.linear import SHIPPED, WEIGHTS, load_linear, read_weights
from pipeline.corpus.toxicity.scoring import load


def test_card_names_data_licence_and_figures(weights: tuple[Path, Release]) -> None:
    folder, made = weights
    text = (folder / CARD).read_text("utf-8")
    assert figures(made.quality) in text
    assert made.model.digest in text and made.model.digest == of_file(folder / WEIGHTS)
    for part in ("CC BY-SA 4.0", "Moon, Won Ik Cho", "240 labelled comments", "- bits: 14"):
        assert part in text
    assert max(map(len, text.splitlines())) <= 120


def test_card_holds_no_comment(weights: tuple[Path, Release], dev_file: Path) -> None:
    text = (weights[0] / CARD).read_text("utf-8")
    assert not [t for t in read_labelled(dev_file).texts.to_pylist() if t in text]


def test_weights_are_not_overwritten_unless_told(
    weights: tuple[Path, Release], train_file: Path, dev_file: Path
) -> None:
    with pytest.raises(InputError, match="exists; name another folder, or replace"):
        train_release(train_file, dev_file, weights[0], recipe=SMALL)


def test_dev_comments_that_were_trained_on_are_refused(train_file: Path, tmp_path: Path) -> None:
    shared = write_tsv(tmp_path / "dev.tsv", rows(20))
    with pytest.raises(InputError, match=r"20 of its comments are in .*train.tsv too"):
        train_release(train_file, shared, tmp_path / "out", recipe=SMALL)


def test_unlabelled_comments_are_counted_once(
    train_file: Path, dev_file: Path, tmp_path: Path
) -> None:
    more = tmp_path / "more.txt"
    more.write_text("솔마을 노래\n\n솔마을 노래\n가람포 연극\n", "utf-8")
    out = tmp_path / "out"
    train_release(train_file, dev_file, out, more={"unlabelled": more}, recipe=SMALL)
    found = {"texts": 2, "left_out": 0, "sha256": of_file(more)}
    assert read_weights(out / WEIGHTS)[0]["more"]["unlabelled"] == found
    text = (out / CARD).read_text("utf-8")
    assert "2 unlabelled comments" in text and "left out" not in text
    more.write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"more.txt:1: byte 0 is not UTF-8"):
        train_release(
            train_file, dev_file, tmp_path / "other", more={"unlabelled": more}, recipe=SMALL
        )


def test_unlabelled_comments_of_the_dev_set_are_left_out(
    train_file: Path, dev_file: Path, tmp_path: Path
) -> None:
    """Weights made with dev comments among the unlabelled ones are those made without them."""
    own = ["솔마을 노래", "가람포 연극"]
    known = read_labelled(dev_file).texts.to_pylist()[:7]
    clean, mixed = tmp_path / "clean.txt", tmp_path / "mixed.txt"
    clean.write_text("\n".join(own), "utf-8")
    mixed.write_text("\n".join([own[0], *(f" {text} " for text in known), own[1]]), "utf-8")
    models = [
        train_release(
            train_file, dev_file, tmp_path / f.stem, more={"unlabelled": f}, recipe=SMALL
        ).model
        for f in (clean, mixed)
    ]
    assert (models[0].weights == models[1].weights).all()
    facts = read_weights(tmp_path / "mixed" / WEIGHTS)[0]["more"]["unlabelled"]
    assert (facts["texts"], facts["left_out"]) == (2, 7)
    assert "7 that are dev comments were left out" in (tmp_path / "mixed" / CARD).read_text("utf-8")


def test_a_folder_that_cannot_be_made_is_told(
    train_file: Path, dev_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        train_release(train_file, dev_file, tmp_path / "file" / "out", recipe=SMALL)


@pytest.fixture(scope="module")
def real_dev(data_dir: Path) -> Labelled:
    return read_labelled(data_dir / "toxicity" / "korean-hate-speech_dev.tsv")


@pytest.fixture(scope="module")
def shipped(real_dev: Labelled) -> Quality:
    return evaluate(load_linear(SHIPPED), real_dev, read_weights(SHIPPED / WEIGHTS)[0]["proposed"])


def test_shipped_weights_reach_their_targets(shipped: Quality) -> None:
    assert shipped.average_precision >= 0.79
    assert shipped.macro_f1 >= 0.60


def test_shipped_card_says_what_is_measured(shipped: Quality) -> None:
    text = (SHIPPED / CARD).read_text("utf-8")
    assert figures(shipped) in text
    assert of_file(SHIPPED / WEIGHTS) in text


def test_figures_are_those_of_scikit_learn(shipped: Quality, real_dev: Labelled) -> None:
    model = load_linear(SHIPPED)
    scores, found = model.score(real_dev.texts), model.probabilities(real_dev.texts)
    bias = scores.column("gender_bias").to_numpy()
    assert average_precision_score(real_dev.gender_bias, bias) == pytest.approx(
        shipped.average_precision, abs=5e-5
    )
    assert f1_score(real_dev.hate, found[:, 1:].argmax(1), average="macro") == pytest.approx(
        shipped.macro_f1, abs=5e-5
    )
    row = shipped.thresholds["gender_bias"][0]
    assert row.threshold == 0.5
    assert row.precision == pytest.approx(
        precision_score(real_dev.gender_bias, bias >= 0.5), abs=5e-5
    )
    assert row.recall == pytest.approx(recall_score(real_dev.gender_bias, bias >= 0.5), abs=5e-5)


def test_shipped_weights_were_made_from_the_real_data(data_dir: Path) -> None:
    facts = read_weights(SHIPPED / WEIGHTS)[0]
    for part in ("train", "dev"):
        path = data_dir / "toxicity" / f"korean-hate-speech_{part}.tsv"
        assert facts[part]["sha256"] == of_file(path)


def test_shipped_card_copies_no_comment(real_dev: Labelled) -> None:
    text = (SHIPPED / CARD).read_text("utf-8")
    assert not [t for t in real_dev.texts.to_pylist() if t in text]


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def machine(*words: str | Path) -> Any:
    return json.loads(call(*words, "--json").stdout)


@pytest.fixture(scope="module")
def trained(train_file: Path, dev_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trained") / "weights"
    result = call("--train", train_file, "--dev", dev_file, "--out", out)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("Texts: 60.\n")
    assert "the paper's" not in result.stderr and f"written: {out}" in result.stderr
    return out


def test_train_writes_weights_and_card(trained: Path) -> None:
    assert {path.name for path in trained.iterdir()} == {WEIGHTS, CARD}
    assert len(load(f"linear:{trained}").digest) == 64


def test_train_for_machines_and_force(train_file: Path, dev_file: Path, trained: Path) -> None:
    words = ("--train", train_file, "--dev", dev_file, "--out", trained)
    refused = machine(*words)
    assert refused["code"] == 2 and "--force" in refused["error"]
    before = (trained / WEIGHTS).read_bytes()
    record = machine(*words, "--force")
    assert (trained / WEIGHTS).read_bytes() == before
    assert record["digest"] == load(f"linear:{trained}").digest
    assert record["dev"]["texts"] == 60
    assert record["dev"]["macro_f1"] > 0.9


def test_train_tells_file_and_line(dev_file: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.tsv"
    bad.write_text("\t".join(FIELDS) + "\nx\tmaybe\tnone\tnone\n", "utf-8")
    result = call("--train", bad, "--dev", dev_file, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: {bad}:2: contain_gender_bias: unknown value")
    assert not (tmp_path / "out").exists()
