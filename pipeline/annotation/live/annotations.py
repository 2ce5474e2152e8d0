"""The annotations of a project on a live Label Studio, as the file that its export would be.

The file has what the import reads and no more: no names or addresses of users, no predictions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pipeline.annotation.exchange import files
from pipeline.annotation.live.client import Client
from pipeline.annotation.live.projects import Project
from pipeline.annotation.live.tasks import Progress, list_tasks
from pipeline.core.errors import InputError

_USERS: Final = "/api/users/"
#: Tasks a page: those of dialogues have up to some 100 kB.
_PAGE: Final = 50
_KEYS: Final = ("id", "result", "was_cancelled", "created_at", "updated_at", "lead_time")


def write_export(client: Client, project: Project, path: Path, progress: Progress) -> Path:
    """Write all tasks of a project with their annotations, one a line, by pages.

    The file is replaced when all pages are there, and not before; what a killed command has left of
    it is removed. The same state of the server gives the same bytes.
    """
    for part in path.parent.glob(f".{path.name}.*"):
        part.unlink()

    def step() -> Path:
        tasks = list_tasks(client, project, fields="all", page_size=_PAGE)
        return files.write_list(path, _records(client, tasks, progress))

    return client.repeat(step)


def user_ids(client: Client, annotators: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return the annotators by the server's user ids, and those who have no user there.

    Keys of `annotators` are user ids or e-mail addresses. Raises InputError where one user is two
    annotators.
    """
    users = client.get(_USERS)
    if not isinstance(users, list) or not all(isinstance(user, dict) for user in users):
        raise client.form_error(_USERS)
    ids = {str(user.get("id")): str(user.get("id")) for user in users}
    ids |= {str(user.get("email")).casefold(): str(user.get("id")) for user in users}
    by_id: dict[str, str] = {}
    absent = []
    for key, annotator in annotators.items():
        number = ids.get(key.strip().casefold())
        if number is None:
            absent.append(annotator)
        elif by_id.setdefault(number, annotator) != annotator:
            raise InputError(
                f"the map of annotators names user {number} twice, as {by_id[number]} and as"
                f" {annotator}; name each user once, by id or by e-mail address"
            )
    return by_id, sorted(absent)


def _records(
    client: Client, tasks: Iterator[dict[str, Any]], progress: Progress
) -> Iterator[dict[str, Any]]:
    for number, task in enumerate(tasks, 1):
        annotations = task.get("annotations")
        if not isinstance(annotations, list) or not all(map(_has_id, annotations)):
            raise client.form_error("/api/tasks")
        ordered = sorted(annotations, key=lambda annotation: int(annotation["id"]))
        progress(number, None)
        yield {
            "id": task["id"],
            "data": task["data"],
            "annotations": [_annotation(annotation) for annotation in ordered],
        }


def _has_id(annotation: object) -> bool:
    return isinstance(annotation, dict) and isinstance(annotation.get("id"), int)


def _annotation(annotation: Mapping[str, Any]) -> dict[str, Any]:
    user = annotation.get("completed_by")  # an id, or an object with one
    number = user.get("id") if isinstance(user, dict) else user
    return {**{key: annotation.get(key) for key in _KEYS}, "completed_by": number}
