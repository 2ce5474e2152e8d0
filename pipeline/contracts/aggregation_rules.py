"""How votes become gold: one model for each rule of the section `aggregation` of a spec."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pipeline.core.specs import Many, Spec, Text

Role = Literal["author", "validator", "annotator", "inspector", "expert"]
Positive = Annotated[int, Field(ge=1)]


class Majority(Spec):
    """The label that at least `needed` votes and more than half of them name.

    Below `minimum` votes nothing is decided. `roles` are those whose answers count; where authors
    are among them, an item needs its author's. `otherwise` is where an item without such a label
    goes.
    """

    rule: Literal["majority"]
    roles: Many[Role]
    minimum: Positive
    needed: Positive
    otherwise: Literal["removed", "expert", "top_annotators"]
    top: Positive | None = None


class Mean(Spec):
    """The mean of the votes, rounded to the nearest `step`; 1 where it is `binary_at` or more.

    Fewer than `minimum` votes decide nothing; a population standard deviation above
    `drop_deviation` removes the item.
    """

    rule: Literal["mean"]
    roles: Many[Role]
    minimum: Positive
    step: float
    drop_deviation: float
    binary_at: float


class LabelMajority(Spec):
    """Every label that more than the share `needed` of the votes name, for several labels an item.

    Below `minimum` votes nothing is decided. An item without such a label is gold without any where
    `empty` says so; else it goes to `otherwise`.
    """

    rule: Literal["label_majority"]
    roles: Many[Role]
    minimum: Positive
    needed: Annotated[float, Field(ge=0, lt=1)] = 0.5
    empty: bool = False
    otherwise: Literal["removed", "expert"]


class Inspected(Spec):
    """The last answer that an inspector accepted or corrected; a rejected one goes back.

    Where spans are asked, an answer without any is gold if `empty` says so; else the item is
    removed. `privacy_labels` are span labels whose presence in gold queues the item for a privacy
    review.
    """

    rule: Literal["inspected"]
    roles: Many[Role]
    privacy_labels: Many[Text] = ()
    # left out of a spec's digest unless it is set: digests of older specs stay as they were
    empty: Annotated[bool, Field(exclude_if=lambda empty: not empty)] = False


AggregationRule = Annotated[
    Majority | Mean | LabelMajority | Inspected, Field(discriminator="rule")
]
