"""The build file: which sources, from which files, with which settings.

Paths become absolute when the file is loaded (core/paths.py).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import (
    BeforeValidator,
    Field,
    PrivateAttr,
    WrapValidator,
    field_validator,
    model_validator,
)

from pipeline.core.errors import SpecError
from pipeline.core.licences import OF_LABELS
from pipeline.core.paths import Checkpoint, FilePath, InputPath, ModelName, TaskName
from pipeline.core.specs import Many, Spec, Text, load, matching

_VERSION: Final = re.compile(r"(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){2}")
#: More people than a batch is given to, and what may name one.
_MOST_PEOPLE: Final = 10_000
_PERSON: Final = re.compile(r"[^\s,](?:[^,\n]*[^\s,])?")


Name = Annotated[
    str,
    matching(
        r"[a-z0-9][a-z0-9_-]{0,63}",
        "up to 64 of a to z, 0 to 9, - and _, beginning with a letter or digit",
    ),
]
Numbers = dict[str, Annotated[int, Field(ge=1, le=10_000_000)]]
Score = Annotated[float, Field(gt=0, le=1)]


class InputFile(Spec):
    """One file or folder of a source; what is not given comes from the catalogue.

    `path` may be the address of an object, or of the beginning of their keys (s3://BUCKET/KEY).
    `columns` maps the project's names to the input's columns (numbers from 0 without header);
    `only` is the one source to read of a file that holds several, `pattern` a glob of a folder.
    `name` stands for the name of the file or folder wherever a release would tell it.
    """

    path: InputPath
    name: Annotated[
        str,
        matching(
            r"[^/\\!\x00-\x1f\x7f]{0,255}",
            "at most 255 characters without /, \\, ! and control characters",
        ),
    ] = ""
    reader: str | None = None
    columns: dict[str, str | int] = Field(default_factory=dict)
    encoding: str = "utf-8"
    delimiter: str = ","
    header: bool = True
    only: str = ""
    pattern: str = ""

    @model_validator(mode="after")
    def _check_encoding(self) -> InputFile:
        try:
            "".encode(self.encoding)
        except LookupError:
            raise ValueError(
                f"unknown encoding {self.encoding!r}, such as utf-8 or cp949"
            ) from None
        return self


#: What is done with personal data by default; pipeline/pii/policy.py has what each means.
Profile = Literal["klue", "strict"]


class SourceBuild(Spec):
    """What a build takes from one source of the catalogue.

    `profile` is that of its personal data, where it is not the one that `PersonalData` gives it.
    """

    inputs: Annotated[list[InputFile], Field(min_length=1)]
    profile: Profile | None = Field(default=None, exclude_if=lambda value: value is None)


class RepeatedSpans(Spec):
    """Text of at least `length` characters that stands in at least `documents` documents."""

    length: Annotated[int, Field(ge=10, le=1000)] = 30
    documents: Annotated[int, Field(ge=2)] = 5


class Cleaning(Spec):
    """Numbers of the cleaning rules (Section 2.3), and ids of rules to leave `without`."""

    max_foreign: Annotated[int, Field(ge=0)] = 10
    repeated_spans: RepeatedSpans | None = None
    without: Many[str] = ()


class PersonalData(Spec):
    """What becomes of sentences with personal data of a type; pipeline/pii/policy.py has the rest.

    With `profile: klue` those with e-mail, web address or mention leave, as Section 2.3 says; with
    `strict` all that is personal does. Without one, klue is that of sources that are official files
    alone, and strict that of the others. Types under `drop` leave too; those under `keep` stay, for
    a reason; `mask` puts the name of its type in place of a value, `pseudonymise` a made-up value
    under the key of `key_file`. All this befalls hits of at least `minimum`.
    """

    profile: Profile | None = None
    keep: dict[str, Text] = Field(default_factory=dict)
    mask: Many[str] = ()
    pseudonymise: Many[str] = ()
    key_file: FilePath | None = None
    drop: Many[str] | None = None
    minimum: Score | None = None


class Thresholds(Spec):
    """Scores at or above which a sentence is dropped (Section 2.3)."""

    gender_bias: Score
    hate: Score


def _limits(value: object, _: object) -> object:
    if value == "flag" or isinstance(value, dict | Thresholds):
        return value if value == "flag" else Thresholds.model_validate(value)
    raise ValueError("must be flag, or thresholds gender_bias and hate")


#: What becomes of a source's toxic sentences, here or in a catalogue; those of `flag` have scores
#: and stay.
Limits = Annotated[Thresholds | Literal["flag"], WrapValidator(_limits)]


class Toxicity(Spec):
    """The detector of toxic text, and thresholds by source other than those of the catalogue."""

    detector: ModelName = "linear"
    thresholds: dict[str, Limits] = Field(default_factory=dict)


class Duplicates(Spec):
    """Near-duplicates have a trigram Jaccard similarity of `threshold`; `exact` ones leave."""

    threshold: Score = 0.8
    exact: Literal["drop", "keep"] = "drop"


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
    `key_file`, a file of random bytes, annotators' public names cannot be guessed. `label_licence`
    is that of labels, and of texts that annotators wrote (pipeline/release/licence.py).
    """

    name: Name | None = None
    version: str = "1.0.0"
    label_licence: str | None = Field(default=None, exclude_if=lambda value: value is None)
    formats: Many[Literal["klue"]] = ()
    withdrawn: FilePath | None = None
    against: Many[FilePath] = ()
    maintainer: Text | None = None
    contact: Text | None = None
    key_file: FilePath | None = None

    @field_validator("version", mode="before")
    @classmethod
    def _is_a_version(cls, value: object) -> object:
        if not isinstance(value, str) or not _VERSION.fullmatch(value):
            raise ValueError("must be three numbers with points between, such as 1.0.0")
        return value

    @field_validator("label_licence")
    @classmethod
    def _is_for_labels(cls, value: str | None) -> str | None:
        if value is not None and value not in OF_LABELS:
            raise ValueError(
                f"no licence that labels may be under; allowed: {', '.join(OF_LABELS)}"
            )
        return value


def _people(value: Any) -> Any:
    if value is None or (type(value) is int and 1 <= value <= _MOST_PEOPLE):
        return value
    names = value if isinstance(value, list | tuple) else ()
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
    of a task in place of its spec's number, `quotas` its spec's quotas (mrc: `shares`). Tasks add
    keys of their own (contracts/build_inputs.py). `annotators` are their number or their names.
    """

    specs: FilePath | None = None
    sizes: Numbers = Field(default_factory=dict)
    quotas: dict[str, Annotated[Numbers, Field(min_length=1)]] = Field(default_factory=dict)
    tool: Literal["label-studio", "doccano", "argilla", "jsonl"] = "label-studio"
    annotators: Annotated[int | tuple[str, ...] | None, BeforeValidator(_people)] = None


class Pretraining(Spec):
    """The corpus that `klue pretrain-corpus` makes of the sources (Section 4.1).

    No sentence of it holds a text of the benchmarks `against`: releases, official KLUE files or
    their folder, files of texts. A file of text has at most `shard_bytes`, unless one document
    alone is larger.
    """

    against: Annotated[Many[FilePath], Field(min_length=1)]
    shard_bytes: Annotated[int, Field(ge=1024, le=2**40)] = 2**28


class Training(Spec):
    """The models that a build ends with: `model` is trained for each task of the release.

    It is a folder or a name of the hub, or scratch:SIZE. `settings` replace numbers of the recipes.
    """

    model: Checkpoint
    settings: dict[str, float | int | str | bool] = Field(default_factory=dict)
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0


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
    train: Training | None = None
    pretraining: Pretraining | None = None
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

    def release_settings(self) -> dict[str, Any]:
        """Return all settings that decide a release, with paths as the file has them."""
        return self.written.model_dump(mode="json", exclude={"train", "pretraining"})


def load_build(path: Path, model: type[Build] = Build) -> Build:
    """Read a build file and make its paths absolute; contracts/build_inputs.py has the `model`.

    Raises SpecError with file, line and key of every fault.
    """
    try:
        build = load(path, model, context={"folder": path.parent})
    except SpecError as error:
        if not _holds_texts(path):
            raise
        raise SpecError(
            f"{path}: is a file of texts by its name; give a build file (YAML), which `klue init`"
            f" writes, or clean the texts: klue clean {path} --out DIR"
        ) from error
    build._file, build._written = path, load(path, model)
    return build


def _holds_texts(path: Path) -> bool:
    """Tell whether a file is one of texts by its name: of a form that is read, packed, or JSON."""
    from pipeline.core.io.source import READABLE, form_of

    is_other = path.suffix.lower() in {".json", *READABLE}
    return path.is_file() and (is_other or form_of(path) is not None)
