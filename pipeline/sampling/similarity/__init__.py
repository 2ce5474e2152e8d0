"""Candidates of similarity: pairs of sentences (Section 3.2.1)."""
