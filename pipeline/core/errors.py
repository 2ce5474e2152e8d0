"""The errors of the project, by what the user can do.

    KlueError
    ├── FatalError                stop: nothing sensible can follow
    │   ├── SpecError             a YAML file is wrong: file, line and key are named
    │   ├── InputError            an input of the user's is missing or unusable as a whole
    │   ├── SchemaError           a table breaks its Arrow schema
    │   ├── ConservationError     rows in differ from rows out plus ledger: a bug, never the data
    │   ├── StoreError            the work directory is damaged or in use
    │   ├── ClusterError          a cluster has no fit worker: another version, another disk
    │   └── MissingDependencyError
    ├── RecordError               quarantine: this one record cannot be read, the rest can
    └── RetryError                try again: the network or a worker failed, the work is kept

The command line prints the message of a KlueError and exits with `code`; a traceback means a bug.
"""

from __future__ import annotations


class KlueError(Exception):
    """Base of all errors that the user sees without a traceback."""

    code = 1


class FatalError(KlueError):
    """The run cannot go on."""


class SpecError(FatalError):
    """A build file, catalogue or spec is wrong."""

    code = 2


class InputError(FatalError):
    """An input is missing, empty, of the wrong form or hostile."""

    code = 2


class SchemaError(FatalError):
    """A table does not have the shape that its schema promises."""


class ConservationError(FatalError):
    """A stage lost or invented rows: in is not out plus ledger."""


class StoreError(FatalError):
    """The work directory is damaged, or another run holds it."""


class ClusterError(FatalError):
    """No scheduler answers, or a worker has another installation or does not see the files."""


class MissingDependencyError(FatalError):
    """A library that this step needs is not installed."""

    def __init__(self, library: str, command: str) -> None:
        """Take the library and the command that installs it (extras.py)."""
        super().__init__(library, command)

    def __str__(self) -> str:
        return f"{self.args[0]} is not installed; install it with: {self.args[1]}"


class RecordError(KlueError):
    """One record of an input cannot be read; it is quarantined under `rule`.

    The reason never holds the record's text: it may be personal data.
    """

    def __init__(self, rule: str, reason: str) -> None:
        """Take the rule id, such as ``read.malformed@1``, and a reason without content."""
        super().__init__(rule, reason)
        self.rule = rule
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.rule}: {self.reason}"


class RetryError(KlueError):
    """A step failed for a temporary reason; running again continues where it stopped."""
