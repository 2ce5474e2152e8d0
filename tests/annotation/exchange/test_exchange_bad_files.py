"""No file, whatever it holds, brings a reader down: words, or refused records."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from exchange_answers import answers
from exchange_samples import FIELDS, ROUNDS, SPECS, items, round_of
from exchange_tools import ANNOTATOR, USERS, fill
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.annotation.exchange.formats import FORMATS
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError

ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 10**20), st.floats(), st.text(max_size=4)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=4,
)


def _spoiled(value: Any, chance: random.Random, by: Any) -> Any:
    """Return a JSON value with one of its inner values exchanged or taken away."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(sorted(value))
        if chance.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return value | {key: _spoiled(value[key], chance, by)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        place = chance.randrange(len(value))
        return [*value[:place], _spoiled(value[place], chance, by), *value[place + 1 :]]
    return by


@pytest.mark.thin(("task", "name"), "tool")
@pytest.mark.parametrize("tool", FORMATS)
@pytest.mark.parametrize(("task", "name"), ROUNDS)
@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.integers(0, 10**9), by=ANYTHING)
def test_a_spoiled_export_is_read_or_refused(
    tool: str, task: str, name: str, data: Any, seed: int, by: Any
) -> None:
    spec, round_ = SPECS[task], round_of(task, name)
    label = data.draw(answers(task, round_, FIELDS[task]))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        FORMATS[tool].write(items(task), spec=spec, round_=round_, folder=folder)
        export = fill(tool, task, round_, folder, [{"label": label}])
        text = export.read_text("utf-8")
        spoiled = _spoiled(json.loads(text), random.Random(seed), by)
        export.write_text(json.dumps(spoiled), "utf-8")
        ids = {USERS[tool]: ANNOTATOR} if tool in USERS else None
        try:
            found = list(FORMATS[tool].read(export, task=TASKS[task], spec=spec, annotators=ids))
        except InputError:
            return
    for one in found:
        assert isinstance(one, RawVote | Refused)
        if isinstance(one, Refused):
            assert one.rule.startswith("exchange.")
            assert one.line >= 1
        else:
            json.dumps(one.value, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize("tool", FORMATS)
@given(content=st.one_of(st.binary(max_size=40), ANYTHING.map(lambda v: json.dumps(v).encode())))
def test_any_bytes_are_told_in_words(tool: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "export.json"
        path.write_bytes(content)
        ids = {"export": "ann-01"}
        try:
            reader = FORMATS[tool].read(path, task=TASKS["tc"], spec=SPECS["tc"], annotators=ids)
            found = list(reader)
        except InputError as error:
            assert str(path) in str(error)
            return
    assert all(isinstance(one, Refused) for one in found)
