"""Stage `candidates` of dialogue state tracking: goals of dialogues, and the knowledge base.

Nothing is read from the corpus. ``call.params`` holds `seed`, `sampling` and `slots` of the spec;
``call.arguments`` may name files of the user's: `places` (real attractions) and `metro`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pipeline.core import schemas
from pipeline.core.jsontext import canonical
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling.draft import STAGE_NAME, Draft
from pipeline.tasks.dst.goals.drawing import goals
from pipeline.tasks.dst.goals.goal import Goal, Setting
from pipeline.tasks.dst.goals.offers import candidates_of, knowledge_of
from pipeline.tasks.dst.instruction import instruction
from pipeline.tasks.dst.knowledge.building import build
from pipeline.tasks.dst.knowledge.material import material
from pipeline.tasks.dst.knowledge.metro import LINES, load_metro
from pipeline.tasks.dst.knowledge.places import PLACES, Fault, Virtual, read_places
from pipeline.tasks.dst.schema import AREA, ATTRACTION, METRO, Schema, check_section
from pipeline.tasks.dst.spec import DialogueSampling
from pipeline.tasks.dst.wording import phrases

TASK: Final = "dst"
#: Where the dialogues come from: they are written by the annotators.
SOURCE: Final = "written"


def setting_of(
    params: Mapping[str, Any], arguments: Mapping[str, Any]
) -> tuple[Setting, list[Fault], int]:
    """Return what goals are drawn from, the faulty rows of the places, and how many were good.

    Raises SpecError for the section or a metro file, and InputError for a list of places, that
    cannot be used.
    """
    schema = Schema.of(params["slots"])
    sampling = DialogueSampling.model_validate_json(canonical(params["sampling"]))
    check_section(sampling, schema)
    areas = schema.values(f"{ATTRACTION}-{AREA}")
    metro = load_metro(Path(arguments.get("metro") or LINES), areas)
    places, faults = read_places(Path(arguments.get("places") or PLACES), schema, metro)
    virtual = Virtual(params["seed"], material(), metro)
    found = build(params["seed"], sampling, schema=schema, virtual=virtual, places=places)
    return Setting(sampling, schema, found), faults, len(places)


def item_fields(setting: Setting, goal: Goal, seed: int) -> dict[str, Any]:
    """Return what the writer of a dialogue has before them."""
    knowledge = knowledge_of(setting, goal, seed)
    return {
        "goal": instruction(goal, schema=setting.schema, phrases=phrases(), seed=seed),
        "domains": goal.domains,
        "candidates": candidates_of(setting, goal, knowledge, seed),
        "knowledge": knowledge,
    }


def item_meta(goal: Goal) -> dict[str, Any]:
    """Return the evidence of a goal: its structure, the expected state, its pool."""
    found: dict[str, Any] = {
        "pool": goal.pool,
        "parts": goal.structure,
        "expected": goal.expected,
        "counterfactual": goal.pair is not None,
    }
    return found | ({"pair": [list(one) for one in goal.pair]} if goal.pair else {})


def _shards(_call: Call) -> Iterator[Shard]:
    yield Shard(SOURCE, SOURCE)


def _run(call: Call, shard: Shard) -> Outcome:
    seed = call.params["seed"]
    setting, faults, places = setting_of(call.params, call.arguments)
    draft = Draft(TASK, shard.payload)
    for fault in faults:
        draft.fault(fault.file, fault.line, fault.rule, fault.reason)
    for goal in goals(setting, seed):
        draft.add(
            item_fields(setting, goal, seed),
            {},
            sampler="counterfactual" if goal.pair else "goal",
            meta=item_meta(goal),
            parts=(str(seed), goal.name, str(goal.structure)),
        )
    _short(draft, setting, places)
    outcome = draft.outcome()
    rows = [entry.row for entry in setting.knowledge.entries]
    return outcome._replace(tables=outcome.tables | {"knowledge": schemas.build("knowledge", rows)})


def _short(draft: Draft, setting: Setting, places: int) -> None:
    """Note what is fewer than the spec asks for."""
    wanted = setting.sampling.instances
    journeys = len(setting.knowledge.journeys)
    draft.short("attractions", wanted=wanted[ATTRACTION], drawn=places)
    draft.short("metro journeys", wanted=wanted.get(METRO, 0), drawn=journeys)
    draft.short("goals", wanted=setting.sampling.goals, drawn=len(draft.items))


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=_shards,
    run=_run,
    distributions=("Faker",),
)
