"""Relation candidates: entities, a knowledge base, and pairs of entities (Section 3.5.1)."""
