"""Rebuild KLUE from Python: the commands of `klue` as functions over tables.

Each function takes pandas frames, tables with an Arrow stream (polars, duckdb, pyarrow) or paths,
runs what the command of its name runs, and returns a record of numbers and pandas frames. Errors
are the classes below; all are a `KlueError`, with a message for the user. docs/python.md shows
all of them at work. Nothing heavy is imported before a function is called.
"""

from __future__ import annotations

from klue_rebuild.models import score, train
from klue_rebuild.records import (
    Audit,
    Check,
    Cleaned,
    Difference,
    Gold,
    PersonalData,
    Pseudonymised,
    Release,
    Scores,
    Split,
    Trained,
    Verification,
)
from klue_rebuild.releases import diff, load_release, split, verify
from klue_rebuild.texts import clean, find_personal_data, pseudonymise
from klue_rebuild.votes import aggregate, audit
from pipeline.core.errors import (
    InputError,
    KlueError,
    MissingDependencyError,
    SchemaError,
    SpecError,
    StoreError,
)

__all__ = [
    "Audit",
    "Check",
    "Cleaned",
    "Difference",
    "Gold",
    "InputError",
    "KlueError",
    "MissingDependencyError",
    "PersonalData",
    "Pseudonymised",
    "Release",
    "SchemaError",
    "Scores",
    "SpecError",
    "Split",
    "StoreError",
    "Trained",
    "Verification",
    "aggregate",
    "audit",
    "clean",
    "diff",
    "find_personal_data",
    "load_release",
    "pseudonymise",
    "score",
    "split",
    "train",
    "verify",
]
