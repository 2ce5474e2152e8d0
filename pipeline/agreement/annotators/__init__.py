"""Measures of one annotator, and of two."""
