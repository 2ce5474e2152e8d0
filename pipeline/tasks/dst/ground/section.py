"""Whether a section `sampling` names only domains and slots that there are."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.core.errors import SpecError
from pipeline.tasks.dst.ground.names import DOMAINS, METRO, VENUES
from pipeline.tasks.dst.ground.schema import Schema
from pipeline.tasks.dst.spec import DialogueSampling


def check_section(sampling: DialogueSampling, schema: Schema) -> None:
    """Raise SpecError for unknown domains or slots, and for a missing size of a table."""
    found = [*_plans(sampling), *_instances(sampling), *_rates(sampling, schema)]
    if found:
        raise SpecError("\n".join(f"sampling.{fault}" for fault in found))


def _plans(sampling: DialogueSampling) -> Iterator[str]:
    for place, plan in enumerate(sampling.plans):
        for domain in plan.domains:
            if domain not in DOMAINS:
                yield (
                    f"plans.{place}.domains: {domain!r} is no domain; allowed are"
                    f" {', '.join(DOMAINS)}"
                )


def _instances(sampling: DialogueSampling) -> Iterator[str]:
    for domain in VENUES:
        if domain not in sampling.instances:
            yield f"instances.{domain}: missing; say how many the knowledge base has"
    for domain in sampling.instances:
        if domain not in (*VENUES, METRO):
            yield f"instances.{domain}: no table of that name; drop it"


def _rates(sampling: DialogueSampling, schema: Schema) -> Iterator[str]:
    for slot in sampling.rates.dontcare:
        if slot not in schema.slots or not schema.slots[slot].informable:
            yield f"rates.dontcare.{slot}: no slot of the spec that a state tracks; drop it"
