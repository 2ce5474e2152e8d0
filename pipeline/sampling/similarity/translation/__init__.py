"""Round-trip translation: a sentence to another language and back (Section 3.2.1)."""
