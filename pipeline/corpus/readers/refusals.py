"""Every rule under which a reader leaves a record out, with its action and meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Rule:
    """What happens to a record under this rule, and what the rule means."""

    action: Literal["drop", "quarantine"]
    meaning: str


#: A drop is on purpose: the record was understood and is not wanted. A quarantine is a fault: the
#: record could not be understood, and somebody may want to mend it.
RULES: Final[dict[str, Rule]] = {
    "read.empty@1": Rule("drop", "a blank line, or a record without text"),
    "read.not_a_record@1": Rule("drop", "a file or page of another kind than the reader's"),
    "read.namespace@1": Rule("drop", "a wiki page outside the article namespace"),
    "read.redirect@1": Rule("drop", "a wiki page that only points to another"),
    "read.language@1": Rule("drop", "a text that is not Korean"),
    "read.too_long@1": Rule("quarantine", "a line longer than the cap"),
    "read.too_large@1": Rule("quarantine", "a file, page or row larger than the cap"),
    "read.encoding@1": Rule("quarantine", "bytes or escapes that are no text in the encoding"),
    "read.malformed@1": Rule("quarantine", "a record that breaks its format"),
    "read.missing_field@1": Rule("quarantine", "a record without a field that it must have"),
    "read.archive_path@1": Rule("quarantine", "a name that leaves its folder, a link or a device"),
    "read.wikitext@1": Rule("quarantine", "wikitext that the parser gives up on"),
}
