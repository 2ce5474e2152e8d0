"""The build file: which sources, from which files, with which settings.

Paths become absolute when the file is loaded. ``${NAME}`` is an environment variable and ``~`` the
home folder; other relative paths start at the folder of the build file.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import (
    BeforeValidator,
    Field,
    PrivateAttr,
    ValidationInfo,
    field_validator,
    model_validator,
)

from pipeline.core.specs import Many, Spec, Text, load

_VERSION: Final = re.compile(r"(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){2}")
_VARIABLE: Final = re.compile(r"\$\{(\w+)\}")
#: How a path begins, in the name of a model.
_PATH: Final = ("/", ".", "~", "$")
#: The kind of model whose name may also be that of a model of the hub.
_HUB: Final = "transformers"
#: More people than a batch is given to, and what may name one.
_MOST_PEOPLE: Final = 10_000
_PERSON: Final = re.compile(r"[^\s,](?:[^,\n]*[^\s,])?")


def resolve(path: str, folder: Path) -> Path:
    """Return a path of a build file that lies in `folder` as an absolute one.

    Raises ValueError for an environment variable that is not set and an unknown home folder.
    """

    def value(match: re.Match[str]) -> str:
        setting = os.environ.get(match[1])
        if not setting:
            raise ValueError(
                f"the environment variable {match[1]} is not set, but the path needs it; set it to"
                " the folder meant"
            )
        return setting

    try:
        return (folder / Path(_VARIABLE.sub(value, path)).expanduser()).absolute()
    except RuntimeError:
        raise ValueError("no home folder is known for this path; write it in full") from None


def located(name: str, folder: Path) -> str:
    """Return the name of a model, KIND or KIND:PLACE, with absolute paths.

    A place of the kind transformers is one or two models with a comma between; each is a path if it
    begins like one (``/ . ~ $``) or is a folder there, and else the name of a model of the hub.
    Raises ValueError for a folder of two models whose path holds a comma.
    """
    kind, _, place = name.partition(":")
    if not place:
        return name
    if kind != _HUB:
        return f"{kind}:{resolve(place, folder)}"
    return f"{kind}:{','.join(_model(part.strip(), folder) for part in place.split(','))}"


def _model(name: str, folder: Path) -> str:
    if not name:
        return name
    path = resolve(name, folder)
    if not name.startswith(_PATH) and not path.is_dir():
        return name
    if "," in str(path):
        raise ValueError(f"{path}: holds a comma, which separates the two models; move the folder")
    return str(path)


def _absolute_path(given: object, info: ValidationInfo) -> Path:
    if isinstance(given, Path):
        return given
    if not isinstance(given, str) or not given.strip():
        raise ValueError("must be a path, such as ../corpora/news.jsonl")
    return resolve(given.strip(), info.context["folder"]) if info.context else Path(given.strip())


def _absolute_model(given: object, info: ValidationInfo) -> object:
    if isinstance(given, str) and info.context:
        return located(given.strip(), info.context["folder"])
    return given


def _absolute_task(given: object, info: ValidationInfo) -> object:
    if isinstance(given, str) and info.context and given.strip().startswith(_PATH):
        return str(resolve(given.strip(), info.context["folder"]))
    return given


#: A path, and the name of a model; absolute if the context of the validation has the `folder`.
FilePath = Annotated[Path, BeforeValidator(_absolute_path)]
ModelName = Annotated[str, BeforeValidator(_absolute_model)]
#: A task's id, or the path of the folder of one, which begins like a path (``/ . ~ $``).
TaskName = Annotated[str, BeforeValidator(_absolute_task)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Score = Annotated[float, Field(gt=0, le=1)]


class InputFile(Spec):
    """One file or folder of a source; what is not given comes from the catalogue.

    `columns` maps the project's names to the input's columns (numbers from 0 without header);
    `only` is the one source to read of a file that holds several.
    """

    path: FilePath
    reader: str | None = None
    columns: dict[str, str | int] = Field(default_factory=dict)
    encoding: str = "utf-8"
    delimiter: str = ","
    header: bool = True
    only: str = ""

    @model_validator(mode="after")
    def _known_encoding(self) -> InputFile:
        try:
            "".encode(self.encoding)
        except LookupError:
            raise ValueError(
                f"unknown encoding {self.encoding!r}, such as utf-8 or cp949"
            ) from None
        return self


class SourceBuild(Spec):
    """What a build takes from one source of the catalogue."""

    inputs: Annotated[list[InputFile], Field(min_length=1)]


class Cleaning(Spec):
    """Numbers of the cleaning rules (Section 2.3)."""

    max_foreign: Annotated[int, Field(ge=0)] = 10


class PersonalData(Spec):
    """Which personal data makes a sentence leave, and how sure a hit has to be.

    Without them it is as Section 2.3 says, at the confidence of `pipeline.pii.kinds`.
    """

    drop: list[str] | None = None
    minimum: Score | None = None


class Thresholds(Spec):
    """Scores at or above which a sentence is dropped."""

    gender_bias: Score
    hate: Score


class Toxicity(Spec):
    """The detector of toxic text, and thresholds by source other than those of the catalogue."""

    detector: ModelName = "linear"
    thresholds: dict[str, Thresholds] = Field(default_factory=dict)


class Duplicates(Spec):
    """Near-duplicates: character-trigram Jaccard similarity at or above `threshold`."""

    threshold: Score = 0.8


class Annotation(Spec):
    """Where the answers of annotators come from; without this section a build ends with batches.

    simulated: answers are made up from truths (files TASK.jsonl of the folder `truths`, those of
    the sample if it is not given), and all that follows is marked so. imported: they are the vote
    files `votes`, or without them what `klue import` took into the batches of the work directory.
    """

    mode: Literal["simulated", "imported"]
    votes: Many[FilePath] = ()
    truths: FilePath | None = None

    @model_validator(mode="after")
    def _goes_together(self) -> Annotation:
        if self.mode == "simulated" and self.votes:
            raise ValueError("mode simulated takes no votes; use mode: imported")
        if self.mode == "imported" and self.truths is not None:
            raise ValueError("mode imported takes no truths; use mode: simulated")
        return self


class Publication(Spec):
    """The release that a build ends with.

    `name` is that of the build if it is not given. `formats` are written beside Parquet: klue is
    the official form. `withdrawn` is a file of examples that complaints removed, `against` files
    that no test example may leak into, `maintainer` and `contact` stand on the cards. With
    `key_file`, a file of random bytes, annotators' public names cannot be guessed.
    """

    name: Name | None = None
    version: str = "1.0.0"
    formats: Many[Literal["klue"]] = ()
    withdrawn: FilePath | None = None
    against: Many[FilePath] = ()
    maintainer: Text | None = None
    contact: Text | None = None
    key_file: FilePath | None = None

    @field_validator("version", mode="before")
    @classmethod
    def _is_a_version(cls, given: object) -> object:
        if not isinstance(given, str) or not _VERSION.fullmatch(given):
            raise ValueError("must be three numbers with points between, such as 1.0.0")
        return given


def _people(given: Any) -> Any:
    if given is None or (type(given) is int and 1 <= given <= _MOST_PEOPLE):
        return given
    names = given if isinstance(given, list | tuple) else ()
    if not names or not all(isinstance(name, str) and _PERSON.fullmatch(name) for name in names):
        raise ValueError(
            f"must be a number from 1 to {_MOST_PEOPLE} or a list of names without commas, such as"
            " [minji, 07]"
        )
    if len(set(names)) < len(names):
        raise ValueError("names somebody twice; give each annotator once")
    return tuple(names)


class Candidates(Spec):
    """How candidates of the tasks are drawn and distributed, where it differs from the defaults.

    `specs` is a folder of annotation specs in place of the project's; `sizes` are candidates wanted
    of a task in place of its spec's number. `annotators` are their number or their names. Tasks add
    keys of their own (contracts/build_inputs.py).
    """

    specs: FilePath | None = None
    sizes: dict[str, Annotated[int, Field(ge=1, le=10_000_000)]] = Field(default_factory=dict)
    tool: Literal["label-studio", "doccano", "argilla", "jsonl"] = "label-studio"
    annotators: Annotated[int | tuple[str, ...] | None, BeforeValidator(_people)] = None


class Build(Spec):
    """A build file, with absolute paths.

    `sources` maps ids of the catalogue to their inputs. `tasks` are the ids of tasks and the
    folders of own ones; without them, all tasks that the sources feed.
    """

    name: Name
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    catalogue: FilePath
    sources: Annotated[dict[str, SourceBuild], Field(min_length=1)]
    tasks: Many[TaskName] = ()
    cleaning: Cleaning = Cleaning()
    personal_data: PersonalData = PersonalData()
    toxicity: Toxicity = Toxicity()
    duplicates: Duplicates = Duplicates()
    candidates: Candidates = Candidates()
    annotation: Annotation | None = None
    release: Publication = Publication()
    _file: Path = PrivateAttr(default=Path("build.yaml"))
    _written: Build | None = PrivateAttr(default=None)

    @property
    def file(self) -> Path:
        """Return the file that it was loaded from, which errors name."""
        return self._file

    @property
    def written(self) -> Build:
        """Return the same with paths as the file has them, which say nothing of this machine."""
        return self._written or self


def load_build(path: Path, model: type[Build] = Build) -> Build:
    """Read a build file and make its paths absolute; contracts/build_inputs.py has the `model`.

    Raises SpecError with file, line and key of every fault.
    """
    build = load(path, model, context={"folder": path.parent})
    build._file, build._written = path, load(path, model)
    return build
