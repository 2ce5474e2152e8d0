"""Examples that complaints took out: the next version and all later ones omit them and say so.

    withdrawn:
      - {id: sts-c0123456789abcdef0123, reason: personal_data, since: 1.1.0}

The manifest of a version lists them, so that a later version omits them though no file names them.

A reason is one word of a short list, so that the file never repeats what the complaint is about.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import field_validator

from pipeline.core.specs import Spec, load, matching

Reason = Literal["complaint", "personal_data", "copyright", "hate", "wrong", "other"]
#: Why an example may be withdrawn, and how the cards say it.
REASONS: Final[dict[str, str]] = {
    "complaint": "a complaint of somebody whom it concerns",
    "personal_data": "it shows personal data",
    "copyright": "the owner of a right objects",
    "hate": "it insults or incites",
    "wrong": "its text or label is wrong beyond repair",
    "other": "another reason, known to the maintainers",
}

Id = Annotated[
    str,
    matching(
        r"[^\s/\\]{1,200}", "the guid of an example: no blank, / or \\, at most 200 characters"
    ),
]
Version = Annotated[str, matching("[0-9A-Za-z][0-9A-Za-z.+-]*", "a version such as 1.1.0")]


class Withdrawn(Spec):
    """An example, by id, that may not be in a release; `since` is the version that first lacks it.

    `since` is None where the file does not say.
    """

    id: Id
    reason: Reason
    since: Version | None = None


class WithdrawnFile(Spec):
    """The file `withdrawn.yaml`."""

    withdrawn: list[Withdrawn]

    @field_validator("withdrawn")
    @classmethod
    def _once(cls, entries: list[Withdrawn]) -> list[Withdrawn]:
        first: dict[str, int] = {}
        for place, entry in enumerate(entries, start=1):
            if first.setdefault(entry.id, place) != place:
                raise ValueError(
                    f"entries {first[entry.id]} and {place} name the same id; keep one"
                )
        return entries


def load_withdrawn(path: Path) -> tuple[Withdrawn, ...]:
    """Read a file of withdrawn examples, in the order of their ids.

    Raises SpecError with file, line and key for what is not as it must be: an unknown key or
    reason, an id without form, an id given twice.
    """
    return tuple(sorted(load(path, WithdrawnFile).withdrawn, key=lambda entry: entry.id))
