"""The card of a pretraining corpus: data/cards/pretraining.md.j2, filled with its manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

import yaml

from pipeline.release.cards import TEMPLATES, markdown_environment, render, size_category
from pipeline.release.pretraining.manifest import Changes, CorpusManifest, SourceEntry, Statistics

TEMPLATE: Final = TEMPLATES / "pretraining.md.j2"


class SourceDescription(Protocol):
    """What the catalogue says of a source."""

    name: str
    description: str
    address: str | None


def text(manifest: CorpusManifest, sources: Mapping[str, SourceDescription]) -> str:
    """Return the card of a corpus; `sources` are the entries of the catalogue."""
    environment = markdown_environment()
    environment.filters |= {"share": share, "gigabytes": lambda many: f"{many / 1e9:.4f}"}
    rows = manifest.sources
    values: dict[str, Any] = {
        "about": sources,
        "changes": all_changes(rows),
        "front_matter": _front_matter(manifest),
        "manifest": manifest,
        "total": manifest.total,
    }
    return render(environment.get_template(TEMPLATE.name), values)


def all_changes(sources: Mapping[str, SourceEntry]) -> Changes:
    """Return the changes of all sources together."""
    types: dict[str, int] = {}
    for source in sources.values():
        for name, many in source.changes.types.items():
            types[name] = types.get(name, 0) + many
    changes = [source.changes for source in sources.values()]
    return Changes(
        sentences=sum(change.sentences for change in changes),
        characters=sum(change.characters for change in changes),
        types=types,
    )


def share(part: int, whole: int) -> str:
    """Return a share in percent."""
    return f"{part / whole:.3%}" if whole else "0 %"


def _front_matter(manifest: CorpusManifest) -> str:
    total: Statistics = manifest.total
    data = {
        "pretty_name": manifest.name,
        "language": ["ko"],
        "license": "other",
        "multilinguality": ["monolingual"],
        "size_categories": [size_category(total.sentences)],
        "task_categories": ["fill-mask", "text-generation"],
        "configs": [{"config_name": "default", "data_files": "data/*.parquet"}],
    }
    return f"---\n{yaml.safe_dump(data, allow_unicode=True, sort_keys=False)}---"
