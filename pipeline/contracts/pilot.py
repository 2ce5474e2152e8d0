"""How a spec judges people before the main batch: its section `pilot`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from pipeline.contracts.aggregation_rules import Positive
from pipeline.core.specs import Spec

Share = Annotated[float, Field(ge=0, le=1)]


class Pilot(Spec):
    """The test before the main batch.

    `correct`: at least `needed` of `items` gold items answered right. `reviewed`: an expert accepts
    at least `needed` of `items` written answers; where an item has gold and nobody reviewed the
    answer, it is compared with gold. `agreement`: over the pilot items, Pearson (numbers) or the
    share equal (categories) to the majority of the others, or to gold where items have it, is at
    least `threshold`. An answer is right from the `likeness` to gold on, by the task's usual
    comparison.
    """

    rule: Literal["correct", "reviewed", "agreement"]
    items: Positive
    needed: Positive | None = None
    threshold: Share | None = None
    # left out of a spec's digest unless it is set: digests of older specs stay as they were
    likeness: Annotated[Share, Field(exclude_if=lambda likeness: likeness == 1)] = 1.0

    @model_validator(mode="after")
    def _has_its_number(self) -> Pilot:
        if self.rule == "agreement" and self.threshold is None:
            raise ValueError("the rule agreement needs `threshold`")
        if self.rule != "agreement" and (self.needed is None or self.needed > self.items):
            raise ValueError(f"the rule {self.rule} needs `needed`, not above `items`")
        return self
