"""The section `candidates` of a build file: what sampling needs beside the corpus.

Secrets are never in it, only the names of environment variables that hold them.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, model_validator

from pipeline.core.buildpaths import FilePath, ModelName
from pipeline.core.specs import Many, Spec, Text

Count = Annotated[int, Field(ge=1, le=10_000_000)]
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
#: More people than a batch is given to, and what may name one.
_MOST_PEOPLE: Final = 10_000
_PERSON: Final = re.compile(r"[^\s,](?:[^,\n]*[^\s,])?")
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


class Knowledge(Spec):
    """A file of triples for relation extraction; `wikidata` is a JSON dump of Wikidata."""

    path: FilePath
    format: Literal["tsv", "jsonl", "wikidata"]


def _people(given: Any) -> Any:
    """Return how many annotators there are, or their names."""
    if given is None or (type(given) is int and 1 <= given <= _MOST_PEOPLE):
        return given
    named = isinstance(given, list | tuple) and all(isinstance(one, str) for one in given)
    if not named or not given or not all(_PERSON.fullmatch(one) for one in given):
        raise ValueError(
            f"must be a number from 1 to {_MOST_PEOPLE} or a list of names without commas, such as"
            " [minji, 07]"
        )
    if len(set(given)) < len(given):
        raise ValueError("names somebody twice; give each annotator once")
    return tuple(given)


class Candidates(Spec):
    """How candidates of the tasks are drawn and handed out, where it differs from the defaults.

    `specs` is a folder of annotation specs in place of the project's; `sizes` are candidates wanted
    of a task in place of its spec's number. `properties` maps infobox properties to relations,
    `known_texts` are files of texts that other benchmarks hold, `places` and `metro` real places
    and metro lines for dialogues. `annotators` are their number or their names.
    """

    specs: FilePath | None = None
    sizes: dict[str, Count] = Field(default_factory=dict)
    translator: Translator | None = None
    tagger: ModelName = "crf"
    detectors: Annotated[Many[Literal["tagger", "gazetteer"]], Field(min_length=1)] = (
        "tagger",
        "gazetteer",
    )
    knowledge: Many[Knowledge] = ()
    properties: FilePath | None = None
    known_texts: Many[FilePath] = ()
    places: FilePath | None = None
    metro: FilePath | None = None
    tool: Literal["label-studio", "doccano", "argilla", "jsonl"] = "label-studio"
    annotators: Annotated[int | tuple[str, ...] | None, BeforeValidator(_people)] = None
