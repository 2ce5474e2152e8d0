"""Infoboxes of a wiki page: each parameter with its plain value and the pages it links to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from mwparserfromhell.nodes import Template
from mwparserfromhell.nodes.extras import Parameter

from pipeline.corpus.readers.base import Infobox
from pipeline.corpus.readers.wiki import templates, vocabulary, wikitext

#: What stands between the lines of a value, whether <br>, a list or a list template made them.
SEPARATOR: Final = " / "

_NAMED: Final = re.compile(
    r".*정보\d?( ?\(.*\))?|.*정보/.*|정보(틀|표|상자)?( .*)|infobox.*|.* infobox", re.IGNORECASE
)


def is_infobox(template: Template) -> bool:
    """Tell by its name whether a template is an infobox."""
    name = templates.name_of(template)
    return bool(_NAMED.fullmatch(name)) or name.lower() in vocabulary.INFOBOXES


@dataclass
class Gatherer:
    """Gathers the parameters of a page's infoboxes in page order; `ordinal` counts them from 0.

    An infobox inside a parameter of another is gathered on its own, after the outer parameters
    before it.
    """

    title: str
    rows: list[Infobox] = field(default_factory=list)

    def take(self, template: Template) -> bool:
        """Gather a template if it is an infobox, and tell whether it was."""
        if not is_infobox(template):
            return False
        name = templates.name_of(template)
        # Of a parameter given twice, MediaWiki shows the last.
        params = {str(param.name).strip(): param for param in template.params if param.showkey}
        for key, param in params.items():
            self._take_parameter(name, key, param)
        return True

    def _take_parameter(self, template: str, key: str, param: Parameter) -> None:
        renderer = wikitext.Renderer(self.title, in_prose=False, on_template=self.take)
        value = _one_line(wikitext.tidy(renderer.render(param.value.nodes)))
        if key and value:
            links = tuple(dict.fromkeys(renderer.links))
            self.rows.append(Infobox(template, len(self.rows), key, value, links))


def _one_line(text: str) -> str:
    return SEPARATOR.join(line for line in text.split("\n") if line)
