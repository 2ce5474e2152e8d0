"""Prompts of NER: those of any typed spans of a text."""

from __future__ import annotations

from pipeline.tasks.kinds.prompts import span_prompts

PROMPTS = span_prompts("text")
