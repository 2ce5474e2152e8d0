"""From gold to a release: splits, the check for leaks, the files, their cards, verify and diff."""
