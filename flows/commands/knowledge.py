"""A knowledge base for RE out of dumps: what `klue knowledge build` does."""

from __future__ import annotations

from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from flows.commands.outputs import check_file
from flows.view.console import Result, print_line, say
from pipeline.contracts.spec import load_spec
from pipeline.core import steps
from pipeline.core.errors import InputError
from pipeline.core.files import input_errors, replacing
from pipeline.core.io.source import require_filled
from pipeline.core.wording import count
from pipeline.corpus.readers.base import READERS, Document, Options, Record
from pipeline.tasks.re.knowledge import Builder, create_knowledge, open_knowledge
from pipeline.tasks.re.knowledge.properties import load_properties


def build_knowledge(
    dumps: tuple[Path, ...],
    *,
    out: Path,
    properties: Path | None = None,
    all_properties: bool = False,
    force: bool,
) -> Result:
    """Write the base of dumps: of Wikidata (JSON), and of a wiki with its infoboxes (XML).

    Raises InputError for a dump that is cut off, damaged or of another form; then nothing is
    written.
    """
    check_file("--out", out, force=force)
    for path in dumps:
        require_filled(path)
    labels = {label.id: label.model_dump(mode="json") for label in load_spec("re").labels}
    relations = load_properties(properties, labels)
    with input_errors(f"--out {out}", "written"):
        out.parent.mkdir(parents=True, exist_ok=True)
    with replacing(out) as partial:
        with create_knowledge(partial) as base:
            builder = Builder(base, relations, labels, all_properties)
            for path in dumps:
                say(f"reading {path}")
                with steps.running(f"reading {path.name}"):
                    if ".xml" in path.suffixes:
                        _add_pages(builder, path)
                    else:
                        builder.add_file(path, path.name, "wikidata")
        with open_knowledge(partial) as base:
            record: dict[str, Any] = {
                **{
                    table: base.database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                    for table in ("names", "facts", "faults")
                },
                "pairs": base.pairs,
                "out": str(out),
            }
        if not record["facts"]:
            raise InputError(f"{dumps[0]}: links no two Korean names; give a dump of articles")
    return record, _show


def _add_pages(builder: Builder, path: Path) -> None:
    reader, options = READERS["mediawiki"], Options()
    scanned = steps.counted("pages", reader.scan(path, options))
    records = (item for item in scanned if isinstance(item, Record))
    for row in chain.from_iterable(reader.parse(record, options) for record in records):
        if isinstance(row, Document):
            about = {"document": row.key, "title": row.title or ""}
            for box in row.infoboxes:
                builder.add_infobox({**about, **asdict(box)}, path.name)


def _show(record: dict[str, Any]) -> None:
    print_line(
        f"{record['out']}: {count(record['names'], 'name')}, {count(record['facts'], 'fact')}"
        " between"
        f" {count(record['pairs'], 'pair')}; {count(record['faults'], 'record')} of no use"
    )
