"""The power study as it is run by hand: faults found, honest people left alone, fresh draws."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

STUDY = Path(__file__).parents[1] / "benchmarks" / "flag_power.py"
#: How often a fault has to be found.
TARGETS = {
    "random": 0.95,
    "random by prior": 0.95,
    "constant": 0.95,
    "constant 97 %": 0.95,
    "swap of two labels": 0.95,
    "swap one way": 0.95,
    "copy of a colleague": 0.9,
    "compressed": 0.8,
}


def study(*words: str) -> dict[str, dict[str, dict[str, Any]]]:
    command = [sys.executable, str(STUDY), "--json", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    result: dict[str, dict[str, dict[str, Any]]] = json.loads(done.stdout)
    return result


def test_a_small_pool_finds_what_is_planted() -> None:
    (faults,) = study("--design", "5 x 60", "--seeds", "2", "--first", "700").values()
    missed = {name for name in TARGETS if name in faults and faults[name]["found"] < 1}
    assert missed <= {"swap one way"}
    assert faults["nobody"]["false"] == 0


#: In a crowd of 50 votes each with two labels the target of those who guess is missed
#: (docs/agreement.md): what is held there instead.
CROWD, GUESSES, HELD = "100 x 1,000 x 5, 2 labels", ("random", "random by prior"), 0.7


@pytest.mark.full
def test_every_design_meets_its_targets() -> None:
    """Twenty draws of each; one draw in twenty may miss more than is allowed."""
    for design, faults in study("--first", "900").items():
        for name, target in TARGETS.items():
            least = HELD if design == CROWD and name in GUESSES else target - 0.05
            if name in faults:
                assert faults[name]["found"] >= least, (design, name, faults[name])
        assert faults["nobody"]["false"] <= 0.01, (design, faults["nobody"])
