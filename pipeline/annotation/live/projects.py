"""The project of a batch on a live Label Studio: found by its mark, or made.

The mark is a line of the project's description. It holds task and name of the batch and a digest of
its `batch.json`, which never changes; what has no such mark is never touched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pipeline.annotation.batches.batch import CARD, Batch
from pipeline.annotation.live.client import Client
from pipeline.annotation.live.transport import Query
from pipeline.core import fingerprint
from pipeline.core.errors import InputError

_PROJECTS: Final = "/api/projects"
#: Projects a page; the server allows no more.
_PAGE: Final = 100
#: The longest title that the server takes.
_TITLE: Final = 50
_NOTE: Final = (
    "Made by `klue label-studio push`, which knows this project by the line above: keep it."
)


@dataclass(frozen=True)
class Project:
    """A project on the server; `is_new` if this command made it."""

    id: int
    title: str
    config: str
    is_new: bool = False


def mark_of(batch: Batch) -> str:
    """Return the line by which the project of a batch is known."""
    return f"{_begin(batch)}{fingerprint.of_file(batch.folder / CARD)[:16]}"


def find_project(client: Client, batch: Batch) -> Project:
    """Return the project of a batch; raises InputError where there is none."""
    project = client.repeat(lambda: _find(client, batch))
    if project is None:
        others = sum(_begin(batch) in text for text, _ in _list_projects(client))
        hint = f"; {others} belong to another batch of this name" if others else ""
        raise InputError(
            f"{client.address.url}: no project of batch {batch.card.name} of {batch.card.task}"
            f"{hint}; `klue label-studio push` makes it"
        )
    return project


def ensure_project(client: Client, batch: Batch, config: str) -> Project:
    """Return the project of a batch, which is made where there is none.

    A task is complete with as many answers as the batch asks for. Raises InputError where two
    projects have its mark.
    """

    def step() -> Project:
        project = _find(client, batch)
        return _make(client, batch, config) if project is None else project

    return client.repeat(step)


def _begin(batch: Batch) -> str:
    return f"klue-rebuild {batch.card.task}/{batch.card.name} "


def _find(client: Client, batch: Batch) -> Project | None:
    mark = mark_of(batch)
    projects = [_project(client, value) for text, value in _list_projects(client) if mark in text]
    if len(projects) > 1:
        numbers = ", ".join(str(project.id) for project in projects)
        raise InputError(
            f"{client.address.url}: projects {numbers} all have the mark of batch"
            f" {batch.card.name}; remove its line from the description of all but one"
        )
    return projects[0] if projects else None


def _list_projects(client: Client) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every project that the token's owner sees, with its description."""
    query: Query = {"page_size": _PAGE, "include": "id,title,description,label_config"}
    for value in client.pages(_PROJECTS, query, key="results", total="count"):
        yield str(value.get("description") or ""), value


def _make(client: Client, batch: Batch, config: str) -> Project:
    body = {
        "title": f"KLUE {batch.card.task} {batch.card.name}"[:_TITLE],
        "description": f"{mark_of(batch)}\n{_NOTE}",
        "label_config": config,
        "maximum_annotations": batch.card.per_item,
        "show_collab_predictions": True,
    }
    project = _project(client, client.post(_PROJECTS, body))
    return Project(project.id, project.title, project.config, is_new=True)


def _project(client: Client, value: object) -> Project:
    if not isinstance(value, dict) or not isinstance(value.get("id"), int):
        raise client.form_error(_PROJECTS)
    return Project(value["id"], str(value.get("title")), str(value.get("label_config")))
