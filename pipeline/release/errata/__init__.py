"""Errata: patches to the examples of a release as data, found or written, and applied."""
