"""The knowledge base of relations: names with their types, and the facts between names."""

from pipeline.tasks.re.knowledge.base import (
    Fact,
    Knowledge,
    NameInfo,
    create_knowledge,
    open_base,
    open_knowledge,
)
from pipeline.tasks.re.knowledge.builder import Builder

__all__ = [
    "Builder",
    "Fact",
    "Knowledge",
    "NameInfo",
    "create_knowledge",
    "open_base",
    "open_knowledge",
]
