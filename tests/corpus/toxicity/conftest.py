"""The fixtures of the tests of toxicity."""

from comments import dev_file, train_file, weights

__all__ = ["dev_file", "train_file", "weights"]
