"""Agreement between annotators, and what becomes of their votes."""
