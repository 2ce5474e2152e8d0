"""Candidates of inference: premises, and what hypotheses alone give away (Section 3.3)."""
