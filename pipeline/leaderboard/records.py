"""What the functions of a board take and return: frozen records, no rows of a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pipeline.core.errors import KlueError

State = Literal["received", "refused", "accepted", "scored", "failed"]
Part = Literal["public", "final", "dev"]
Mark = Literal["withdrawn", "disqualified"]


class RefusedError(KlueError):
    """A request that is refused before anything is stored or charged.

    `status` is that of HTTP: 401 (no valid token), 403, 404, 409 (the file was submitted before),
    413 (too large), 422 (the request is wrong), 429 (no submission left; `retry_after` seconds).
    `submission` is the key of the one that had the same file (409).
    """

    code = 2

    def __init__(
        self, status: int, reason: str, *, retry_after: int | None = None, submission: str = ""
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.retry_after = retry_after
        self.submission = submission


@dataclass(frozen=True)
class Submitter:
    id: int
    name: str


@dataclass(frozen=True)
class Quota:
    """What a submitter may still send for a task; `pending` are received and not yet checked.

    `next_at`: when the next submission is possible, if none is now; None if never.
    """

    task: str
    day: tuple[int, int]  # used, limit
    month: tuple[int, int]
    total: tuple[int, int]
    pending: int
    next_at: int | None = None

    @property
    def left(self) -> int:
        """Return how many more submissions are possible now."""
        most = min(limit - used for used, limit in (self.day, self.month, self.total))
        return max(0, most - self.pending)


@dataclass(frozen=True)
class ModelInfo:
    """What a submitter says of a model."""

    name: str
    parameters: int | None = None
    kind: str = "other"
    link: str = ""
    description: str = ""


@dataclass(frozen=True)
class Upload:
    """A file that was received as a whole: its name in `submissions`, its size, its SHA-256."""

    file: str
    bytes: int
    digest: str


@dataclass(frozen=True)
class Submission:
    """A submission as its submitter, and its workers, see it."""

    id: int
    key: str
    submitter: Submitter
    model_key: str
    model: ModelInfo
    size_class: str
    task: str
    state: State
    reason: str
    file: str
    dev_file: str | None
    received_at: int
    accepted_at: int | None
    attempts: int
    mark: Mark | None = None
    mark_reason: str = ""


@dataclass(frozen=True)
class Score:
    """Scores of one part; see the table `scores`."""

    part: Part
    examples: int
    shown: bool
    best: bool
    metrics: Mapping[str, float | None]
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Standing:
    """The ranks of one entry by one metric, and the interval of its score."""

    rank_low: int
    rank_high: int
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Entry:
    """What the board shows of a submission: the best of its ladder, or a marked one.

    `standings` by metric; of a marked entry empty. `dev` holds the scores on dev, if dev
    predictions were sent.
    """

    submission: Submission
    scores: Mapping[str, float | None]
    standings: Mapping[str, Standing]
    dev: Mapping[str, float | None]
    examples: int
    scorer_version: str
    release_hash: str
    digest: str


@dataclass(frozen=True)
class Version:
    number: int
    release_name: str
    release_version: str
    release_hash: str
    scorer_version: str
    reason: str
    opened_at: int
    closed_at: int | None
