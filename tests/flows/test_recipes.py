"""Recipes: the official numbers, those set by hand, and grids."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.recipes import chosen, points
from pipeline.baseline.recipe import RECIPES
from pipeline.core.errors import InputError, SpecError

#: The table of the official scripts: learning rate, batch, epochs, warm-up, longest input.
OFFICIAL = {
    "tc": (5e-5, 32, 4, 0.1, 128),
    "sts": (5e-5, 32, 4, 0.1, 128),
    "nli": (5e-5, 32, 5, 0.1, 128),
    "ner": (5e-5, 32, 3, 0.0, 510),
    "re": (5e-5, 32, 3, 0.1, 256),
    "dp": (5e-5, 32, 10, 0.1, 256),
    "mrc": (3e-5, 16, 5, 0.0, 510),
    "dst": (3e-5, 16, 5, 0.1, 510),
}


@pytest.mark.parametrize("task", OFFICIAL)
def test_the_usual_recipe_is_the_official_one(task: str) -> None:
    one = chosen(task, "klue/bert-base", None, ())
    found = (one.learning_rate, one.batch_size, one.epochs, one.warmup, one.max_length)
    assert found == OFFICIAL[task]
    assert one.clip == 1.0


@pytest.mark.parametrize("task", OFFICIAL)
def test_a_model_that_starts_at_random_learns_faster(task: str) -> None:
    scratch, usual = (chosen(task, name, None, ()) for name in ("scratch:tiny", "any/model"))
    assert scratch.learning_rate > usual.learning_rate


def test_numbers_are_set_by_hand() -> None:
    one = chosen("tc", "any", None, ["epochs=9", "learning_rate=1.0e-4", "warmup=0.2"])
    assert (one.epochs, one.learning_rate, one.warmup, one.batch_size) == (9, 1e-4, 0.2, 32)


def test_a_file_goes_before_the_official_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("learning_rate: 0.001\nbatch_size: 8\nepochs: 2\n")
    assert chosen("tc", "any", file, ()).batch_size == 8


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("epochs", "give NAME=VALUE"),
        ("=3", "give NAME=VALUE"),
        ("epoch=3", "no recipe has it; allowed: learning_rate, batch_size"),
        ("epochs=three", "epochs: Input should be a valid integer"),
        ("learning_rate=-1.0", "greater than 0"),
        ("warmup=2.0", "less than or equal to 1"),
        ("max_length=1", "greater than or equal to 8"),
        ("epochs=[", "cannot be read"),
        ("learning_rate=.nan", "greater than 0"),
    ],
)
def test_what_no_recipe_can_have_is_refused(given: str, told: str) -> None:
    with pytest.raises(InputError, match="--set") as caught:
        chosen("tc", "any", None, [given])
    assert told in str(caught.value)


def test_the_grid_is_that_of_the_paper() -> None:
    found = list(points(chosen("tc", "any", None, ()), RECIPES / "grid.yaml"))
    assert len(found) == 4 * 4 * 2 * 3 * 4
    assert found[0][0] == {
        "learning_rate": 1e-5,
        "warmup": 0.0,
        "decay": 0.0,
        "batch_size": 8,
        "epochs": 3,
    }
    assert all(one.max_length == 128 for _, one in found)
    assert len({one.model_dump_json() for _, one in found}) == len(found)


@pytest.mark.parametrize("text", ["", "epochs: 3", "epochs: []", "- 3", "epochs: [3", "\x00"])
def test_a_file_that_is_no_grid_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "grid.yaml"
    file.write_text(text)
    with pytest.raises(SpecError, match=r"grid.yaml"):
        list(points(chosen("tc", "any", None, ()), file))


def test_a_grid_of_unknown_names_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "grid.yaml"
    file.write_text("rate: [1, 2]\n")
    with pytest.raises(InputError, match="rate: no recipe has it"):
        list(points(chosen("tc", "any", None, ()), file))
