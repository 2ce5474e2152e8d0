"""RE: uniform pairs, and entities that train lacks (Section 3.5.1)."""
