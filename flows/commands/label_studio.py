"""A batch on a live Label Studio: what `klue label-studio push`, `pull` and `sync` do."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from flows.commands.batch_export import assigned_annotators
from flows.commands.batch_votes import import_votes
from flows.view.console import Result, print_line, say
from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.batch import Batch, folder_of
from pipeline.annotation.batches.control import tool_view
from pipeline.annotation.exchange.files import read_annotators, read_list, require_annotators
from pipeline.annotation.exchange.label_studio import CONFIG, TASKS
from pipeline.annotation.live.address import read_address
from pipeline.annotation.live.annotations import user_ids, write_export
from pipeline.annotation.live.client import Client
from pipeline.annotation.live.projects import Project, ensure_project, find_project
from pipeline.annotation.live.tabs import ensure_tabs
from pipeline.annotation.live.tasks import Progress, Task, send_tasks, with_shares
from pipeline.contracts.registry import task_of
from pipeline.core import steps, store
from pipeline.core.errors import InputError
from pipeline.core.files import read_text, refuse
from pipeline.core.wording import count

#: Where export writes what push sends, below the folder of the batch, and what pull fetches.
_EXPORT: Final = "export"
_PULLED: Final = "label-studio.json"
_WANTED: Final = "what `klue export ... --to label-studio` wrote; run it again, or name --files"


def push(*, task: str, batch: str, files: Path | None = None, work: Path) -> Result:
    """Make what a batch lacks on the server: project, tasks, and a tab for each annotator."""
    subject, address = _batch(work, task, batch), read_address(os.environ)
    config, tasks = _read_export(subject, files or subject.folder / _EXPORT)
    with store.lock(work), Client(address, say) as client:
        return _push(client, subject, config, tasks), _show_push


def pull(
    *,
    task: str,
    batch: str,
    annotators: Path | None = None,
    replace: bool,
    work: Path,
    specs: Path | None = None,
) -> Result:
    """Fetch all annotations of a batch's project, then import them as one file."""
    subject, address = _batch(work, task, batch), read_address(os.environ)
    ids = _annotators(subject, annotators)
    with store.lock(work), Client(address, say) as client:
        fetched = _fetch(client, subject, ids)
    return _take(subject, fetched, replace=replace, work=work, specs=specs)


def sync(
    *,
    task: str,
    batch: str,
    files: Path | None = None,
    annotators: Path | None = None,
    replace: bool,
    work: Path,
    specs: Path | None = None,
) -> Result:
    """Push a batch, then pull it, over one connection."""
    subject, address = _batch(work, task, batch), read_address(os.environ)
    ids = _annotators(subject, annotators)
    config, tasks = _read_export(subject, files or subject.folder / _EXPORT)
    with store.lock(work), Client(address, say) as client:
        pushed = _push(client, subject, config, tasks)
        fetched = _fetch(client, subject, ids)
    pulled, show_pull = _take(subject, fetched, replace=replace, work=work, specs=specs)

    def show(record: dict[str, Any]) -> None:
        _show_push(record["push"])
        show_pull(record["pull"])

    return {"push": pushed, "pull": pulled, "ok": pulled["ok"]}, show


def _batch(work: Path, task: str, name: str) -> Batch:
    return batches.read(folder_of(work, task_of(task).id, name))


