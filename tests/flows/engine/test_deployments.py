"""prefect.yaml: what it names is there, and runs."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mini
import pytest
import release_stories
import yaml
from prefect_runs import run_of

from flows.plan.build import PARTS

FILE = mini.ROOT / "prefect.yaml"
DEPLOYMENTS: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))["deployments"]


@pytest.fixture(autouse=True)
def _server(prefect_server: None) -> Iterator[None]:
    """Use the server of the session, whatever address Prefect saw when it was imported."""
    from prefect.settings import PREFECT_API_URL, temporary_settings

    with temporary_settings({PREFECT_API_URL: os.environ["PREFECT_API_URL"]}):
        yield


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mini.ROOT)


def _flow(given: dict[str, Any]) -> str:
    return str(given["entrypoint"].partition(":")[2])


def test_every_flow_is_deployed() -> None:
    assert {_flow(given) for given in DEPLOYMENTS} == {*PARTS, "build"}
    names = [(_flow(given), given["name"]) for given in DEPLOYMENTS]
    assert len(names) == len(set(names))
    assert all(given["description"] and given["work_pool"]["name"] for given in DEPLOYMENTS)


@pytest.mark.parametrize("given", DEPLOYMENTS, ids=_flow)
def test_an_entrypoint_is_a_flow_that_takes_its_parameters(given: dict[str, Any]) -> None:
    from prefect.flows import Flow, load_flow_from_entrypoint

    found: Flow[Any, Any] = load_flow_from_entrypoint(
        given["entrypoint"], use_placeholder_flow=False
    )
    taken = inspect.signature(found.fn).parameters
    assert set(given["parameters"]) <= set(taken)
    needed = {name for name, one in taken.items() if one.default is inspect.Parameter.empty}
    assert needed <= set(given["parameters"])
    found.validate_parameters(dict(given["parameters"]))
    assert found.name == _flow(given)
    assert set(found.parameters.properties) == set(taken)
    assert all(entry["description"] for entry in found.parameters.properties.values())
    build = given["parameters"].get("build_file")
    assert build is None or (mini.ROOT / build).is_file()


def test_the_defaults_are_those_of_the_command_line() -> None:
    from flows.engine import deployments
    from flows.plan.build import RELEASES, WORK

    for name in (*PARTS, "build"):
        parameters = inspect.signature(getattr(deployments, name).fn).parameters
        defaults = {key: parameter.default for key, parameter in parameters.items()}
        assert defaults["work"] == WORK
        assert defaults.get("releases", RELEASES) == RELEASES


def test_a_deployed_flow_is_the_one_that_its_stages_belong_to(tmp_path: Path) -> None:
    """It has the earlier flows as subflows, and its own work is its own."""
    from flows.engine.deployments import annotate

    build = mini.write(tmp_path, movies=2)
    work = tmp_path / "work"
    run = run_of(lambda: annotate(build, work=work, workers=1, tasks="tc"), mark=str(work))
    assert run["name"] == "mini 1.0.0 annotate"
    children = {child["name"]: child["tasks"] for child in run["children"]}
    assert set(children) == {"mini 1.0.0 corpus", "mini 1.0.0 candidates"}
    assert "read yna" in children["mini 1.0.0 corpus"]
    assert children["mini 1.0.0 candidates"] == ["candidates tc"]
    assert run["tasks"] == ["export tc"]
    (batch,) = (work / "annotation" / "tc").iterdir()
    assert batch.name.startswith("mini-")


def test_a_release_needs_answers(tmp_path: Path) -> None:
    from flows.engine.deployments import release
    from pipeline.core.errors import KlueError

    build = mini.write(tmp_path, movies=1)
    with pytest.raises(KlueError, match="annotation: is missing"):
        release(build, work=tmp_path / "work", releases=tmp_path / "r", workers=1)
    assert not (tmp_path / "r").exists()


def test_training_needs_a_section_of_the_build_file(tmp_path: Path) -> None:
    from flows.engine.deployments import train
    from pipeline.core.errors import KlueError

    build = release_stories.build_file(tmp_path)
    with pytest.raises(KlueError, match="train: is missing; say which model"):
        train(build, work=tmp_path / "work", releases=tmp_path / "r", workers=1)
