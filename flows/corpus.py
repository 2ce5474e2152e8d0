"""The corpus flow: catalogue -> documents -> sentences -> kept sentences."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

from flows.engine.run import Part
from flows.plan.corpus import CorpusPlan
from flows.view import funnel
from flows.view.tables import rule_table, source_table


def corpus_flow(plan: CorpusPlan) -> Part:
    """Return the flow that cleans the text of every source and finds what stands there twice."""
    chains = [chain.calls for chain in plan.chains]
    last = plan.dedup if chains else None
    return Part("corpus", partial(_summary, plan), chains, last)


def _summary(plan: CorpusPlan) -> str:
    sources = {name: asdict(counts) for name, counts in funnel.funnels(plan).items()}
    return source_table(sources).markdown() + rule_table(sources).markdown()
