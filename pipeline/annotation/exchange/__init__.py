"""Annotation tools: batches out to them, and their exports in as raw votes (registry.py)."""
