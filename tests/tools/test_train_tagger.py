"""Training: the same texts give the same bytes, and what is written says what it is."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from made_up import NAMES, rows, write
from train_tagger import CARD, Recipe, Trained, app, split, train
from typer.testing import CliRunner, Result

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import ROOT
from pipeline.sampling.tagging.crf import FACTS, WEIGHTS, facts_of, load_crf
from pipeline.sampling.tagging.labelled import Labelled
from pipeline.sampling.tagging.registry import load


def test_what_was_shown_is_learnt(made: tuple[Path, Trained]) -> None:
    assert made[1].quality.micro.f1 == 1.0
    assert made[1].tagger.labels == ("PS", "LC")
    text = f"77번. 어제 {NAMES[0]}은 물빛시로 떠났다."
    found = [(text[m.start : m.end], m.label) for m in load_crf(made[0]).tag([text])[0]]
    assert found == [(NAMES[0], "PS"), ("물빛시", "LC")]


def test_bytes_depend_on_the_texts_alone(made: tuple[Path, Trained], tmp_path: Path) -> None:
    items = rows(60)
    random.Random(1).shuffle(items)
    half = [write(tmp_path / "a.jsonl", items[:20]), write(tmp_path / "b.jsonl", items[20:])]
    train(half, tmp_path / "out")
    assert (tmp_path / "out" / WEIGHTS).read_bytes() == (made[0] / WEIGHTS).read_bytes()
    assert facts_of(tmp_path / "out")["quality"] == facts_of(made[0])["quality"]


def test_a_file_is_given_once(labelled_file: Path, tmp_path: Path) -> None:
    again = labelled_file.parent / ".." / labelled_file.parent.name / labelled_file.name
    with pytest.raises(InputError, match="given twice"):
        train([labelled_file, again], tmp_path / "out")


def test_seed_and_recipe_matter(
    made: tuple[Path, Trained], labelled_file: Path, tmp_path: Path
) -> None:
    train([labelled_file], tmp_path / "seed", seed=1)
    train([labelled_file], tmp_path / "recipe", recipe=Recipe(l1=1.0))
    weights = {(folder / WEIGHTS).read_bytes() for folder in (made[0], *tmp_path.iterdir())}
    assert len(weights) == 3


def test_other_types_are_trained_the_same_way(tmp_path: Path) -> None:
    names = {"PS": "PER", "LC": "POH"}
    items = rows(40)
    for item in items:
        item["gold"] = [{**span, "label": names[span["label"]]} for span in item["gold"]]
    done = train([write(tmp_path / "re.jsonl", items)], tmp_path / "out")
    assert done.tagger.labels == ("PER", "POH")
    assert done.quality.micro.f1 > 0.9


def test_the_card_claims_no_licence_for_data_it_does_not_know(made: tuple[Path, Trained]) -> None:
    text = (made[0] / CARD).read_text("utf-8")
    assert "CC BY-SA" not in text
    assert "Licence: that of the data" in text
    assert not any(name in text for name in NAMES)


def test_nothing_is_overwritten_unless_asked(
    made: tuple[Path, Trained], labelled_file: Path
) -> None:
    before = (made[0] / FACTS).read_bytes()
    with pytest.raises(InputError, match="--force"):
        train([labelled_file], made[0])
    train([labelled_file], made[0], force=True)
    assert (made[0] / FACTS).read_bytes() == before


def test_equal_texts_fall_on_one_side() -> None:
    found = [Labelled(f"{n}", "s", f"글 {n // 2}", ((0, 1, "PS"),)) for n in range(400)]
    kept, held = split(found, 0.25, seed=3)
    assert len(kept) + len(held) == 400
    assert not {one.text for one in kept} & {one.text for one in held}
    assert 60 < len(held) < 140  # 100 expected, five deviations of 200 draws are 31 * 2
    assert split(found[::-1], 0.25, seed=3)[1] == held[::-1]
    assert split(found, 0.25, seed=4)[1] != held


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, 2.0])
def test_a_share_is_a_share(share: float) -> None:
    found = [Labelled("a", "s", "글", ((0, 1, "PS"),))]
    with pytest.raises(InputError, match="between 0 and 1"):
        split(found, share, seed=0)
    with pytest.raises(InputError, match="too few"):
        split(found, 0.5, seed=0)


SAMPLE = ROOT / "data" / "sample" / "answers" / "ner.jsonl"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def machine(*words: str | Path) -> Any:
    return json.loads(run(*words, "--json").stdout)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trained") / "weights"
    result = run(SAMPLE, "--out", out, "--held-out", "0.3", "--seed", "2")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("texts: ") and f"written: {out}" in result.stderr
    return out


def test_train_writes_weights_facts_and_card(trained: Path) -> None:
    assert {path.name for path in trained.iterdir()} == {WEIGHTS, FACTS, "README.md"}
    facts = facts_of(trained)
    assert (facts["held_out"], facts["seed"]) == (0.3, 2)


def test_train_for_machines_and_force(trained: Path) -> None:
    words = (SAMPLE, "--out", trained, "--held-out", "0.3", "--seed", "2")
    refused = machine(*words)
    assert refused["code"] == 2 and "--force" in refused["error"]
    before = (trained / WEIGHTS).read_bytes()
    told = machine(*words, "--force")
    assert (trained / WEIGHTS).read_bytes() == before
    assert told["digest"] == load(f"crf:{trained}").digest
    assert told["held_out"] == facts_of(trained)["quality"]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ((SAMPLE, SAMPLE, "--out", "x"), "given twice"),
        ((SAMPLE, "--out", SAMPLE), "is a file; name a folder"),
        ((SAMPLE, "--out", "x", "--held-out", "1"), "between 0 and 1"),
    ],
)
def test_mistakes_get_one_line(
    words: tuple[str | Path, ...], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ") and what in result.stderr
    assert list(tmp_path.iterdir()) == []
