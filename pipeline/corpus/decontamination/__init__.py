"""Which texts of a corpus hold texts of a benchmark: pieces, an index, alignment, rules."""
