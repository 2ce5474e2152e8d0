"""What a build gives STS: the selected documents, and translations of their sentences."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from pipeline.contracts.build_inputs import BuildInputs, Preparation, Resources, existing
from pipeline.core.buildfile import FilePath
from pipeline.core.errors import InputError
from pipeline.core.specs import Many, Spec, Text
from pipeline.tasks.sts.translation import stage
from pipeline.tasks.sts.translation.papago import read_access

_KEY: Final = "candidates.translator"
#: The name of an environment variable; secrets themselves are never in a build file.
Variable = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")]
#: A language as translators name it, such as en or zh-CN.
Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z]{2,4})?$")]

#: What only some kinds of translator have a use for.
_TAKES: Final[dict[str, frozenset[str]]] = {
    "file": frozenset({"paths", "format"}),
    "papago": frozenset(
        {"url", "key_variable", "secret_variable", "per_second", "retries", "timeout"}
    ),
    "seq2seq": frozenset({"paths", "codes", "beams"}),
}
_COMMON: Final = frozenset({"kind", "pivot", "honorific"})
#: Hosts that may be spoken to without encryption: this machine.
_HERE: Final = ("127.0.0.1", "localhost", "::1")


class Translator(Spec):
    """Who translates Korean sentences to `pivot` and back (Section 3.2.1).

    file: ready translations, `paths` is one file of the given format (jsonl: an object
    {"text", "back", "pivot"?} a line; klue: an official KLUE-STS file). papago: a service in
    Papago's form at `url`, asked at most `per_second` times a second, each request again up to
    `retries` times, with `timeout` seconds for an answer. seq2seq: `paths` is the folder of one
    multilingual checkpoint, or two, to the pivot and back; `codes` are its own names of languages.

    `honorific` asks for honorific Korean on the way back; a checkpoint has the style of its
    training and cannot be asked.
    """

    kind: Literal["file", "papago", "seq2seq"]
    paths: Many[FilePath] = ()
    format: Literal["jsonl", "klue"] = "jsonl"
    url: Text | None = None
    key_variable: Variable | None = None
    secret_variable: Variable | None = None
    pivot: Language = "en"
    honorific: bool = True
    per_second: Annotated[float, Field(gt=0, le=1000)] = 5.0
    retries: Annotated[int, Field(ge=0, le=20)] = 5
    timeout: Annotated[float, Field(gt=0, le=600)] = 30.0
    codes: dict[Language, Text] = Field(default_factory=dict)
    beams: Annotated[int, Field(ge=1, le=32)] = 4

    @model_validator(mode="after")
    def _whole(self) -> Translator:
        idle = sorted(self.model_fields_set - _TAKES[self.kind] - _COMMON)
        if idle:
            takes = ", ".join(sorted(_TAKES[self.kind] | _COMMON))
            raise ValueError(
                f"a translator of kind {self.kind} has no use for {', '.join(idle)}; it takes"
                f" {takes}"
            )
        if self.pivot == "ko":
            raise ValueError("pivot must be another language than ko, such as en")
        {"file": _check_file, "papago": _check_papago, "seq2seq": _check_seq2seq}[self.kind](self)
        return self


def _check_file(given: Translator) -> None:
    if len(given.paths) != 1:
        raise ValueError("a translator of kind file needs one path: paths: [translations.jsonl]")


def _check_papago(given: Translator) -> None:
    if given.key_variable is None or given.secret_variable is None:
        raise ValueError(
            "a translator of kind papago needs key_variable and secret_variable: the names of the"
            " environment variables that hold the client's id and its secret"
        )
    if given.url is None:
        return
    try:
        parts = urlsplit(given.url)
        host = parts.hostname
    except ValueError:
        host = None
    if not host or parts.username is not None:
        raise ValueError("url must be an address with a host and without a user name")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in _HERE):
        raise ValueError("url must begin with https://: the secret is sent to it")


def _check_seq2seq(given: Translator) -> None:
    if len(given.paths) not in (1, 2):
        raise ValueError(
            "a translator of kind seq2seq needs paths: the folder of one multilingual checkpoint,"
            " or two, from Korean to the pivot and back"
        )
    if "honorific" in given.model_fields_set and given.honorific:
        raise ValueError(
            "a checkpoint cannot be asked for honorific style; leave `honorific` out, and give one"
            " that was trained on such text"
        )


class Keys(Spec):
    """The keys of STS in a build file."""

    translator: Translator | None = None


def _translation(settings: Keys, sampling: Mapping[str, Any], work: Path) -> Preparation:
    """Return the stage that translates; the journal of its answers lies in the work folder."""
    asked = settings.translator
    reads = stage.translation_params(dict(sampling))
    if asked is None:
        resources = Resources({"translator": None}, {"translator": None, "journal": None})
        return Preparation(stage.__name__, reads, resources, lambda: None)
    for n, path in enumerate(asked.paths):
        existing(path, f"{_KEY}.paths.{n}", folder=asked.kind == "seq2seq")
    translator = asked.model_dump(mode="json")

    def check() -> None:
        if asked.kind == "papago":
            try:
                read_access(translator, os.environ)
            except InputError as error:
                raise InputError(f"{_KEY}: {error}") from None

    try:
        name = stage.translator_identity(translator)
    except InputError as error:
        raise InputError(f"{_KEY}: {error}") from None
    places = {"translator": translator, "journal": str(work / "translations")}
    resources = Resources({"translator": name}, places)
    return Preparation(stage.__name__, reads, resources, check)


INPUTS: Final = BuildInputs(keys=Keys, stages=("select",), preparation=_translation)
