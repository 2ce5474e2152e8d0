"""Simulated annotators: 9, who review each other's trees, and 3 experts (Section 3.6.1)."""

from __future__ import annotations

from typing import Final

from pipeline.annotation.simulated.profile import Plan, Simulated

SIMULATED: Final = Simulated(
    plans={
        "pos": Plan(9, 0.88, 0.06),
        "pos_review": Plan(9, 0.95, 0.03),
        "arcs": Plan(9, 0.85, 0.06),
        "arcs_review": Plan(9, 0.95, 0.03),
        "final_review": Plan(3, 0.98, 0.01, first=10),
    },
    rates={"personal_data": 0.003, "bias": 0.002},
    key=lambda fields: [fields.get("text", "")],
)
