"""board.yaml: what an organiser decides about a board."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field

from pipeline.core import specs
from pipeline.core.specs import Many, Spec, Text
from pipeline.leaderboard.layout import Layout

Positive = Annotated[int, Field(ge=1)]
#: What is known of a model's kind; a filter of the board.
Kind = Literal["encoder", "decoder", "encoder-decoder", "other"]
KINDS: Final = ("encoder", "decoder", "encoder-decoder", "other")
#: The kind of a model of which none is told.
UNKNOWN_KIND: Final = "other"
#: Sizes of models by number of parameters: a class and where it ends. Each class has a ladder of
#: its own for each submitter and task.
SIZE_CLASSES: Final = (("under 100M", 10**8), ("100M to 1B", 10**9), ("1B to 10B", 10**10))
LARGEST: Final = "10B and more"
UNKNOWN_SIZE: Final = "not told"


class Limits(Spec):
    """Accepted submissions of a submitter to a task: in 24 hours, in 30 days, in all."""

    day: Positive = 3
    month: Positive = 20
    total: Positive = 100


class Upload(Spec):
    """The most bytes of a file as it is sent, and of it unpacked; seconds and memory to read it."""

    bytes: Positive = 100 * 1024**2
    decoded_bytes: Positive = 1024**3
    seconds: Positive = 120
    memory: Positive = 4 * 1024**3


class Settings(Spec):
    """The settings of a board.

    `database`: a URL of SQLAlchemy, SQLite in the board's folder if not given. `public_url`: where
    people reach the board, with its path, if it is behind a proxy; `trusted_proxies`: addresses
    whose X-Forwarded headers count. `tasks`: all of the release if empty. `metric` variant: klue or
    strict.
    """

    title: Text
    contact: str = ""
    tasks: Many[Text] = ()
    variant: Literal["klue", "strict"] = "klue"
    limits: Limits = Limits()
    upload: Upload = Upload()
    database: str = ""
    public_url: str = ""
    trusted_proxies: Many[Text] = ()


def load_settings(folder: Path) -> Settings:
    """Read the settings of a board; raises SpecError with file, line and key."""
    return specs.load(Layout(folder).settings, Settings)


def size_class(parameters: int | None) -> str:
    """Return the class of a model with so many parameters."""
    if parameters is None:
        return UNKNOWN_SIZE
    return next((name for name, end in SIZE_CLASSES if parameters < end), LARGEST)
