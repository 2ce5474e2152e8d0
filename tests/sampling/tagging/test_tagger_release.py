"""Training: the same texts give the same bytes, and what is written says what it is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from made_up import NAMES, OFFICIAL, rows, write

from pipeline.core.errors import InputError
from pipeline.sampling.tagging.crf import FACTS, WEIGHTS, facts_of, load_crf
from pipeline.sampling.tagging.training import CARD, Recipe, Trained, train


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
    train(half, tmp_path / "out", official=OFFICIAL)
    assert (tmp_path / "out" / WEIGHTS).read_bytes() == (made[0] / WEIGHTS).read_bytes()
    assert facts_of(tmp_path / "out")["quality"] == facts_of(made[0])["quality"]


def test_seed_and_recipe_matter(
    made: tuple[Path, Trained], labelled_file: Path, tmp_path: Path
) -> None:
    train([labelled_file], tmp_path / "seed", seed=1, official=OFFICIAL)
    train([labelled_file], tmp_path / "recipe", recipe=Recipe(l1=1.0), official=OFFICIAL)
    weights = {(folder / WEIGHTS).read_bytes() for folder in (made[0], *tmp_path.iterdir())}
    assert len(weights) == 3


def test_other_types_are_trained_the_same_way(tmp_path: Path) -> None:
    names = {"PS": "PER", "LC": "POH"}
    items = rows(40)
    for item in items:
        item["gold"] = [{**span, "label": names[span["label"]]} for span in item["gold"]]
    done = train([write(tmp_path / "re.jsonl", items)], tmp_path / "out", official=OFFICIAL)
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
        train([labelled_file], made[0], official=OFFICIAL)
    train([labelled_file], made[0], force=True, official=OFFICIAL)
    assert (made[0] / FACTS).read_bytes() == before
