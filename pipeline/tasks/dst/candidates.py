"""Stage `candidates` of dialogue state tracking: goals of dialogues, and the knowledge base.

Nothing is read from the corpus. ``call.params`` holds `seed`, `sampling` and `slots` of the spec;
``call.arguments`` may name files of the user's: `places` (real attractions) and `metro`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pipeline.core import schemas
from pipeline.core.io import Quarantined
from pipeline.core.jsontext import canonical
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling.draft import STAGE_NAME, Draft
from pipeline.tasks.dst.goals import goals
from pipeline.tasks.dst.goals.goal import Goal, Part, Setting, Want
from pipeline.tasks.dst.instruction import instruction
from pipeline.tasks.dst.knowledge import Entry, build
from pipeline.tasks.dst.knowledge.metro import LINES, load_metro
from pipeline.tasks.dst.knowledge.places import PLACES, Virtual, material, read_places
from pipeline.tasks.dst.schema import (
    ANY,
    AREA,
    ARRIVE,
    ATTRACTION,
    FROM,
    LEAVE,
    METRO,
    NAME,
    STATION,
    TAXI,
    TO,
    VENUES,
    Chance,
    Schema,
    after,
    check_section,
    domain_of,
    word_of,
)
from pipeline.tasks.dst.spec import DialogueSampling
from pipeline.tasks.dst.wording import phrases

TASK: Final = "dst"
#: Where the dialogues come from: they are written by the annotators.
SOURCE: Final = "written"
#: Other times that are offered beside the one of the goal, in minutes from it.
_BESIDE: Final = (-60, -30, 30, 60)
#: Times that are offered where neither the goal nor an entry has one.
_TIMES: Final = ("10:00", "14:00", "18:00")
#: Stations that are offered beside those near the shown places.
_STATIONS: Final = 4


def setting_of(
    params: Mapping[str, Any], arguments: Mapping[str, Any]
) -> tuple[Setting, list[Quarantined], int]:
    """Return what goals are drawn from, the faulty rows of the places, and how many were good.

    Raises SpecError for the section or a metro file, and InputError for a list of places, that
    cannot be used.
    """
    schema = Schema.of(params["slots"])
    sampling = DialogueSampling.model_validate_json(canonical(params["sampling"]))
    check_section(sampling, schema)
    metro = load_metro(Path(arguments.get("metro") or LINES), schema.values(f"{ATTRACTION}-{AREA}"))
    places, faults = read_places(Path(arguments.get("places") or PLACES), schema, metro)
    virtual = Virtual(params["seed"], material(), metro)
    knowledge = build(params["seed"], sampling, schema=schema, virtual=virtual, places=places)
    return Setting(sampling, schema, knowledge), faults, len(places)


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
    return {
        "pool": goal.pool,
        "parts": goal.structure,
        "expected": goal.expected_state,
        "counterfactual": goal.pair is not None,
        **({"pair": [list(value) for value in goal.pair]} if goal.pair else {}),
    }


def knowledge_of(setting: Setting, goal: Goal, seed: int) -> list[dict[str, str]]:
    """Return entries of each domain of a goal: those that fit, and some that just do not.

    `shown` places a domain; a taxi of each type, and all journeys that the goal may come to.
    """
    entries: list[Entry] = []
    for part in goal.parts:
        if part.domain == TAXI:
            entries += _taxis(setting, goal, part)
        elif part.domain == METRO:
            entries += _journeys(setting, part)
        else:
            entries += _places(setting, goal, part, seed)
    return [entry.wizard_view for entry in entries]


def candidates_of(
    setting: Setting, goal: Goal, knowledge: Sequence[Mapping[str, str]], seed: int
) -> dict[str, list[str]]:
    """Return the values of each informable slot of a goal's domains, `dontcare` the last.

    Closed slots have all their values; names, stations and times those of the goal and of the shown
    entries, and some more stations, sorted, so that no list gives the goal away.
    """
    every = setting.knowledge.virtual.metro.stations
    stations = set(Chance(seed, "offered", goal.name).rotate("stations", every)[:_STATIONS])
    stations |= {
        value for row in knowledge for slot, value in row.items() if slot.endswith(f"-{STATION}")
    }
    candidates: dict[str, list[str]] = {}
    for slot in (s for domain in goal.domains for s in setting.schema.of_domain(domain)):
        if slot.informable:
            values = setting.schema.values(slot.id)
            open_ = () if values else sorted(_open_values(goal, slot.id, knowledge, stations))
            candidates[slot.id] = [*values, *open_, ANY]
    return candidates


def _places(setting: Setting, goal: Goal, part: Part, seed: int) -> list[Entry]:
    fitting = {entry.instance for entry in part.matches}
    others = [
        entry
        for entry in setting.knowledge.open_to(part.domain, goal.pool)
        if entry.instance not in fitting
    ]
    wants = [w for w in part.wants if w.value != ANY and word_of(w.slot) != NAME]
    order = Chance(seed, "shown", f"{goal.name}/{part.domain}").rotate("other", others)
    near = sorted(order, key=lambda entry: _count_missed(entry, wants))
    entries = [*part.matches, *near[: setting.sampling.shown - len(part.matches)]]
    return sorted(entries, key=lambda entry: entry.name)


def _count_missed(entry: Entry, wants: Sequence[Want]) -> int:
    """Return how many wants an entry misses; one less if it has what is asked for first."""
    pairs = [(entry.slots[w.slot], w) for w in wants if w.slot in entry.slots]  # none of a booking
    return sum((value not in want.values) - (value == want.first) for value, want in pairs)


def _taxis(setting: Setting, goal: Goal, part: Part) -> list[Entry]:
    known = {
        want.slot: want.value
        for want in part.wants
        if want.value not in ("", ANY) and word_of(want.slot) in (LEAVE, FROM, TO)
    }
    if leave := known.get(f"{TAXI}-{LEAVE}"):
        known[f"{TAXI}-{ARRIVE}"] = after(leave, part.taxi_minutes)
    return setting.knowledge.taxis(goal.name, part.taxi_minutes, known)


def _journeys(setting: Setting, part: Part) -> list[Entry]:
    starts, ends, leave = (part.want(word) for word in (FROM, TO, LEAVE))
    if starts is None or ends is None:
        return []
    time = leave.value if leave and leave.value != ANY else ""
    return [setting.knowledge.journey(a, b, time) for a in starts.values for b in ends.values]


def _open_values(
    goal: Goal, slot: str, knowledge: Sequence[Mapping[str, str]], stations: set[str]
) -> set[str]:
    """Return the values of an open slot: names of its domain, ends of a journey, or times."""
    domain, word = domain_of(slot), word_of(slot)
    wanted = {value for value in goal.expected_state.get(slot, []) if value != ANY}
    if word == NAME:
        return wanted | {row["name"] for row in knowledge if row["domain"] == domain}
    if word.endswith("시간"):
        shown = sorted(row[slot] for row in knowledge if slot in row)
        base = wanted or set(shown[:1] or _TIMES)
        return base | {after(time, minutes) for time in base for minutes in _BESIDE}
    if domain == TAXI:
        wanted |= {row["name"] for row in knowledge if row["domain"] in VENUES}
    return wanted | stations


def _run(call: Call, shard: Shard) -> Outcome:
    seed = call.params["seed"]
    setting, faults, places = setting_of(call.params, call.arguments)
    draft = Draft(TASK, shard.payload)
    file = Path(call.arguments.get("places") or PLACES).name
    for fault in faults:
        draft.fault(file, fault.line, fault.rule, fault.reason)
    for goal in goals(setting, seed):
        draft.add(
            item_fields(setting, goal, seed),
            {},
            sampler="counterfactual" if goal.pair else "goal",
            meta=item_meta(goal),
            parts=(str(seed), goal.name, str(goal.structure)),
        )
    wanted, journeys = setting.sampling.instances, len(setting.knowledge.journeys)
    draft.short("attractions", wanted=wanted[ATTRACTION], drawn=places)
    draft.short("metro journeys", wanted=wanted.get(METRO, 0), drawn=journeys)
    draft.short("goals", wanted=setting.sampling.goals, drawn=len(draft.items))
    outcome = draft.outcome()
    rows = [vars(e) | {"slots": canonical(dict(e.slots))} for e in setting.knowledge.entries]
    return outcome._replace(tables=outcome.tables | {"knowledge": schemas.build("knowledge", rows)})


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=lambda _call: iter([Shard(SOURCE, SOURCE)]),
    run=_run,
    distributions=("Faker",),
)
