"""Taggers of named entities: what they are, and the one that comes with the project."""
