"""Regions of Label Studio, and what is said of them: words of a tree, turns of a dialogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, Final

from pipeline.annotation.exchange.answer_parts import Part, exchange_fault
from pipeline.annotation.exchange.utf16 import utf16_length

Result = dict[str, Any]

WORD: Final = "word"
TURN: Final = "turn"
WORDS: Final = "words"
DIALOGUE: Final = "dialogue"
TURN_TEXT: Final = "turn_text"
STATE: Final = "state"
STATE_TEXT: Final = "state_text"
#: What stands after the words of a tree: the head of its root.
ROOT: Final = "[ROOT]"


@dataclass(frozen=True)
class Layout:
    """What the regions of a task point into, as the task's data says.

    `text` is what spans point into, `words` those of a tree, `turns` (role, text) the paragraphs.
    `closed` are the slot-values that the Taxonomy offers; `to` is the object that controls without
    regions belong to, `target` the one of spans.
    """

    to: str
    target: str = ""
    text: str = ""
    words: tuple[str, ...] = ()
    turns: tuple[tuple[str, str], ...] = ()
    closed: frozenset[str] = frozenset()
    slots: tuple[str, ...] = ()

    @property
    def places(self) -> list[tuple[int, int]]:
        """Return where the words stand in the text that shows them; the last is the root's."""
        ends = list(accumulate(len(word) + 1 for word in (*self.words, ROOT)))
        return [(start, end - 1) for start, end in pairwise([0, *ends])]


#: The results of one annotation by control; the relations under RELATION.
Results = dict[str, list[Result]]
RELATION: Final = "relation"


def region(id_: str, name: str, to: str, type_: str, content: Any, **place: Any) -> Result:
    """Return a result of one control about one object, or about a place in it."""
    value = {**place, "text" if type_ == "textarea" else type_: content}
    return {"id": id_, "from_name": name, "to_name": to, "type": type_, "value": value}


def one_text(result: Result, key: str, name: str) -> str | None:
    """Return the one text of a result or None; several of a TextArea are lines of one."""
    texts = result["value"].get(key)
    texts = [texts] if isinstance(texts, str) else texts
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise exchange_fault("form", f"{name!r} holds no list of texts under {key!r}")
    if len(texts) > 1 and key != "text":
        raise exchange_fault("form", f"{name!r} has {len(texts)} values; one is wanted")
    return "\n".join(texts) or None


def whole(value: Mapping[str, Any], key: str) -> int:
    """Return a whole number that a region holds; raises RecordError for anything else."""
    number = value.get(key)
    if isinstance(number, str) and number.isdecimal():
        return int(number)
    if type(number) is not int:
        raise exchange_fault("offset", f"a region's {key} is no whole number")
    return number


def word_regions(layout: Layout, *, root: bool) -> list[Result]:
    """Return one region a word, and one for the mark of the root where arcs need it."""
    places = layout.places if root else layout.places[:-1]
    return [_word_result(n, WORD, "labels", place, [WORD]) for n, place in enumerate(places, 1)]


def _word_result(
    number: int, name: str, type_: str, place: tuple[int, int], texts: list[str]
) -> Result:
    start, end = place
    return region(f"w{number}", name, WORDS, type_, texts, start=start, end=end)


def _word_numbers(results: Results, layout: Layout) -> dict[str, int]:
    """Return the place (from 0) of the word that each region's id stands for; the root is last."""
    numbers = {place: number for number, place in enumerate(layout.places)}
    words: dict[str, int] = {}
    for result in results.get(WORD, []):
        place = whole(result["value"], "start"), whole(result["value"], "end")
        if place not in numbers:
            raise exchange_fault("offset", "a region of `word` is not one whole word")
        words[str(result.get("id"))] = numbers[place]
    return words


def word_results(part: Part, value: Any, layout: Layout) -> list[Result]:
    """Return the texts of words as texts of their regions."""
    return [
        _word_result(number, part.name, "textarea", place, [text])
        for number, (place, text) in enumerate(zip(layout.places, value, strict=False), 1)
    ]


def get_words(part: Part, results: Results, layout: Layout) -> list[str] | None:
    """Return one text a word; raises RecordError where a word has none or two."""
    of_part = results.get(part.name, [])
    if not of_part:
        return None
    words = _word_numbers(results, layout)
    texts: dict[int, str] = {}
    for result in of_part:
        number = words.get(str(result.get("id")), -1)
        if number in texts or not 0 <= number < len(layout.words):
            raise exchange_fault("form", f"{part.name!r} is given twice for a word, or for no word")
        texts[number] = one_text(result, "text", part.name) or ""
    return _of_every_word(texts, layout, f"there is no {part.name!r} for word {{}}")


def _of_every_word(by_word: Mapping[int, Any], layout: Layout, fault: str) -> list[Any]:
    for number in range(len(layout.words)):
        if number not in by_word:
            raise exchange_fault("unanswered", fault.format(number + 1))
    return [by_word[number] for number in range(len(layout.words))]


