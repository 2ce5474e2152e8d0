"""Candidates of named entity recognition: texts with pre-annotations (Section 3.4)."""
