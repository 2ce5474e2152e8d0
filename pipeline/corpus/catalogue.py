"""The catalogue: every candidate corpus with its rights, its nature and the tasks it may feed."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection
from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from pipeline.contracts.registry import TASKS
from pipeline.core.buildfile import Limits
from pipeline.core.errors import InputError
from pipeline.core.licences import LICENCES, licence
from pipeline.core.resources import DATA
from pipeline.core.specs import IDENTIFIER, Many, Spec, Text, load, matching
from pipeline.corpus.readers.base import READERS

#: The catalogue that comes with the project.
CATALOGUE: Final = DATA / "catalogue.yaml"
#: The five corpora of Section 4.1, which a pretraining corpus may take beside those of a catalogue.
PRETRAINING: Final = DATA / "pretraining.yaml"

#: Formal news, on which Section 2.3 does not use the detectors of toxic text: they fail there.
NOT_SCREENED: Final = frozenset({"yna", "acrofan", "ked"})
RIGHTS: Final = ("derivatives", "redistribution", "commercial")


def fed_tasks(*forms: str) -> tuple[str, ...]:
    """Return the tasks that take text from sources in one of these forms (default: any form)."""
    return tuple(
        id_ for id_, task in TASKS.items() if task.takes in (forms or ("units", "passages"))
    )


def _one_of(noun: str, allowed: Callable[[], Collection[str]]) -> AfterValidator:
    def check(value: str) -> str:
        if value not in allowed():
            raise ValueError(f"unknown {noun}; allowed: {', '.join(allowed())}")
        return value

    return AfterValidator(check)


ReaderName = Annotated[str, _one_of("reader", lambda: READERS)]
Task = Annotated[str, _one_of("task", fed_tasks)]
UnitTask = Annotated[str, _one_of("task of units", partial(fed_tasks, "units"))]
PassageTask = Annotated[str, _one_of("task of passages", partial(fed_tasks, "passages"))]
SourceId = Annotated[str, matching("[a-z][a-z0-9_]*", IDENTIFIER)]
#: Whether something is wrong with a source, and what.
_Check = tuple[object, str]


class Basis(Spec):
    """Why a source may be used, and for what.

    `only_tasks` limits a contract to the tasks it names; empty means no such limit.
    """

    kind: Literal["licence", "not_protected", "contract"]
    derivatives: bool
    redistribution: bool
    commercial: bool
    note: Text | None = None
    act: Text | None = None
    article: Text | None = None
    attribution: Text | None = None
    only_tasks: Many[Task] = ()

    def lacks(self) -> tuple[str, ...]:
        """Return the uses that a source of KLUE must allow and this one does not (Section 2.1)."""
        return tuple(right for right in RIGHTS if not getattr(self, right))

    @model_validator(mode="after")
    def _check_note(self) -> Basis:
        if self.kind != "licence" and self.note is None:
            raise ValueError(f"kind {self.kind} needs a note that says why the text may be used")
        return self


class Download(Spec):
    """One stable file. `reader` is set where its form is not the one that the source names."""

    url: Annotated[str, matching(r"https?://[^\s/]+/\S+", "an address such as https://HOST/PATH")]
    file: Annotated[
        str,
        matching(
            "[A-Za-z0-9_][A-Za-z0-9_.-]*",
            "the name of a file of A to Z, a to z, 0 to 9, -, _ and points",
        ),
    ]
    sha256: Annotated[str, matching("[0-9a-f]{64}", "64 of the characters 0-9 and a-f")] | None = (
        None
    )
    reader: ReaderName | None = None


class Timeframe(Spec):
    """Days of publication that are kept, both ends included; a missing end is open."""

    from_: date | None = Field(default=None, alias="from")
    to: date | None = None

    @model_validator(mode="after")
    def _check_order(self) -> Timeframe:
        if self.from_ is None and self.to is None:
            raise ValueError("needs from, to or both; leave timeframe out to take every date")
        if self.from_ and self.to and self.from_ > self.to:
            raise ValueError("from is later than to")
        return self


class Unit(Spec):
    """A form in which text is cut out of documents, and the tasks that take it so."""

    kind: Literal["sentence", "whole"]
    tasks: Many[UnitTask]


class Source(Spec):
    """One corpus: the columns of Table 2, its rights, where it is, how it is read and used.

    A source with a reader can be built, selected or not; only a selected one feeds tasks. What is
    not given follows from the rest: the basis from the licence (but for `none`), units from tasks
    or tasks from units. A `private` source needs no licence, and no release may hold it. Of a
    pretraining corpus, sentences of fewer characters than `shortest_sentence` leave (Section 4.1).
    """

    name: Text
    description: Text = "no description"
    licence: str
    private: bool = False
    basis: Basis
    domain: Text = "unknown"
    style: Literal["formal", "colloquial", "unknown"] = "unknown"
    ethical_risk: Literal["low", "medium", "high", "unknown"] = "unknown"
    volume: Literal["small", "medium", "large", "unknown"] = "unknown"
    contemporary: bool | None = None
    selected: bool = True
    address: Text | None = None
    download: Download | None = None
    how_to_get: Text | None = None
    timeframe: Timeframe | None = None
    snapshot: date | None = None
    reader: ReaderName | None = None
    units: Many[Unit] = ()
    passages: Many[PassageTask] = ()
    cleaning: Many[Literal["noise", "news", "wiki", "layout"]] = ("noise", "layout")
    toxicity: Limits | None = None
    shortest_sentence: Annotated[int, Field(ge=1, le=10_000)] | None = None
    tasks: Many[Task] = ()
    forbidden: dict[Task, Text] = Field(default_factory=dict)

    @property
    def buildable(self) -> bool:
        """Return whether the entry tells how to read the source and what to cut out of it."""
        return self.reader is not None and bool(self.units)

    @model_validator(mode="before")
    @classmethod
    def _fill_rights(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        is_private = value.get("private") is True
        entry: dict[str, Any] = (
            {"licence": "all-rights-reserved"} | value if is_private else {**value}
        )
        grants = LICENCES.get(str(entry.get("licence")))
        if "basis" not in entry and grants and (is_private or entry["licence"] != "none"):
            rights = {right: getattr(grants, right) for right in RIGHTS}
            entry["basis"] = {"kind": "licence", "attribution": entry.get("name"), **rights}
        return entry | _forms(entry)

    @field_validator("licence")
    @classmethod
    def _check_licence(cls, value: str) -> str:
        licence(value)
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Source:
        checks = [*_rights(self), *_assignment(self)]
        if problems := [message for fails, message in checks if fails]:
            raise ValueError("; ".join(problems))
        return self


class Catalogue(Spec):
    """All candidate sources by id, in the order of the file."""

    version: Literal[1]
    sources: Annotated[dict[SourceId, Source], Field(min_length=1)]

    @model_validator(mode="after")
    def _not_screened(self) -> Catalogue:
        formal = sorted(NOT_SCREENED & self.sources.keys())
        if wrong := [name for name in formal if self.sources[name].toxicity is not None]:
            raise ValueError(
                f"{', '.join(wrong)} may not have toxicity thresholds: the detectors fail on formal"
                " news (Section 2.3); remove toxicity"
            )
        return self

    def source(self, name: str) -> Source:
        """Return one source.

        Raises InputError that names the nearest ids.
        """
        if name in self.sources:
            return self.sources[name]
        near = difflib.get_close_matches(name, self.sources, n=3, cutoff=0.5)
        hint = f"did you mean {', '.join(near)}?" if near else f"known: {', '.join(self.sources)}"
        raise InputError(f"no source {name!r} in the catalogue; {hint}")

    def selection(self) -> dict[str, Source]:
        """Return the sources that the benchmark is built from."""
        return {name: source for name, source in self.sources.items() if source.selected}

    def feeding(self, task: str) -> tuple[str, ...]:
        """Return the ids of the sources that feed a task."""
        return tuple(name for name, source in self.sources.items() if task in source.tasks)


def load_catalogue(path: Path = CATALOGUE) -> Catalogue:
    """Read and check a catalogue.

    Raises SpecError with one line for every fault, each with file, line, source and key.
    """
    return load(path, Catalogue)


def _forms(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the units and passages that follow from the tasks of an entry, or the other way."""
    forms = {key: entry.get(key, []) for key in ("tasks", "units", "passages")}
    if not all(isinstance(value, list) for value in forms.values()):
        return {}
    if "units" in entry or "passages" in entry or not entry.get("reader"):
        units = [unit for unit in forms["units"] if isinstance(unit, dict)]
        cut = [task for unit in units for task in unit.get("tasks", ())]
        return {"tasks": entry.get("tasks", [*cut, *forms["passages"]])}
    known = [TASKS[task] for task in map(str, forms["tasks"]) if task in TASKS]
    passages = [task.id for task in known if task.takes == "passages"]
    kinds: dict[str, list[str]] = {} if known and not passages else {"sentence": []}
    for task in known:
        if task.takes == "units":
            kinds.setdefault(task.unit, []).append(task.id)
    units = [{"kind": kind, "tasks": tasks} for kind, tasks in kinds.items()]
    return {"units": units, "passages": passages}


