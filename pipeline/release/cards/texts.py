"""All cards of a release that tell no hashes, by their paths in it."""

from __future__ import annotations

from pipeline.release.cards.changelog import changelog
from pipeline.release.cards.datasheet import datasheet
from pipeline.release.cards.readme import readme
from pipeline.release.cards.rights import attribution_text, licence_text
from pipeline.release.diff import Difference
from pipeline.release.material import Facts


def texts(facts: Facts, difference: Difference | None = None) -> dict[str, str]:
    """Return the Markdown of a release; `difference` is that to the version before, if any.

    Raises InputError as `pipeline.release.licence.licence_of` does.
    """
    return {
        "ATTRIBUTION.md": attribution_text(facts),
        "CHANGELOG.md": changelog(facts, difference),
        "LICENSE.md": licence_text(facts),
        "README.md": readme(facts),
        "datasheet.md": datasheet(facts),
    }
