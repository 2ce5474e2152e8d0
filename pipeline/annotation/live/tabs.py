"""A tab for each annotator of a project, which shows that annotator's tasks.

The Community edition assigns no tasks: everybody sees all of them. A tab of the Data Manager shows
those whose data name its annotator, and leaves out the columns that show what others did.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pipeline.annotation.live.client import Client
from pipeline.annotation.live.projects import Project
from pipeline.annotation.live.tasks import SHARES, share_text

_TABS: Final = "/api/dm/views"
#: The tab that Label Studio itself makes, with all tasks; the first one is what opens.
_ALL: Final = "Default"
_HIDDEN: Final = [
    "tasks:annotators",
    "tasks:annotations_results",
    "tasks:updated_by",
    f"tasks:data.{SHARES}",
]


def ensure_tabs(client: Client, project: Project, annotators: Sequence[str]) -> int:
    """Make the tabs that are missing, by title; returns how many. What is there stays as it is."""
    if not annotators:
        return 0
    created: set[str] = set()

    def step() -> int:
        there = _titles(client, project)
        for name in [name for name in (_ALL, *annotators) if name not in there]:
            client.post(f"{_TABS}/", {"project": project.id, "data": _tab(name)})
            created.add(name)
        return len(created)

    return client.repeat(step)


def _titles(client: Client, project: Project) -> set[object]:
    tabs = client.get(_TABS, {"project": project.id})
    if not isinstance(tabs, list) or not all(isinstance(tab, dict) for tab in tabs):
        raise client.form_error(_TABS)
    datas = [tab.get("data") for tab in tabs]
    return {data.get("title") for data in datas if isinstance(data, dict)}


def _tab(name: str) -> dict[str, Any]:
    if name == _ALL:
        return {"title": name}
    condition = {
        "filter": f"filter:tasks:data.{SHARES}",
        "operator": "contains",
        "type": "String",
        "value": share_text([name]),
    }
    return {
        "title": name,
        "filters": {"conjunction": "and", "items": [condition]},
        "hiddenColumns": {"explore": _HIDDEN, "labeling": _HIDDEN},
    }
