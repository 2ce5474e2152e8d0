"""The tasks of a batch on a live Label Studio: those that are not there yet are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from pipeline.annotation.live.client import Client
from pipeline.annotation.live.projects import Project
from pipeline.annotation.live.transport import MissingError, Query
from pipeline.core import schemas
from pipeline.core.errors import InputError

#: Tasks in a request: few, since dialogues are large and the server answers when all are stored.
CHUNK: Final = 50
#: The key of a task's data by which tabs tell annotators' shares apart.
SHARES: Final = "assigned"
_TASKS: Final = "/api/tasks"
_PROJECT: Final = "/api/projects"

Task = dict[str, Any]
#: Called with how many tasks are done, and of how many where that is known.
Progress = Callable[[int, int | None], None]


@dataclass(frozen=True)
class Sent:
    """Tasks that were created, were there (`different` of them with other data), were removed.

    Removed are second tasks of an item that nobody has begun: the server may still carry out what
    a killed push has asked for.
    """

    created: int
    existing: int
    different: int
    removed: int


def with_shares(task: Task, annotators: Sequence[str]) -> Task:
    """Return a task with its annotators in its data, where the filter of a tab finds them."""
    return {**task, "data": {**task["data"], SHARES: share_text(annotators)}}


def share_text(names: Sequence[str]) -> str:
    """Return names so that each is found whole: `|ann-1|ann-10|`."""
    return f"|{'|'.join(names)}|" if names else ""


def send_tasks(client: Client, project: Project, tasks: Sequence[Task], progress: Progress) -> Sent:
    """Create the tasks whose items the project lacks; what is there stays as it is."""
    wanted = {task["data"]["item"]: task for task in tasks}
    before = _by_item(client, project)
    same = [item for item in wanted if item in before]
    different = sum(wanted[item]["data"] != before[item][0]["data"] for item in same)
    if len(same) < len(wanted):
        client.repeat(lambda: _create_missing(client, project, wanted, progress))
        before = _by_item(client, project)
    removed = sum(_remove_repeated(client, before.get(item, [])) for item in wanted)
    return Sent(len(wanted) - len(same), len(same), different, removed)


def _create_missing(
    client: Client, project: Project, wanted: Mapping[str, Task], progress: Progress
) -> None:
    there = _by_item(client, project)
    missing = iter([task for item, task in wanted.items() if item not in there])
    done = len(wanted.keys() & there.keys())
    while chunk := list(islice(missing, CHUNK)):
        client.post(f"{_PROJECT}/{project.id}/import", chunk)
        done += len(chunk)
        progress(done, len(wanted))


def list_tasks(client: Client, project: Project, *, fields: str, page_size: int) -> Iterator[Task]:
    """Yield the tasks of a project in the order of their ids; `fields` is all or task_only.

    Texts that look like addresses stay as they are. Raises PassingError where tasks come and go.
    """
    query: Query = {
        "project": project.id,
        "fields": fields,
        "page_size": page_size,
        "resolve_uri": "false",
    }
    last = 0
    for task in _pages_of(client, project, query):
        number = task.get("id")
        if not isinstance(number, int) or not isinstance(task.get("data"), dict):
            raise client.form_error(_TASKS)
        if number <= last:
            raise client.change_error(_TASKS)
        last = number
        yield task


def _pages_of(client: Client, project: Project, query: Query) -> Iterator[Task]:
    try:
        yield from client.pages(_TASKS, query, key="tasks", total="total")
    except MissingError as error:
        raise InputError(
            f"{error}: project {project.id} is not on the server any more, or the token's owner may"
            " not see it; `klue label-studio push` makes a project where there is none"
        ) from None


def _by_item(client: Client, project: Project) -> dict[str, list[Task]]:
    def step() -> dict[str, list[Task]]:
        tasks = list_tasks(client, project, fields="task_only", page_size=200)
        return schemas.group((str(task["data"].get("item")), task) for task in tasks)

    return client.repeat(step)


def _remove_repeated(client: Client, tasks: Sequence[Task]) -> int:
    """Delete an item's tasks after the first that nobody has begun; returns how many."""
    removed = 0
    for task in tasks[1:]:
        path = f"{_TASKS}/{task['id']}"
        whole, drafts = client.get(path), client.get(f"{path}/drafts")
        if isinstance(whole, dict) and whole.get("annotations") == drafts == []:
            client.delete(f"{path}/")
            removed += 1
    return removed
