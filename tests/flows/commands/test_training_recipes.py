"""Recipes: the official numbers, those set by hand, and grids."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.commands.training import grid_recipes, recipe_for
from pipeline.core.errors import InputError, SpecError
from pipeline.training.recipe import RECIPES

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
    one = recipe_for(task, "klue/bert-base", None, ())
    found = (one.learning_rate, one.batch_size, one.epochs, one.warmup, one.max_length)
    assert found == OFFICIAL[task]
    assert one.clip == 1.0


@pytest.mark.parametrize("task", OFFICIAL)
def test_a_model_that_starts_at_random_learns_faster(task: str) -> None:
    scratch, usual = (recipe_for(task, name, None, ()) for name in ("scratch:tiny", "any/model"))
    assert scratch.learning_rate > usual.learning_rate


def test_numbers_are_set_by_hand() -> None:
    one = recipe_for("tc", "any", None, ["epochs=9", "learning_rate=1.0e-4", "warmup=0.2"])
    assert (one.epochs, one.learning_rate, one.warmup, one.batch_size) == (9, 1e-4, 0.2, 32)


@pytest.mark.parametrize(
    "text", ["5e-5", "5E-5", "5e-05", "5.0e-5", ".5e-4", "50.e-6", "0.5e-4", "0.00005", "+5e-5"]
)
def test_a_number_is_written_in_any_way(text: str, tmp_path: Path) -> None:
    """YAML takes `5e-5` for a text; by hand, in a recipe and in a grid it is a number."""
    assert recipe_for("tc", "any", None, [f"learning_rate={text}"]).learning_rate == 5e-5
    file, grid = tmp_path / "mine.yaml", tmp_path / "grid.yaml"
    file.write_text(f"learning_rate: {text}\nbatch_size: 8\nepochs: 2\n")
    grid.write_text(f"learning_rate: [{text}]\ndecay: [1e-2]\n")
    assert recipe_for("tc", "any", file, ()).learning_rate == 5e-5
    ((point, one),) = grid_recipes(recipe_for("tc", "any", None, ()), grid)
    assert point == {"learning_rate": 5e-5, "decay": 0.01}
    assert (one.learning_rate, one.decay) == (5e-5, 0.01)


def test_a_recipe_without_end_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("batch_size: 8\nepochs: 2\nlearning_rate: .inf\n")
    with pytest.raises(SpecError, match=r"mine.yaml:3: learning_rate: .* finite number"):
        recipe_for("tc", "any", file, ())


def test_a_file_goes_before_the_official_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("learning_rate: 0.001\nbatch_size: 8\nepochs: 2\n")
    assert recipe_for("tc", "any", file, ()).batch_size == 8


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
        ("learning_rate=.nan", "finite number"),
        ("learning_rate=.inf", "finite number"),
        ("learning_rate=inf", "valid number"),
        ("learning_rate=1e999", "finite number"),
        ("learning_rate=5e-", "valid number"),
        ("clip=.inf", "finite number"),
        ("decay=.nan", "finite number"),
        ("epochs=1e1", "valid integer"),
        ("epochs=2020-13-45", "cannot be read"),
        ("epochs=2020-12-05", "valid integer"),
        ("epochs=!!int x", "cannot be read"),
        ("epochs=!!bool x", "cannot be read"),
        ("epochs=" + 2000 * "[", "cannot be read"),
    ],
)
def test_what_no_recipe_can_have_is_refused(given: str, told: str) -> None:
    with pytest.raises(InputError, match="--set") as caught:
        recipe_for("tc", "any", None, [given])
    assert told in str(caught.value)


def test_the_grid_is_that_of_the_paper() -> None:
    found = list(grid_recipes(recipe_for("tc", "any", None, ()), RECIPES / "grid.yaml"))
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


@pytest.mark.parametrize(
    "text",
    ["", "epochs: 3", "epochs: []", "- 3", "epochs: [3", "\x00", "epochs: [2020-13-45]"],
)
def test_a_file_that_is_no_grid_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "grid.yaml"
    file.write_text(text)
    with pytest.raises(SpecError, match=r"grid.yaml"):
        list(grid_recipes(recipe_for("tc", "any", None, ()), file))


def test_a_grid_of_unknown_names_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "grid.yaml"
    file.write_text("rate: [1, 2]\n")
    with pytest.raises(InputError, match="rate: no recipe has it"):
        list(grid_recipes(recipe_for("tc", "any", None, ()), file))
