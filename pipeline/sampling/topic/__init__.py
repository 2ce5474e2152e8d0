"""Candidates of topic classification: headlines (Section 3.1)."""
