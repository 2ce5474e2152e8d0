"""An instance of the knowledge base: a hotel, a restaurant, an attraction or a metro journey."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pipeline.core.jsontext import canonical
from pipeline.tasks.dst.ground.names import NAME

Pool = Literal["train", "held_out"]


@dataclass(frozen=True)
class Entry:
    """One instance: its slots by id, the name among them; train goals use the pool train alone."""

    domain: str
    instance: str
    name: str
    pool: Pool
    slots: Mapping[str, str]

    def get(self, word: str) -> str:
        """Return the value of a slot of its domain, or ''."""
        return self.slots.get(f"{self.domain}-{word}", "")

    @property
    def row(self) -> dict[str, object]:
        """Return the row of the table `knowledge`."""
        return {
            "domain": self.domain,
            "instance": self.instance,
            "name": self.name,
            "pool": self.pool,
            "slots": canonical(dict(self.slots)),
        }

    @property
    def shown(self) -> dict[str, str]:
        """Return what the wizard sees."""
        name = f"{self.domain}-{NAME}"
        rest = {slot: value for slot, value in self.slots.items() if slot != name}
        return {
            "domain": self.domain,
            **({"name": self.name} if name in self.slots else {}),
            **rest,
        }
