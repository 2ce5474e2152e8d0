"""The build file: which sources, from which files, with which settings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    Field,
    PrivateAttr,
    field_validator,
    model_validator,
)

from pipeline.core.buildpaths import FilePath, ModelName, TaskName
from pipeline.core.candidates_config import Candidates
from pipeline.core.specs import Many, Spec, Text, load

_VERSION = re.compile(r"(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){2}")
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]


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
    minimum: Annotated[float, Field(gt=0, le=1)] | None = None


class Thresholds(Spec):
    """Scores at or above which a sentence is dropped."""

    gender_bias: Annotated[float, Field(gt=0, le=1)]
    hate: Annotated[float, Field(gt=0, le=1)]


class Toxicity(Spec):
    """The detector of toxic text, and thresholds by source other than those of the catalogue."""

    detector: ModelName = "linear"
    thresholds: dict[str, Thresholds] = Field(default_factory=dict)


class Duplicates(Spec):
    """Near-duplicates: character-trigram Jaccard similarity at or above `threshold`."""

    threshold: Annotated[float, Field(gt=0, le=1)] = 0.8


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


def load_build(path: Path) -> Build:
    """Read a build file and make its paths absolute.

    Raises SpecError with file, line and key of every fault.
    """
    build = load(path, Build, context={"folder": path.parent})
    build._file, build._written = path, load(path, Build)
    return build
