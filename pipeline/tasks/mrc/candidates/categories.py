"""The categories of news articles that give no passages: politics, and the rare ones."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from pipeline.core.stage import Call
from pipeline.sampling import inputs
from pipeline.sampling.filling import Refusal
from pipeline.tasks.mrc.spec import Passages

#: What newsrooms put between the names of a category and of its subcategory.
_PARTS: Final = re.compile(r"[\s/>|,·ㆍ&]+")


class Categories:
    """The categories of a source's articles, counted over the whole source.

    An article without a category, as in Wikipedia, is left alone. Source: KLUE, Section 3.7.1.
    """

    def __init__(self, call: Call, source: str, spec: Passages) -> None:
        """Count the articles of each category."""
        self.politics = frozenset(name.casefold() for name in spec.politics)
        self.least = spec.least_articles
        self.counts: Counter[str] = Counter()
        for table in inputs.rows(call, source, "documents"):
            self.counts.update(n for n in table.column("section").to_pylist() if n is not None)

    def refusal(self, category: str | None) -> Refusal | None:
        """Tell why an article of this category is left out, or None."""
        if not category:
            return None
        if self.politics & {category.casefold(), *_PARTS.split(category.casefold())}:
            return Refusal("mrc.political@1", f"category {category}")
        count = self.counts[category]
        if count < self.least:
            reason = f"category {category} has {count} articles; {self.least} wanted"
            return Refusal("mrc.rare_category@1", reason, count)
        return None
