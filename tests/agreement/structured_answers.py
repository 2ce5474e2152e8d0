"""Ratings whose values are whole answers: spans, trees or dialogue states."""

from __future__ import annotations

from typing import Any

from rating_matrix import ratings

from pipeline.agreement.votes.ratings import Ratings


def answers(**by: list[Any]) -> Ratings:
    """Return the answers of people to items, one answer an item."""
    flat = [(item, who, tuple(x)) for who, own in by.items() for item, x in enumerate(own)]
    flat.sort(key=lambda one: (one[0], one[1]))
    items, people, values = zip(*flat, strict=True)
    return ratings(items, people, values, categories=list(dict.fromkeys(values)))
