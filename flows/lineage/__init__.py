"""The life of an id: where it came from, and every decision on it."""
