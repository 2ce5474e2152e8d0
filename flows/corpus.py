"""The corpus flow: catalogue -> documents -> sentences -> kept sentences."""

from __future__ import annotations

from typing import Any

from flows.engine.run import Submitter
from flows.plan.corpus import CorpusPlan


def build_corpus(plan: CorpusPlan, submit: Submitter) -> Any:
    """Submit the calls of every source, then those of all; returns what its readers wait for."""
    signed = []
    for chain in plan.chains:
        documents = submit([chain.read, chain.select])
        units = [chain.segment, chain.clean, chain.pii, *chain.toxic]
        signed.append(submit([chain.sign], after=[submit(units, after=[documents])]))
    return submit([plan.dedup], after=signed)
