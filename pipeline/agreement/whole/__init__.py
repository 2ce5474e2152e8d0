"""Whole answers compared: spans, trees, dialogues."""