def arc_results(_part: Part, value: Any, layout: Layout) -> list[Result]:
    """Return arcs as relations from a word to its head, the root's to the mark."""
    root = len(layout.words) + 1
    return [
        {
            "type": RELATION,
            "from_id": f"w{number}",
            "to_id": f"w{arc['head'] or root}",
            "direction": "right",
            "labels": [arc["deprel"]],
        }
        for number, arc in enumerate(value, 1)
    ]


def get_arcs(_part: Part, results: Results, layout: Layout) -> list[dict[str, Any]] | None:
    """Return the head and relation of each word; raises RecordError unless each has one."""
    if RELATION not in results:
        return None
    words, root = _word_numbers(results, layout), len(layout.words)
    arcs: dict[int, dict[str, Any]] = {}
    for relation in results[RELATION]:
        child, head, deprel = _arc(relation, words)
        if child in arcs or child == root:
            raise exchange_fault("tree", "a word has two heads, or the root mark has one")
        arcs[child] = {"head": (head + 1) % (root + 1), "deprel": deprel}
    return _of_every_word(arcs, layout, "no arc leads from word {} to its head")


def _arc(relation: Mapping[str, Any], words: Mapping[str, int]) -> tuple[int, int, str]:
    ends = [words.get(str(relation.get(key))) for key in ("from_id", "to_id")]
    if relation.get("direction") == "left":
        ends.reverse()
    child, head = ends
    if child is None or head is None or relation.get("direction") not in ("left", "right"):
        raise exchange_fault("tree", "an arc leads from one word to one other, in one direction")
    labels = relation.get("labels") or []
    if not isinstance(labels, list) or len(labels) != 1 or not isinstance(labels[0], str):
        raise exchange_fault("tree", f"the arc of word {child + 1} needs one relation")
    return child, head, labels[0]


def turn_regions(layout: Layout) -> list[Result]:
    """Return one region a turn."""
    return [
        _turn_result(n, TURN, "paragraphlabels", [TURN], layout) for n in range(len(layout.turns))
    ]


def _turn_result(number: int, name: str, type_: str, content: list[Any], layout: Layout) -> Result:
    """Return a result of the whole paragraph of a turn; its offsets are UTF-16 code units."""
    end = utf16_length(layout.turns[number][1])
    place = {"start": str(number), "end": str(number), "startOffset": 0, "endOffset": end}
    return region(f"t{number + 1}", name, DIALOGUE, type_, content, **place)


def turn_results(_part: Part, value: Any, layout: Layout) -> list[Result]:
    """Return the texts and states of turns as results of their paragraphs' regions."""
    results = []
    for number, turn in enumerate(value):
        state = turn.get("state", [])
        paths = [name.split("-", 2) for name in state if name in layout.closed]
        others = [name for name in state if name not in layout.closed]
        results.append(_turn_result(number, TURN_TEXT, "textarea", [turn["text"]], layout))
        if paths:
            results.append(_turn_result(number, STATE, "taxonomy", paths, layout))
        if others:
            results.append(_turn_result(number, STATE_TEXT, "textarea", others, layout))
    return results


def get_turns(_part: Part, results: Results, layout: Layout) -> list[dict[str, Any]] | None:
    """Return the turns up to the last one with a text.

    The states are in the order of the spec's slots: their own order has no meaning. Raises
    RecordError for a turn without a text before that, or with two.
    """
    texts = {n: one_text(r, "text", TURN_TEXT) or "" for n, r in _by_turn(results, TURN_TEXT)}
    texts = {n: text for n, text in texts.items() if text.strip()}
    if not texts:
        return None
    states: dict[int, list[str]] = {}
    for number, result in _by_turn(results, STATE):
        paths = _as_list(result, "taxonomy")
        if not all(isinstance(p, list) and len(p) == 3 and _are_texts(p) for p in paths):
            raise exchange_fault("form", "a path of the Taxonomy is a domain, a slot and a value")
        states.setdefault(number, []).extend("-".join(path) for path in paths)
    for number, result in _by_turn(results, STATE_TEXT):
        lines = _as_list(result, "text")
        if not _are_texts(lines):
            raise exchange_fault("form", "a state in words is a list of texts")
        states.setdefault(number, []).extend(line for line in lines if line.strip())
    if sorted(texts) != list(range(len(texts))) or set(states) - set(texts):
        raise exchange_fault(
            "form", "a turn before the last has no text, or a state stands without one"
        )
    order = {slot: place for place, slot in enumerate(layout.slots)}

    def place_of(slot_value: str) -> int:
        return order.get("-".join(slot_value.split("-", 2)[:2]), len(order))

    return [
        {
            "role": "sys" if n % 2 else "user",
            "text": texts[n],
            "state": sorted(states.get(n, []), key=place_of),
        }
        for n in range(len(texts))
    ]


def _by_turn(results: Results, name: str) -> Iterator[tuple[int, Result]]:
    numbers: set[int] = set()
    for result in results.get(name, []):
        number = whole(result["value"], "start")
        if number != whole(result["value"], "end"):
            raise exchange_fault("form", "a region is over two turns; one turn a region")
        if number in numbers:
            raise exchange_fault("form", f"{name!r} is given twice for one turn")
        numbers.add(number)
        yield number, result


def _as_list(result: Result, key: str) -> list[Any]:
    value = result["value"].get(key)
    return value if isinstance(value, list) else [value]


def _are_texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)
