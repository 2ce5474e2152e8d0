"""Whatever annotators answer, in any tool, comes back as the same votes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from exchange_answers import answers, fields, unordered
from exchange_samples import ROUNDS, SPECS, items, round_of
from exchange_tools import ANNOTATOR, USERS, fill
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.annotation.exchange.formats import FORMATS
from pipeline.annotation.intake.vote import RawVote
from pipeline.contracts.registry import TASKS


@pytest.mark.thin(("task", "name"), "tool")
@pytest.mark.parametrize("tool", FORMATS)
@pytest.mark.parametrize(("task", "name"), ROUNDS)
@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_votes_come_back_equal(tool: str, task: str, name: str, data: Any) -> None:
    spec, round_ = SPECS[task], round_of(task, name)
    of = data.draw(fields(task))
    label = data.draw(answers(task, round_, of))
    reason = data.draw(st.sampled_from([r.id for r in spec.reports]))
    given_ = [{"label": label}, {"report": reason}]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        FORMATS[tool].write(items(task, of, 2), spec=spec, round_=round_, folder=folder)
        export = fill(tool, task, round_, folder, given_)
        ids = {USERS[tool]: ANNOTATOR} if tool in USERS else None
        read = FORMATS[tool].read(export, task=TASKS[task], spec=spec, annotators=ids)
        votes = [one.value if isinstance(one, RawVote) else one for one in read]
    assert len(votes) == 2, votes
    first, second = votes
    assert isinstance(first, dict) and isinstance(second, dict), votes
    parse = TASKS[task].parse
    wanted = parse(label, of, spec, round_)
    assert unordered(parse(first["label"], of, spec, round_)) == unordered(wanted)
    assert second["report"] == reason
    assert second.get("label") is None
    for number, vote in enumerate((first, second), 1):
        assert vote["item"] == f"{task}-{number}"
        assert vote["annotator"] == ANNOTATOR
        assert (vote["round"], vote["role"]) == (name, round_.role)
        assert spec.accepts(vote["spec"])


@pytest.mark.parametrize("tool", FORMATS)
def test_same_bytes_every_time(tool: str, tmp_path: Path) -> None:
    for task, name in ROUNDS:
        made = []
        for run in ("one", "two"):
            folder = tmp_path / run / task / name
            paths = FORMATS[tool].write(
                items(task, None, 3), spec=SPECS[task], round_=round_of(task, name), folder=folder
            )
            made.append([path.read_bytes() for path in paths])
            assert sorted(folder.iterdir()) == sorted(paths)
        assert made[0] == made[1]
