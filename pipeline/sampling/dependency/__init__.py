"""Dependency parsing: complete sentences, with parts of speech to begin from (Section 3.6.1)."""
