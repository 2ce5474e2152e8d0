"""What the `split` sections of all specs share; each task adds its rule and numbers (spec.py).

`train`, `dev` and `test` are the sizes of the paper, or (MRC) parts. A release scales them
to what there is, so that only their proportions and the other numbers decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

from pydantic import Field, create_model

from pipeline.core.specs import Spec

if TYPE_CHECKING:
    from pipeline.contracts.build_inputs import Resources
    from pipeline.contracts.spec import TaskSpec

Key = TypeVar("Key", bound=str)
Size = Annotated[int, Field(ge=1, le=10_000_000)]
Share = Annotated[float, Field(ge=0, le=1)]
Split = Literal["train", "dev", "test"]
#: The splits in their order, and their names in the files of a release.
SPLITS: Final[tuple[Split, ...]] = ("train", "dev", "test")
#: Those that models are compared on.
EVALUATION: Final[tuple[Split, ...]] = ("dev", "test")
FILES: Final[dict[Split, str]] = {"train": "train", "dev": "validation", "test": "test"}


class Sizes(Spec):
    """Numbers that every rule has."""

    train: Size
    dev: Size
    test: Size

    @property
    def sizes(self) -> dict[Split, int]:
        return {"train": self.train, "dev": self.dev, "test": self.test}


def apportion(shares: Mapping[Key, float], total: int) -> dict[Key, int]:
    """Return whole numbers in proportion to `shares` that add up to `total`, by largest remainders.

    Ties go by key. Shares that are all 0 give 0 each.
    """
    whole = sum(shares.values())
    if whole <= 0:
        return dict.fromkeys(shares, 0)
    exact = {key: share * total / whole for key, share in shares.items()}
    parts = {key: int(value + 1e-9) for key, value in exact.items()}
    rest = sorted(exact, key=lambda key: (parts[key] - exact[key], key))
    for key in rest[: total - sum(parts.values())]:
        parts[key] += 1
    return parts


def split_section(rule: str, numbers: type[Sizes]) -> type[Spec]:
    """Return the model of a section `split` whose rule has this name and these numbers."""
    fields: dict[str, Any] = {"rule": (Literal[rule], ...), "numbers": (numbers, ...)}
    return create_model("Split", __base__=Spec, **fields)


@dataclass(frozen=True)
class SplitScoring:
    """How examples are scored before the split, which reads the scores: the part `before_split`.

    `module` is a stage that reads items and gold and writes the table `distances`. `resources`
    takes the section `candidates` of a build file and the spec and gives what the stage needs
    beside the seed; it raises InputError that names the key. `distances(fields, labels, spec,
    seed=..., tell=...)` scores examples of files in the same way; `tell` takes a text of progress.
    """

    module: str
    resources: Callable[[Any, TaskSpec], Resources]
    distances: Callable[..., list[float]]
