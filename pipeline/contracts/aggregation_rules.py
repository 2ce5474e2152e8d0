"""How votes become gold: one model for each rule of the section `aggregation` of a spec."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import Field

from pipeline.core.specs import Many, Spec, Text

Role = Literal["author", "validator", "annotator", "inspector", "expert"]
Roles = Annotated[Many[Role], Field(min_length=1)]
Model = Literal["dawid_skene", "mace", "glad"]
#: The names of the models of annotators.
MODELS: Final[tuple[str, ...]] = get_args(Model)
Positive = Annotated[int, Field(ge=1)]


class Majority(Spec):
    """The label that at least `needed` votes and more than half of them name.

    Below `minimum` votes nothing is decided. `roles` are those whose answers count; where authors
    are among them, an item needs its author's. `otherwise` is where an item without such a label
    goes.
    """

    rule: Literal["majority"]
    roles: Roles
    minimum: Positive
    needed: Positive
    otherwise: Literal["removed", "expert", "top_annotators"]
    top: Positive | None = None


class Plurality(Spec):
    """The label that most votes name, where every other has at least `margin` votes fewer.

    Below `minimum` votes nothing is decided; an item without such a label goes to `otherwise`.
    """

    rule: Literal["plurality"]
    roles: Roles
    minimum: Positive
    margin: Positive = 1
    otherwise: Literal["removed", "expert"]


class CrowdModel(Spec):
    """The label that a model of annotators finds most probable: Dawid-Skene, MACE or GLAD.

    Below `minimum` votes nothing is decided; an item with two most probable labels goes to
    `otherwise`. Of several labels an item has those that are more probable than not.
    """

    rule: Model
    roles: Roles
    minimum: Positive
    otherwise: Literal["removed", "expert"]


class Scores(Spec):
    """The mean or median of the votes, rounded to the nearest `step`; 1 from `binary_at` on.

    Fewer than `minimum` votes decide nothing; a population standard deviation above
    `drop_deviation` removes the item. These three are given for every spec, as null where a rule
    does without: gold is the number alone if nothing is rounded and nothing is a threshold. On the
    ordinal level there is nothing between two middle scores: such an item goes to the experts.
    """

    rule: Literal["mean", "median"]
    roles: Roles
    minimum: Positive
    step: Annotated[float, Field(gt=0)] | None
    drop_deviation: Annotated[float, Field(ge=0)] | None
    binary_at: float | None


class LabelMajority(Spec):
    """Every label that more than the share `needed` of the votes name, for several labels an item.

    Below `minimum` votes nothing is decided. An item without such a label is gold without any where
    `empty` says so; else it goes to `otherwise`. A label that has just the share is not gold; with
    `queue_ties` such an item goes to the experts.
    """

    rule: Literal["label_majority"]
    roles: Roles
    minimum: Positive
    needed: Annotated[float, Field(ge=0, lt=1)] = 0.5
    empty: bool = False
    # left out of a spec's digest unless it is set: digests of older specs stay as they were
    queue_ties: Annotated[bool, Field(exclude_if=lambda queue: not queue)] = False
    otherwise: Literal["removed", "expert"]


class Inspected(Spec):
    """The last answer that an inspector accepted or corrected; a rejected one goes back.

    Where spans are asked, an answer without any is gold if `empty` says so; else the item is
    removed. `privacy_labels` are span labels whose presence in gold queues the item for a privacy
    review.
    """

    rule: Literal["inspected"]
    roles: Roles
    privacy_labels: Many[Text] = ()
    # left out of a spec's digest unless it is set: digests of older specs stay as they were
    empty: Annotated[bool, Field(exclude_if=lambda empty: not empty)] = False


_Rule = Majority | Plurality | CrowdModel | Scores | LabelMajority | Inspected
AggregationRule = Annotated[_Rule, Field(discriminator="rule")]


def keys_of(rule: object) -> frozenset[str]:
    """Return the keys of the section `aggregation` under a rule; none for an unknown one."""
    models = [m for m in get_args(_Rule) if rule in get_args(m.model_fields["rule"].annotation)]
    return frozenset(key for model in models for key in model.model_fields)
