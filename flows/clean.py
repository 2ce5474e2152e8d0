"""`klue clean`: any files of text to clean sentences or documents, by the corpus flow's stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import chain as joined
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from flows.commands.outputs import check_folder
from flows.engine.run import check_workers, count_cores, run_here
from flows.lineage.outputs import Outputs, builds_of
from flows.lineage.pointer import write_beginning, write_pointer
from flows.plan.build import BuildPlan
from flows.plan.corpus import Chain, CorpusPlan, plan_corpus
from flows.plan.own import Input, find_inputs, with_column
from flows.plan.own_build import Settings, write_build
from flows.publish.corpus import all_ledgers, cleaned_documents, read_kept_units, write_file
from flows.publish.quality_corpus import personal_of, section_of
from flows.view import funnel
from flows.view.console import Result, from_here, is_for_people, print_line, say
from flows.view.next_command import command_line
from flows.view.summary import print_lines, show_sources
from flows.view.tables import rule_table
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.files import input_errors, refuse
from pipeline.core.io.archives import ARCHIVES
from pipeline.core.join_memory import MEMORY, check_memory
from pipeline.core.pool import Workers
from pipeline.corpus.readers.base import Options
from pipeline.corpus.readers.lines import ENCODINGS
from pipeline.report.quality_page import page
from pipeline.report.record import Fact, Report, Section

#: So many records that could not be read are told at the end.
_SHOWN: Final = 5
#: What one process reads while another one starts.
_WORTH_A_WORKER: Final = 4 * 1024 * 1024


def clean(
    inputs: tuple[str, ...],
    out: Path,
    *,
    text_column: str | None = None,
    encoding: str = "utf-8",
    no_header: bool = False,
    documents: bool = False,
    workers: int | None = None,
    force: bool = False,
    **settings: Any,
) -> Result:
    """Clean files, folders and globs of text into a folder; returns the record of `--json`.

    `settings` are those of flows/plan/own_build.py, and `memory`, in MiB, as `plan_corpus` takes
    it. Raises InputError for inputs that are not
    there or cannot be read as a whole, and for a folder with other outputs.
    """
    memory = check_memory(settings.pop("memory", MEMORY))
    all_inputs = [*find_inputs(inputs, out)]
    is_lines = all(
        item.path.is_file() and not item.forms.keys() & {*ARCHIVES} for item in all_inputs
    )
    chosen = Settings(**{"txt": "line" if is_lines else "document", **settings})
    written = _file(out, chosen, documents=documents).name
    check_folder("--out", out, (written, "ledger.parquet", "report.html"), force=force)
    refuse("--encoding", (encoding not in ENCODINGS, f"allowed: {', '.join(ENCODINGS)}"))
    refuse("--no-header", (no_header and not text_column, "needs --text-column, a number from 0"))
    options = Options(encoding=encoding, header=not no_header)
    for place, item in enumerate(all_inputs):
        with _option_names():
            all_inputs[place], remark = with_column(item, text_column, options)
        if is_for_people():
            _say_input(item, remark, chosen.txt)
    workers = check_workers(_count_workers(all_inputs) if workers is None else workers)
    work = (out / "work").absolute()
    with input_errors(f"--out {out}", "written", "give another folder"):
        work.mkdir(parents=True, exist_ok=True)
    with store.lock(work), Workers(workers), _option_names():
        build = write_build(out, all_inputs, chosen, options, force=force)
        corpus = plan_corpus(build, work, memory=memory)
        plan = BuildPlan(corpus, "corpus")
        write_beginning(plan, work, frozenset())
        run_here(plan.calls)
        contents = {call.fingerprint: funnel.manifest(call).content for call in plan.calls}
        write_pointer(plan, work, frozenset(), plan.fingerprint(contents))
        (outputs,) = builds_of(work, f"{plan.name}.corpus")
        record = _write(
            corpus, outputs, _file(out, chosen, documents=documents), documents=documents
        )
    sources = {name: asdict(counts) for name, counts in funnel.funnels(corpus).items()}

    def show(record: dict[str, Any]) -> None:
        show_sources(sources)
        rule_table(sources).print()
        _show(record, corpus, out)

    return record, show


@contextmanager
def _option_names() -> Iterator[None]:
    """Name the option where an error names the key of a build file."""
    try:
        yield
    except InputError as error:
        raise InputError(_by_option(str(error))) from None


def _by_option(message: str) -> str:
    return message.replace("set encoding: ", "give --encoding ")


def _say_input(item: Input, remark: str, txt: str) -> None:
    notes = {".txt": " (each line a text)" if txt == "line" else " (each a document)"}
    counts = sorted(item.forms.items())
    forms = ", ".join(f"{n:,} {form}{notes.get(form, '')}" for form, n in counts)
    others = len(item.files) - item.forms.total()
    forms += f", {others:,} of other kinds left out" * bool(others)
    say(f"reads        {from_here(item.path / item.pattern)}: {forms}{'; ' * bool(remark)}{remark}")


def _count_workers(inputs: list[Input]) -> int:
    size = sum(path.stat().st_size for item in inputs for _, path in item.files if path.exists())
    return max(1, min(count_cores(), size // _WORTH_A_WORKER))


def _file(out: Path, chosen: Settings, *, documents: bool) -> Path:
    name = "documents" if documents else "sentences" if chosen.unit == "sentence" else "texts"
    return out / f"{name}.{chosen.form}"


def _write(corpus: CorpusPlan, outputs: Outputs, path: Path, *, documents: bool) -> dict[str, Any]:
    lost: list[pa.Table] = []
    tables = cleaned_documents(outputs, lost) if documents else read_kept_units(outputs)
    rows_out = write_file(path, tables)
    write_file(path.with_name("ledger.parquet"), joined(all_ledgers(outputs), lost))
    counts, personal = _counts(corpus, lost if documents else None), Counter[str]()
    for chain in corpus.chains:
        for leftover in personal_of(chain):
            personal[leftover.type] += leftover.pieces
    record = {
        "rows_in": rows_out + sum(counts["dropped"].values()),
        "rows_out": rows_out,
        **counts,
        "personal": dict(sorted(personal.items())),
        "out": str(path),
    }
    store.write_text(path.with_name("report.html"), page(_report(corpus, record)))
    return record


def _counts(corpus: CorpusPlan, lost: list[pa.Table] | None) -> dict[str, dict[str, int]]:
    """Return what rules dropped and edited: units, or documents where some are `lost`."""
    (source,) = funnel.funnels(corpus).values()
    if lost is None:
        return {"dropped": source.drops | source.quarantines, "edited": source.edits}
    (chain,) = corpus.chains
    whole = funnel.ledger_rules((chain.read, chain.select), "drop") | source.quarantines
    for table in lost:
        for rule in table["rule"].to_pylist():
            whole[rule] = whole.get(rule, 0) + 1
    cut = Counter(funnel.ledger_rules(chain.filters, "drop")) + Counter(source.edits)
    return {"dropped": whole, "edited": dict(sorted(cut.items()))}


def _report(corpus: CorpusPlan, record: dict[str, Any]) -> Report:
    """Return the report of one page."""
    section = section_of(corpus, {})
    parts = [part for part in section.parts if part.id != "corpus-tasks"]
    title = "From files to clean text"
    whole_section = Section(section.id, title, section.lead, charts=section.charts, parts=parts)
    dropped, edited = (sum(record[key].values()) for key in ("dropped", "edited"))
    facts = [
        Fact("rows in", record["rows_in"], "with records that gave none"),
        Fact("rows out", record["rows_out"], f"in {Path(record['out']).name}"),
        Fact("dropped", dropped, "by the rules below"),
        Fact("edits", edited, "a row may be edited by several rules"),
        Fact("personal data found", sum(record["personal"].values()), "never shown here"),
    ]
    lead = (
        "Made by `klue clean`. Examples are masked; the ledger beside this page has every decision."
    )
    return Report(corpus.build.name, lead, facts, [whole_section])


def _set_aside(chain: Chain) -> Iterator[dict[str, Any]]:
    for path in store.tables(chain.read.folder, "ledger"):
        table = store.read_table(path, "ledger")
        yield from table.filter(pc.equal(table["action"], "quarantine")).to_pylist()


def _show(record: dict[str, Any], corpus: CorpusPlan, out: Path) -> None:
    left = [f"{name} {n:,}" for name, n in funnel.personal_left(corpus).items()]
    folder = from_here(out)
    lines = {
        "rows": f"{record['rows_in']:,} in = {record['rows_out']:,} out"
        f" + {sum(record['dropped'].values()):,} dropped",
        "PII left": f"{', '.join(left)} (--personal says what goes)" if left else "",
        "text": record["out"],
        "ledger": f"{folder}/ledger.parquet",
        "report": f"{folder}/report.html",
        "try": command_line("build", folder / "build.yaml", "--work", folder / "work"),
    }
    print_line("")
    for row in islice(_set_aside(corpus.chains[0]), _SHOWN):
        print_line(f"set aside    {row['file']} line {row['line']}: {_by_option(row['reason'])}")
    (source,) = funnel.funnels(corpus).values()
    if (more := sum(source.quarantines.values()) - _SHOWN) > 0:
        print_line(f"set aside    {more:,} more, all in the ledger")
    print_lines((name, text) for name, text in lines.items() if text)
