"""The stage that makes the candidates of similarity: pairs of sentences (Section 3.2.1).

Reads kept units, documents (for intents) and translations; one shard for each source that has a
quota. A source whose quota `SOURCE-para` stands in the spec is paired by intent; any other gives
the sentences that were translated with their translations (`SOURCE-rtt`), and others with each
other (`SOURCE-sampled`). A source that is not in the build has its quotas noted as not met.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import STAGE_NAME, Draft
from pipeline.sampling.filling import planned_sources
from pipeline.tasks.sts.candidates import intents, matched, translated
from pipeline.tasks.sts.spec import INTENTS, StsSampling


def _shards(call: Call) -> Iterator[Shard]:
    plan = StsSampling.model_validate(call.params["sampling"])
    return (Shard(source, source) for source in planned_sources(call, plan.sources))


def _run(call: Call, shard: Shard) -> Outcome:
    source: str = shard.payload
    plan = StsSampling.model_validate(call.params["sampling"])
    draft = Draft("sts", source)
    if source not in call.params["sources"]:
        for name, wanted in plan.of(source).items():
            draft.short(f"{name}, not in this build", wanted=wanted, drawn=0)
        return draft.outcome()
    if f"{source}{INTENTS}" in plan.quotas:
        intents.draw_pairs(call, source, draft, plan)
    else:
        apart = translated.draw_pairs(call, source, draft, plan)
        matched.draw_pairs(call, source, draft, plan, apart=apart)
    return draft.outcome(inputs.ids(call, source))


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    law="sampling",
    shards=_shards,
    run=_run,
    distributions=(*PACKAGES, "numpy", "scipy"),
)
