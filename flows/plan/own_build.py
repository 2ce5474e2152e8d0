"""The build file and catalogue that `klue clean` writes for files of one's own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flows.plan.own import Input
from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.corpus.catalogue import NOT_SCREENED
from pipeline.corpus.readers import rows
from pipeline.corpus.readers.base import READERS, Options
from pipeline.pii.kinds import TYPES
from pipeline.pii.policy import DEFAULT, PROFILES

_WRITTEN: Final = "# Written by `klue clean`."
BUILD: Final = (
    _WRITTEN
    + """ Run it again, or the full build that you make of it, with:
# klue build build.yaml --work work
name: {name}
# The key of every draw: the same files, settings and seed give the same bytes.
seed: 1
catalogue: catalogue.yaml
sources:
  {name}:
    inputs:
{inputs}
# Rules of cleaning that are left out.
cleaning: {cleaning}
# Types of personal data that do not leave, that are masked, and that leave too.
personal_data: {personal}
duplicates: {duplicates}
"""
)
CATALOGUE: Final = (
    _WRITTEN
    + """ A private source is never released. To release what is built of it, give
# its licence (an SPDX identifier) in place of `private`; name the tasks that take it under `units`.
version: 1
sources:
  {name}:
    name: {name}
    private: true
    reader: {reader}
    units:
      - {{kind: {unit}, tasks: []}}
    cleaning: [noise, layout]
{toxicity}"""
)
#: What the catalogue says of toxic text; the thresholds are the highest that docs/toxicity.md has.
TOXICITY: Final = {
    "off": "",
    "flag": "    toxicity: flag\n",
    "drop": "    toxicity: {gender_bias: 0.99, hate: 0.71}\n",
}
#: Rules that text of other languages does not pass.
_KOREAN: Final = ("noise.foreign_script@1", "noise.non_korean@1")
_READERS: Final = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}
_ACTIONS: Final = ("keep", "drop", "mask", "pseudonymise")
#: What leaves a build that says nothing of personal data.
_PERSONAL: Final = PROFILES[DEFAULT][0]
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "unit": ("sentence", "whole"),
    "txt": ("document", "line"),
    "duplicates": ("drop", "keep"),
    "toxicity": ("flag", "off", "drop"),
    "language": ("ko", "any"),
    "form": ("jsonl", "parquet"),
}


@dataclass(frozen=True)
class Settings:
    """What `klue clean` was asked for; CHOICES has what each may be."""

    unit: str = "sentence"
    txt: str = "document"
    duplicates: str = "drop"
    toxicity: str = "flag"
    language: str = "ko"
    form: str = "jsonl"
    personal: str = "drop"
    key_file: Path | None = None

    def __post_init__(self) -> None:
        """Raise InputError for a value that is not allowed."""
        for option, allowed in CHOICES.items():
            value = getattr(self, option)
            message = f"{value!r} is unknown; allowed: {', '.join(allowed)}"
            refuse(f"--{option}", (value not in allowed, message))
        self.personal_data()

    def personal_data(self) -> dict[str, Any]:
        """Return the section of the build file: types that are kept, masked, and dropped besides.

        Raises InputError for an unknown type or action, and a key that lacks or has no use.
        """
        chosen = dict.fromkeys(_PERSONAL, "drop")
        for part in self.personal.split(","):
            kind, _, action = part.strip().rpartition("=")
            message = f"{part.strip()!r}: give an action ({', '.join(_ACTIONS)}) or TYPE=ACTION;"
            message += f" types: {', '.join(TYPES)}"
            refuse("--personal", (action not in _ACTIONS or kind not in ("", *TYPES), message))
            chosen |= {kind: action} if kind else dict.fromkeys(_PERSONAL, action)
        fates = {
            action: [name for name in TYPES if chosen.get(name) == action] for action in _ACTIONS
        }
        more = [name for name in fates["drop"] if name not in _PERSONAL]
        reasons = dict.fromkeys(fates["keep"], "--personal of klue clean")
        key = str(self.key_file.absolute()) if self.key_file else None
        message = "is needed for pseudonymise, and for nothing else; `openssl rand -hex 32 > KEY`"
        refuse("--key-file", (bool(key) != bool(fates["pseudonymise"]), message))
        return {**fates, "keep": reasons, "drop": more} | ({"key_file": key} if key else {})


def source_name(inputs: list[Input]) -> str:
    """Return the id of a source by the name of its first input."""
    stem = re.sub(r"[^a-z0-9]+", "_", inputs[0].path.name.partition(".")[0].lower()).strip("_")
    name = stem[:32].rstrip("_")
    is_free = re.match("[a-z]", name) and name not in NOT_SCREENED | {"all"}
    return name if is_free else f"own_{name}".rstrip("_")


def write_build(
    folder: Path, inputs: list[Input], settings: Settings, options: Options, *, force: bool
) -> Path:
    """Write build.yaml and catalogue.yaml; returns the build file.

    Raises InputError where files by others are there already, unless with `force`.
    """
    name = source_name(inputs)
    build = BUILD.format(
        name=name,
        inputs="\n".join(
            f"      - {_line(_keys(source, settings.txt, options))}" for source in inputs
        ),
        cleaning=_line({"without": list(_KOREAN) if settings.language == "any" else []}),
        personal=_line(settings.personal_data()),
        duplicates=_line({"exact": settings.duplicates}),
    )
    catalogue = CATALOGUE.format(
        name=name,
        reader="lines" if settings.txt == "line" else "files",
        unit=settings.unit,
        toxicity=TOXICITY[settings.toxicity],
    )
    for file, text in {"build.yaml": build, "catalogue.yaml": catalogue}.items():
        path = folder / file
        if not force and path.exists() and not path.read_text("utf-8").startswith(_WRITTEN):
            raise InputError(
                f"{path}: is there and not of `klue clean`; give another --out, use --force to"
                f" replace it, or run it: klue build {folder / 'build.yaml'}"
            )
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder / "build.yaml"


def _keys(source: Input, txt: str, options: Options) -> dict[str, Any]:
    keys: dict[str, Any] = {"path": str(source.path)}
    keys |= {"pattern": source.pattern} if source.pattern else {}
    keys |= {"columns": {"text": source.column}} if source.column else {}
    if source.path.is_file() and (reader := _reader(source, txt, options)):
        keys["reader"] = reader
    return keys | {name: getattr(options, name) for name in sorted(options.changed())}


def _reader(source: Input, txt: str, options: Options) -> str | None:
    """Return the reader of the form of one file, which workers read in parts, if it takes all."""
    name = {".txt": "text" if txt == "line" else None, **_READERS}.get(
        rows.ending(source.path.name)
    )
    return name if name and options.changed() <= READERS[name].takes else None


def _line(value: object) -> str:
    """Return a value as YAML on one line: JSON is YAML."""
    return json.dumps(value, ensure_ascii=False)
