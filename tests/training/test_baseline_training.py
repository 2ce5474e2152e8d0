"""The training loop: schedule, best weights, and going on as if nothing had happened."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import get_linear_schedule_with_warmup

from pipeline.training.batches import ExampleBatches
from pipeline.training.features import Features, ragged
from pipeline.training.head import Batch, Network, Outputs
from pipeline.training.job import accelerator
from pipeline.training.recipe import Recipe
from pipeline.training.training import DivergedError, Point, Progress, Training, number, rate, train

RECIPE = Recipe(learning_rate=0.05, batch_size=4, epochs=3, warmup=0.1, decay=0.01)
MANY = 22


class Guess(Network):
    """Tells the first token from a mean of embeddings, with some dropout."""

    def __init__(self) -> None:
        super().__init__(torch.nn.Embedding(8, 6))
        self.drop = torch.nn.Dropout(0.2)
        self.head = torch.nn.Linear(6, 8)

    def forward(self, batch: Batch) -> Outputs:
        mask = batch["attention_mask"][..., None].float()
        mean = (self.body(batch["input_ids"]) * mask).sum(1) / mask.sum(1)
        logits = self.head(self.drop(mean))
        return {
            "logits": logits,
            "loss": torch.nn.functional.cross_entropy(logits, batch["target"]),
        }


def features() -> Features:
    rows = [[1 + i % 7] * (1 + i % 5) for i in range(MANY)]
    target = np.array([row[0] for row in rows], dtype=np.int64)
    return Features(np.arange(MANY, dtype=np.int32), ragged(rows), columns={"target": target})


def job(
    *,
    recipe: Recipe = RECIPE,
    evaluate: Callable[[], Mapping[str, float | None]] = dict,
    keep: Callable[[], None] = lambda: None,
    metric: str = "accuracy",
    stop: Callable[[], bool] = lambda: False,
    tell: Callable[[Point], None] = lambda _: None,
) -> Training:
    torch.manual_seed(number(3, "weights"))
    return Training(
        network=Guess(),
        batches=ExampleBatches(
            features(), [f"e{i}#0" for i in range(MANY)], size=recipe.batch_size, seed=3, pad=0
        ),
        recipe=recipe,
        seed=3,
        evaluate=evaluate,
        keep=keep,
        metric=metric,
        tell=tell,
        stop=stop,
    )


def run(made: Training, state: Path) -> Progress:
    torch.set_num_threads(1)
    return train(made, accelerator("float32"), state)


def weights(made: Training) -> dict[str, torch.Tensor]:
    return {name: one.detach().clone() for name, one in made.network.state_dict().items()}


def test_the_rate_is_that_of_transformers() -> None:
    steps = 40
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=RECIPE.learning_rate)
    schedule = get_linear_schedule_with_warmup(optimizer, math.ceil(0.1 * steps), steps)
    for step in range(steps):
        assert rate(RECIPE, step, steps) == pytest.approx(schedule.get_last_lr()[0])
        optimizer.step()
        schedule.step()


def test_a_network_learns(tmp_path: Path) -> None:
    points: list[Point] = []
    progress = run(
        job(recipe=RECIPE.model_copy(update={"epochs": 20}), tell=points.append), tmp_path / "s"
    )
    assert progress.step == 20 * 6
    assert [point.epoch for point in points] == list(range(1, 21))
    assert points[0].loss > 1.5
    assert points[-1].loss < 0.3
    assert progress.inputs == 20 * MANY


@pytest.mark.parametrize("after", [1, 5, 6, 7, 12, 17])
def test_an_interrupted_run_goes_on_as_if_it_had_not_been(tmp_path: Path, after: int) -> None:
    whole = job()
    straight = run(whole, tmp_path / "straight")
    steps = iter(range(1, 100))
    broken = job(stop=lambda: next(steps) == after)
    with pytest.raises(KeyboardInterrupt):
        run(broken, tmp_path / "broken")
    resumed = job()
    again = run(resumed, tmp_path / "broken")
    assert again.step == straight.step == 18
    assert again.last == pytest.approx(straight.last, abs=1e-7)
    assert [p.loss for p in again.points] == pytest.approx(
        [p.loss for p in straight.points], abs=1e-7
    )
    for name, one in weights(whole).items():
        torch.testing.assert_close(weights(resumed)[name], one, rtol=0, atol=1e-7)


def test_a_run_that_dies_goes_on_from_what_was_saved_last(tmp_path: Path) -> None:
    whole = job()
    straight = run(whole, tmp_path / "straight")

    class DiedError(Exception):
        pass

    def die() -> bool:
        die.steps += 1  # type: ignore[attr-defined]
        if die.steps == 9:  # type: ignore[attr-defined]
            raise DiedError
        return False

    die.steps = 0  # type: ignore[attr-defined]
    with pytest.raises(DiedError):
        run(job(stop=die), tmp_path / "died")
    resumed = job()
    assert run(resumed, tmp_path / "died").last == pytest.approx(straight.last, abs=1e-7)
    torch.testing.assert_close(weights(resumed), weights(whole), rtol=0, atol=1e-7)


def test_the_best_evaluation_is_kept(tmp_path: Path) -> None:
    scores = iter([40.0, None, 70.0, 70.0, float("nan"), 60.0])
    kept: list[int] = []
    points: list[Point] = []
    made = job(
        recipe=RECIPE.model_copy(update={"evaluate": 2}),
        evaluate=lambda: {"other": 99.0, "accuracy": next(scores)},
        keep=lambda: kept.append(len(points)),
        tell=points.append,
    )
    progress = run(made, tmp_path / "s")
    assert kept == [0, 2]
    assert progress.best == 2
    assert progress.chosen.scores["accuracy"] == 70.0
    assert [point.step for point in points] == [3, 6, 9, 12, 15, 18]


STORY = ({"pearson": 10.0, "f1": 9.0}, {"pearson": 30.0, "f1": 1.0}, {"pearson": 20.0, "f1": 50.0})


def told(kept: list[float]) -> Training:
    """Return a training whose three evaluations score as in STORY, whoever makes them."""
    made = job(
        metric="pearson",
        evaluate=lambda: STORY[round(sum(made.network.seen.tolist()))],  # type: ignore[union-attr]
        keep=lambda: kept.append(made.network.seen.item()),  # type: ignore[union-attr, operator]
        tell=lambda _: made.network.seen.add_(1),  # type: ignore[union-attr, operator]
    )
    made.network.register_buffer("seen", torch.zeros(1))
    return made


@pytest.mark.parametrize("after", [3, 6, 7, 12, 13, 17, 18])
def test_the_same_metric_decides_after_an_interruption(tmp_path: Path, after: int) -> None:
    """The first score is the last by its name, and the other one is best at another time."""
    straight = run(told([]), tmp_path / "straight")
    assert straight.best == 1
    kept: list[float] = []
    broken = told(kept)
    steps = iter(range(1, 100))
    with pytest.raises(KeyboardInterrupt):
        run(replace(broken, stop=lambda: next(steps) == after), tmp_path / "broken")
    resumed = run(told(kept), tmp_path / "broken")
    assert kept == [0, 1]
    assert (resumed.best, resumed.points) == (1, straight.points)
    assert list(resumed.chosen.scores) == ["pearson", "f1"]


def test_who_asks_to_stop_does_not_wait_for_an_evaluation(tmp_path: Path) -> None:
    scored: list[int] = []

    def evaluate() -> Mapping[str, float]:
        scored.append(1)
        return {"accuracy": 1.0}

    with pytest.raises(KeyboardInterrupt):
        run(job(evaluate=evaluate, stop=lambda: True), tmp_path / "one")
    steps = iter(range(1, 100))
    with pytest.raises(KeyboardInterrupt):
        run(job(evaluate=evaluate, stop=lambda: next(steps) == 6), tmp_path / "two")
    assert scored == []
    points: list[Point] = []
    run(job(evaluate=evaluate, tell=points.append), tmp_path / "two")
    assert [point.step for point in points] == [6, 12, 18]


def test_an_evaluation_that_is_broken_off_is_made_again(tmp_path: Path) -> None:
    straight = run(job(evaluate=lambda: {"accuracy": 1.0}), tmp_path / "straight")

    def broken() -> Mapping[str, float]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(job(evaluate=broken), tmp_path / "s")
    learnt: list[int] = []
    made = replace(
        job(evaluate=lambda: {"accuracy": 1.0}), done=lambda step, _: learnt.append(step)
    )
    assert run(made, tmp_path / "s").points == straight.points
    assert learnt == list(range(7, 19))


@pytest.mark.parametrize("times", [1, 2, 6, 50])
def test_the_loss_of_the_last_epoch_is_its_mean(tmp_path: Path, times: int) -> None:
    """However often dev is scored, which changes nothing in the training."""
    made = job(recipe=RECIPE.model_copy(update={"evaluate": times}))
    losses: list[tuple[float, int]] = []
    forward = made.network.forward

    def heard(batch: Batch) -> Outputs:
        out = forward(batch)
        losses.append((out["loss"].item(), len(batch["input_ids"])))
        return out

    made.network.forward = heard  # type: ignore[method-assign]
    progress = run(made, tmp_path / "s")
    assert len(losses) == 18
    assert progress.last_epoch == pytest.approx(sum(one * n for one, n in losses[-6:]) / MANY)
    assert len(progress.points) == 3 * min(times, 6)


def test_without_a_step_there_is_no_loss(tmp_path: Path) -> None:
    made = job(recipe=RECIPE.model_copy(update={"epochs": 0}))
    assert run(made, tmp_path / "s").last_epoch is None


def test_a_first_evaluation_without_a_number_is_kept(tmp_path: Path) -> None:
    kept: list[int] = []
    run(job(evaluate=lambda: {"pearson": None}, keep=lambda: kept.append(1)), tmp_path / "s")
    assert kept == [1]


def test_no_epoch_scores_the_model_as_it_is(tmp_path: Path) -> None:
    made = job(recipe=RECIPE.model_copy(update={"epochs": 0}), evaluate=lambda: {"accuracy": 5.0})
    before = weights(made)
    progress = run(made, tmp_path / "s")
    assert progress.step == 0
    assert progress.chosen.scores == {"accuracy": 5.0}
    torch.testing.assert_close(weights(made), before, rtol=0, atol=0)


def test_a_loss_that_is_no_number_is_an_error(tmp_path: Path) -> None:
    recipe = RECIPE.model_copy(update={"learning_rate": 1e30, "warmup": 0.0, "clip": 1e30})
    with pytest.raises(DivergedError, match="lower learning_rate"):
        run(job(recipe=recipe), tmp_path / "s")


def test_biases_do_not_decay(tmp_path: Path) -> None:
    """With no gradient, decay alone moves weights: AdamW takes lr x decay of them a step."""
    recipe = RECIPE.model_copy(
        update={"decay": 0.5, "epochs": 1, "warmup": 0.0, "learning_rate": 0.1, "clip": 1e-12}
    )
    made = job(recipe=recipe)
    before = weights(made)
    run(made, tmp_path / "s")
    shrunk = math.prod(1 - rate(recipe, step, 6) * 0.5 for step in range(6))
    unused = 0  # the embedding of padding gets no gradient
    torch.testing.assert_close(
        weights(made)["body.weight"][unused], before["body.weight"][unused] * shrunk
    )
    assert not torch.equal(weights(made)["head.weight"], before["head.weight"])


def test_bf16_learns_too(tmp_path: Path) -> None:
    made = job(recipe=RECIPE.model_copy(update={"epochs": 20}))
    progress = train(made, accelerator("bf16"), tmp_path / "s")
    assert progress.points[-1].loss < 0.5
    assert made.network.head.weight.dtype == torch.float32  # type: ignore[union-attr]
