"""What annotators must not see: how an item was drawn, its source, its evidence, its gold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from exchange_samples import FIELDS, ROUNDS, SPECS, answer, items, round_of

from pipeline.annotation.exchange.formats import FORMATS
from pipeline.core.jsontext import canonical

#: Words that stand nowhere else; each is a value or a key of what must stay unseen.
SECRET = "zqxjkv"
META: dict[str, Any] = {
    "units": [f"{SECRET}-units"],
    "press_category": f"{SECRET}-category",
    "relation": f"{SECRET}:relation",
    "rouge": 0.918273645,
    "evidence": {f"{SECRET}_sentence": [1, 2], "text": f"{SECRET}-evidence"},
    "origin": f"{SECRET}-origin",
}
COLUMNS = {
    "source": f"{SECRET}-source",
    "sampler": f"{SECRET}-sampler",
    "gold": canonical({"label": f"{SECRET}-gold"}),
}


@pytest.mark.parametrize("tool", FORMATS)
@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_nothing_of_meta_source_sampler_or_gold_goes_out(
    tool: str, task: str, name: str, tmp_path: Path
) -> None:
    spec, round_ = SPECS[task], round_of(task, name)
    earlier = spec.round(round_.after) if round_.after else None
    about = earlier if earlier and round_.answer != "verdict" else round_
    first = spec.rounds[0]
    for number, more in enumerate(({}, {"suggestion": answer(task, first)})):
        table = items(task, FIELDS[task], 2, meta=canonical(META | more), **COLUMNS)
        shown = {f"{task}-1": answer(task, about)} if earlier else None
        folder = tmp_path / str(number)
        paths = FORMATS[tool].write(table, spec=spec, round_=round_, folder=folder, shown=shown)
        text = "".join(path.read_text("utf-8") for path in paths)
        assert SECRET not in text
        assert "918273645" not in text
        words = set(META) - set(FIELDS[task])
        assert not any(json.dumps(word) in text for word in words if word != "relation")