def _rights(source: Source) -> list[_Check]:
    """What a source is used for must be allowed, by its licence, its contract or the law."""
    if source.private:
        return []
    basis, grants = source.basis, LICENCES[source.licence]
    lacks = basis.lacks()
    claimed = [right for right in RIGHTS if getattr(basis, right) and not getattr(grants, right)]
    beyond = [task for task in source.tasks if basis.only_tasks and task not in basis.only_tasks]
    return [
        (
            lacks and (source.selected or source.tasks),
            f"may not be selected: its basis does not allow {', '.join(lacks)} (a source of the"
            " benchmark must allow all three); set private: true, or selected: false and no tasks",
        ),
        (
            (basis.kind == "not_protected") != (source.licence == "none"),
            f"basis {basis.kind} does not go with licence {source.licence}",
        ),
        (
            basis.kind == "licence" and claimed,
            f"basis claims {', '.join(claimed)}, which {source.licence} does not grant",
        ),
        (
            source.selected and grants.attribution and basis.attribution is None,
            f"{source.licence} asks for attribution; add basis.attribution",
        ),
        (
            beyond,
            f"feeds {', '.join(beyond)}, but its basis covers {', '.join(basis.only_tasks)} only",
        ),
    ]


def _assignment(source: Source) -> list[_Check]:
    """Tasks, units, passages and reader must tell the same story."""
    cut = [*(task for unit in source.units for task in unit.tasks), *source.passages]
    kinds = [unit.kind for unit in source.units]
    odd = sorted(set(cut) ^ set(source.tasks))
    banned = sorted(set(source.forbidden) & set(source.tasks))
    return [
        (
            (source.units or source.selected) and source.reader is None,
            "has no reader; add one, or set selected: false and no units",
        ),
        (odd, f"tasks and the tasks in units and passages differ in {', '.join(odd)}"),
        (len(cut) != len(set(cut)), "a task takes the source in two forms of unit; keep one"),
        (len(kinds) != len(set(kinds)), "a kind of unit is given twice; merge the two"),
        (
            source.passages and "sentence" not in kinds,
            "passages need units of kind sentence (with tasks [] where no task takes them)",
        ),
        (banned, f"feeds {', '.join(banned)}, which forbidden rules out"),
        (
            source.tasks and not source.selected,
            f"is not selected, but feeds {', '.join(source.tasks)}",
        ),
    ]
