"""What a build gives TC: the headlines of the selected articles, and their sections and dates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, Literal

from pydantic import Field

from pipeline.contracts.build_inputs import BuildInputs, Resources
from pipeline.contracts.spec import TaskSpec
from pipeline.core.errors import InputError
from pipeline.core.specs import Many, Spec, Text
from pipeline.tasks.tc.candidates import ANY, Sections
from pipeline.tasks.tc.spec import TcSampling


class Keys(Spec):
    """The keys of TC in a build file.

    `sections` are more names of the spec's press sections, as the sources write them, or `any`:
    headlines are drawn as they come, whatever their section. `evaluation_from` is the day from
    which on headlines are for dev and test, in place of the spec's.
    """

    sections: dict[str, Many[Text]] | Literal["any"] = Field(default_factory=dict)
    evaluation_from: date | None = None


def _resources(settings: Keys, spec: TaskSpec) -> Resources:
    names = set() if settings.sections == ANY else set(settings.sections)
    if unknown := sorted(names - set(spec.sampling.quotas)):
        raise InputError(
            f"candidates.sections.{unknown[0]}: no section of {spec.name}; allowed:"
            f" {', '.join(spec.sampling.quotas)}, each with its names in the sources; or"
            " `sections: any`"
        )
    return Resources({"sections": settings.sections} if settings.sections else {})


def _lacks(
    settings: Keys, section: TcSampling, documents: Mapping[str, Sequence[Any]]
) -> Iterator[str]:
    known = Sections(section.model_dump(), settings.sections)
    for name, ones in documents.items():
        if not any(known.of(one.section, one.url) for one in ones):
            named = sorted({one.section for one in ones if one.section})
            told = f"name {', '.join(named[:8])}, none of them" if named else "name no section, one"
            yield (
                f"the first documents of {name} {told} of {', '.join(section.quotas)}; add"
                " `candidates: {sections: any}` to draw headlines as they come, or the names of"
                " the sections: `candidates: {sections: {사회: [교육, 복지]}}`"
            )


INPUTS: Final = BuildInputs(
    keys=Keys,
    stages=("select",),
    resources=_resources,
    numbers=lambda settings: (
        {"evaluation_from": settings.evaluation_from.isoformat()}
        if settings.evaluation_from
        else {}
    ),
    lacks=_lacks,
)
