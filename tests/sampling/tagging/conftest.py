"""The fixtures of the tests of taggers."""

from made_up import labelled_file, made

__all__ = ["labelled_file", "made"]
