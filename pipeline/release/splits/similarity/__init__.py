"""STS: scores level over bins (Section 3.2.1)."""
