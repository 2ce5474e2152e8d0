"""prefect.yaml: what it names is there, and runs."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import mini
import pytest
import yaml

FILE = mini.ROOT / "prefect.yaml"
DEPLOYMENTS: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))["deployments"]


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mini.ROOT)


def test_deployments_have_names_of_their_own() -> None:
    names = [one["name"] for one in DEPLOYMENTS]
    assert len(names) == len(set(names)) > 0
    assert all(one["description"] and one["work_pool"]["name"] for one in DEPLOYMENTS)


@pytest.mark.parametrize("given", DEPLOYMENTS, ids=lambda one: one["name"])
def test_an_entrypoint_is_a_flow_that_takes_its_parameters(given: dict[str, Any]) -> None:
    from prefect.flows import Flow, load_flow_from_entrypoint

    found: Flow[Any, Any] = load_flow_from_entrypoint(
        given["entrypoint"], use_placeholder_flow=False
    )
    taken = inspect.signature(found.fn).parameters
    assert set(given["parameters"]) <= set(taken)
    needed = {name for name, one in taken.items() if one.default is inspect.Parameter.empty}
    assert needed <= set(given["parameters"])
    checked = found.validate_parameters(dict(given["parameters"]))
    assert checked.items() >= given["parameters"].items()
    assert set(found.parameters.properties) == set(taken)
    build = given["parameters"].get("build_file")
    assert build is None or (mini.ROOT / build).is_file()


def test_the_defaults_are_those_of_the_command_line() -> None:
    from flows.engine.deployments import annotate, build_release, publish
    from flows.plan.build import RELEASES, WORK

    for one in (build_release, annotate, publish):
        told = {name: p.default for name, p in inspect.signature(one.fn).parameters.items()}
        assert told["work"] == str(WORK)
        assert told.get("releases", str(RELEASES)) == str(RELEASES)


def test_handing_out_makes_batches_of_the_corpus(tmp_path: Path) -> None:
    """The same stages as the command line runs, as a flow that Prefect may start."""
    from flows.engine.deployments import annotate

    build = mini.write(tmp_path, movies=2)
    done = annotate(str(build), work=str(tmp_path / "work"), workers=1, tasks="tc")
    (batch,) = done["batches"]
    assert (batch["task"], batch["new"]) == ("tc", True)
    assert batch["items"] == done["candidates"]["tc"]["items"] > 0
    assert done["release"] is None
    assert Path(batch["folder"]).is_relative_to(tmp_path / "work")


def test_a_release_needs_answers(tmp_path: Path) -> None:
    from flows.engine.deployments import publish
    from pipeline.core.errors import KlueError

    build = mini.write(tmp_path, movies=1)
    with pytest.raises(KlueError, match="annotation: is missing"):
        publish(str(build), work=str(tmp_path / "work"), releases=str(tmp_path / "r"), workers=1)
    assert not (tmp_path / "r").exists()
