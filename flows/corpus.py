"""The corpus flow: catalogue -> documents -> sentences -> kept sentences."""

from __future__ import annotations

from typing import Any

from flows.engine.run import Submitter
from flows.plan.corpus import Chain, CorpusPlan


def corpus(plan: CorpusPlan, submit: Submitter) -> Any:
    """Submit the calls of the corpus; returns what has to wait for its kept sentences."""
    signed = [_source(chain, submit) for chain in plan.chains]
    return submit([plan.dedup], after=signed)


def _source(chain: Chain, submit: Submitter) -> Any:
    documents = submit([chain.read, chain.select])
    screened = submit([chain.segment, chain.clean, chain.pii, *chain.toxic], after=[documents])
    return submit([chain.sign], after=[screened])
