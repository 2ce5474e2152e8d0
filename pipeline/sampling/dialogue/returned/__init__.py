"""Checks of dialogues that return (Section 3.8.1)."""

from pipeline.sampling.dialogue.returned.checks import (
    CHANGED,
    DELAYED,
    EARLY,
    STRANGER,
    UNHEARD,
    UNREACHED,
    Finding,
    findings,
)

__all__ = [
    "CHANGED",
    "DELAYED",
    "EARLY",
    "STRANGER",
    "UNHEARD",
    "UNREACHED",
    "Finding",
    "findings",
]