def _read_export(batch: Batch, folder: Path) -> tuple[str, list[Task]]:
    """Return the config and the tasks of a batch; raises InputError for those of another one."""
    config = read_text(folder / CONFIG, _WANTED)
    refuse(folder / TASKS, (not (folder / TASKS).is_file(), f"no such file; give {_WANTED}"))
    tasks = [task for _, task in read_list(folder / TASKS, "as klue export writes them")]
    card, shown = batch.card, tool_view(batch)  # with the control items, ids of the tool's files
    items = set(shown.items.column("item").to_pylist())
    for number, task in enumerate(tasks, 1):
        data = task.get("data") if isinstance(task, dict) else None
        if not isinstance(data, dict):
            raise InputError(f"{folder / TASKS}, task {number}: has no data; {_WANTED}")
        names = (data.get("spec"), data.get("round"))
        if names != (card.spec, card.round) or data.get("item") not in items:
            raise InputError(
                f"{folder / TASKS}, task {number}: not of batch {card.name} ({card.spec}, round"
                f" {card.round}); give {_WANTED}"
            )
        items.discard(data["item"])
    if items:
        raise InputError(
            f"{folder / TASKS}: lacks {count(len(items), 'item')} of batch {card.name}; give"
            f" {_WANTED}"
        )
    shares = assigned_annotators(shown)
    return config, [with_shares(task, shares.get(task["data"]["item"], ())) for task in tasks]


def _push(client: Client, batch: Batch, config: str, tasks: list[Task]) -> dict[str, Any]:
    project = ensure_project(client, batch, config)
    if project.config.strip() != config.strip():
        say(
            f"the labelling config of project {project.id} differs from {CONFIG}; it stays as it is"
        )
    with _progress("sending tasks") as progress:
        sent = send_tasks(client, project, tasks, progress)
    if sent.different:
        say(f"tasks on the server with other data than {TASKS}: {sent.different:,}; they stay")
    if sent.removed:
        say(f"tasks that were there twice: {sent.removed:,}; the second, not begun, is gone")
    return {
        "batch": batch.card.name,
        "task": batch.card.task,
        "project": project.id,
        "title": project.title,
        "url": f"{client.address.url}/projects/{project.id}/data",
        "project_created": project.is_new,
        "tasks": asdict(sent),
        "tabs_created": ensure_tabs(client, project, batch.card.annotators),
        "annotators": list(batch.card.annotators),
    }


@dataclass(frozen=True)
class _Fetched:
    """The annotations of a project as a file, and whose each user id is."""

    project: Project
    path: Path
    annotators: Mapping[str, str]
    without_user: tuple[str, ...]


def _take(
    batch: Batch, fetched: _Fetched, *, replace: bool, work: Path, specs: Path | None
) -> Result:
    """Import what was fetched: the same way as `klue import`, with the same ledger."""
    record, show = import_votes(
        fetched.path,
        task=batch.card.task,
        source="label-studio",
        batch=batch.card.name,
        annotators=fetched.annotators,
        replace=replace,
        work=work,
        specs=specs,
    )
    more = {"project": fetched.project.id, "file": str(fetched.path)}
    return {**record, **more, "without_user": list(fetched.without_user)}, show


def _show_push(record: dict[str, Any]) -> None:
    made = "made" if record["project_created"] else "found"
    print_line(f"project {record['project']} ({record['title']}) {made}: {record['url']}")
    print_line(
        "tasks: {created:,} created, {existing:,} there before".format(**record["tasks"])
        + f"; {count(record['tabs_created'], 'tab')} created"
    )
    if record["annotators"]:
        print_line(
            f"tabs by the name of an annotator: {len(record['annotators']):,}; nobody was invited"
        )


def _annotators(batch: Batch, path: Path | None) -> Mapping[str, str]:
    if path is not None:
        return read_annotators(path)
    return require_annotators(batch.folder / _EXPORT / _PULLED, None)


def _fetch(client: Client, batch: Batch, annotators: Mapping[str, str]) -> _Fetched:
    """Write the annotations of a batch's project beside its export."""
    project = find_project(client, batch)
    known, without_user = user_ids(client, annotators)
    if without_user:
        say(f"no user on the server for: {', '.join(without_user)}")
    with _progress("fetching tasks") as progress:
        path = write_export(client, project, batch.folder / _EXPORT / _PULLED, progress)
    return _Fetched(project, path, known, tuple(without_user))


@contextmanager
def _progress(description: str) -> Iterator[Progress]:
    with steps.running(description):
        yield steps.follow(description)
