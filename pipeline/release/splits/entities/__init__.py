"""NER: entities that train lacks (Section 3.4.1)."""
