"""Simulated annotators: 15 workers (Section 3.8.1), and the dialogue that they write.

An estimated dialogue reaches a goal that was drawn, part by part: the user searches, takes what the
agent offers, asks and books; the state grows by what each turn says. No person wrote it: it is one
way to reach the goal, in few sentences (phrasing.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, ValidationError

from pipeline.annotation.simulated.profile import Plan, Simulated
from pipeline.contracts.task import Fields
from pipeline.core.ids import draw
from pipeline.tasks.dst import phrasing
from pipeline.tasks.dst.phrasing import SlotValue
from pipeline.tasks.dst.schema import ANY, FROM, NAME, STATION, TO, domain_of, word_of

_BOOKING: Final = "예약 "
_REFERENCE: Final = "예약 번호"

_Slot = Annotated[str, Field(pattern=r"^[^-]+-.+$")]
_Values = Annotated[list[str], Field(min_length=1)]


class _Want(BaseModel):
    """A slot to fill; the one it refers to, and the value to ask for first, if any."""

    slot: _Slot
    same_as: str = ""
    first: str = ""

    @property
    def word(self) -> str:
        return word_of(self.slot)


class _Part(BaseModel):
    domain: Annotated[str, Field(min_length=1)]
    wants: list[_Want]
    asks: list[_Slot] = []
    named: bool = False


class _Goal(BaseModel):
    """What of an item's fields and evidence a dialogue is made from."""

    goal: str
    knowledge: list[dict[str, str]]
    parts: Annotated[list[_Part], Field(min_length=1)]
    expected: dict[str, _Values]


def dialogue(fields: Fields, meta: Fields) -> dict[str, Any] | None:
    """Return a dialogue that reaches the goal of an item, the same for the same item.

    `fields` are those of a drawn goal (goal, knowledge), `meta` its evidence (parts, expected).
    None where they are of another form, as of goals that a user wrote.
    """
    try:
        goal = _Goal.model_validate({**meta, **fields})
    except ValidationError:
        return None
    if any(want.slot not in goal.expected for part in goal.parts for want in part.wants):
        return None
    return {"turns": _Talk(goal).turns()}


class _Talk:
    def __init__(self, goal: _Goal) -> None:
        self._goal = goal
        self._state: dict[str, str] = {}
        self._turns: list[dict[str, Any]] = []

    def turns(self) -> list[dict[str, Any]]:
        """Go through all parts and say goodbye."""
        for part in self._goal.parts:
            if any(want.word in (FROM, TO) for want in part.wants):
                self._ride(part)
            else:
                self._venue(part)
        self._say("감사합니다. 더 필요한 것은 없어요.", (), "이용해 주셔서 감사합니다.")
        return self._turns

    def _venue(self, part: _Part) -> None:
        name = next((self._value_of(w) for w in part.wants if w.word == NAME), None)
        booked = [w for w in part.wants if w.word.startswith(_BOOKING)]
        if not part.named:
            self._search(part, [w for w in part.wants if w.word != NAME and w not in booked], name)
        later = [item for item in part.asks if booked and item.endswith(_REFERENCE)]
        asks = [item for item in part.asks if item not in later]
        if name is not None or asks:
            take = "'{}'에 가 보려고 해요." if part.named else "네, '{}' 좋네요. 그곳으로 할게요."
            text = f"{take.format(name.value) if name else ''} {phrasing.ask(asks)}".strip()
            self._say(text, [name] if name else [], self._answer(part.domain, asks))
        if booked:
            slot_values = [self._value_of(want) for want in booked]
            text = f"{phrasing.booking(slot_values)} {phrasing.ask(later)}".strip()
            reply = self._answer(part.domain, later) if later else ""
            self._say(text, slot_values, f"예약을 마쳤습니다. {reply}")

    def _search(self, part: _Part, wants: Sequence[_Want], name: SlotValue | None) -> None:
        slot_values = [
            SlotValue(want.slot, want.first) if want.first else self._value_of(want)
            for want in wants
        ]
        changes = [self._value_of(want) for want in wants if want.first]
        offer = f"'{name.value}' 어떠세요?" if name else "네, 알아보겠습니다."
        first, *replies = [*["죄송하지만 조건에 맞는 곳이 없습니다."] * len(changes), offer]
        self._say(phrasing.search(part.domain, slot_values), slot_values, first)
        for change, reply in zip(changes, replies, strict=True):
            self._say(phrasing.instead(change), [change], reply)

    def _ride(self, part: _Part) -> None:
        slot_values = [self._value_of(want) for want in part.wants]
        text = f"{phrasing.ride(part.domain, slot_values)} {phrasing.ask(part.asks)}".strip()
        self._say(text, slot_values, self._answer(part.domain, part.asks))

    def _say(self, text: str, slot_values: Sequence[SlotValue], reply: str) -> None:
        self._state |= {item.slot: item.value for item in slot_values}
        opening = "" if self._turns else "안녕하세요. "
        state = [f"{slot}-{value}" for slot, value in self._state.items()]
        self._turns.append({"role": "user", "text": f"{opening}{text}", "state": state})
        self._turns.append({"role": "sys", "text": reply.strip(), "state": []})

    def _value_of(self, want: _Want) -> SlotValue:
        """Return the value of a want: the only one, that of the slot referred to, or any."""
        values, known = self._goal.expected[want.slot], self._state.get(want.same_as, "")
        rows = [row for row in self._goal.knowledge if known and row.get("name") == known]
        near = [v for row in rows for slot, v in row.items() if slot.endswith(f"-{STATION}")]
        open_ = values[int(draw(0, "sim.talk", self._goal.goal + want.slot) * len(values))]
        value = next((item for item in (known, *near) if item in values), open_)
        return SlotValue(want.slot, value, domain_of(want.same_as))

    def _answer(self, domain: str, asks: Sequence[str]) -> str:
        held = {slot: value for slot, value in self._state.items() if value != ANY}
        rows = [row for row in self._goal.knowledge if row.get("domain") == domain]
        fit = [row for row in rows if _fits(row, domain, held)]
        number = int(draw(0, "sim.reference", self._goal.goal + domain) * 100_000)
        row = {f"{domain}-{_REFERENCE}": f"{number:05d}", **dict(*fit[:1])}
        slot_values = [f"{word_of(slot)}: {row[slot]}" for slot in asks if slot in row]
        return f"{', '.join(slot_values)}입니다." if slot_values else "네, 알겠습니다."


def _fits(row: Mapping[str, str], domain: str, held: Mapping[str, str]) -> bool:
    name = held.get(f"{domain}-{NAME}")
    if name is not None:
        return row.get("name") == name
    return all(held.get(slot, value) == value for slot, value in row.items())


def _estimate(fields: Fields, _known: Mapping[str, Any], meta: Fields) -> dict[str, Any]:
    return dialogue(fields, meta) or {
        "turns": [
            {
                "role": "user",
                "text": "안녕하세요. 서울 여행을 준비하고 있는데 도움을 받을 수 있을까요?",
                "state": [],
            },
            {"role": "sys", "text": "네, 무엇이든 말씀해 주세요.", "state": []},
        ]
    }


SIMULATED: Final = Simulated(
    plans={"dialogue": Plan(15, 0.8, 0.1, load=5), "inspect": Plan(4, 0.95, 0.03, first=16)},
    rates={"impossible_goal": 0.01},
    estimate=_estimate,
)
