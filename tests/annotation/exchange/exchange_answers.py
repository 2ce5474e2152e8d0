"""Hypothesis strategies: texts of all kinds, and good answers of every form and task."""

from __future__ import annotations

from typing import Any

from exchange_samples import ODD, SPECS
from hypothesis import strategies as st

from pipeline.contracts.spec import Round
from pipeline.contracts.task import answer_form

#: Letters that trip tools: Hangul, jamo, emoji and rare hanja beyond the first plane, joiners,
#: markup, quotes, colons, line ends, a backslash.
LETTERS = st.sampled_from([*"가나다한글abc123 \n<>&\"':;\\/🍜👩‍🌾𠮷각`${}[]-", "<script>", "\\n"])
TEXTS = st.one_of(
    st.lists(LETTERS, min_size=1, max_size=20).map("".join),
    st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=15),
    st.just(ODD),
).filter(lambda text: bool(text.strip()))
#: `none` is no value of a slot: what nobody asked for is left out.
VALUES = TEXTS.filter(lambda text: text.strip() != "none")
WORDS = st.text(st.sampled_from(list("가나다노래를그는불렀다🍜𠮷a1.,<>&")), min_size=1, max_size=6)


@st.composite
def fields(draw: Any, task: str) -> dict[str, Any]:
    """Draw the fields of an item of a task."""
    if task == "dp":
        words = draw(st.lists(WORDS, min_size=1, max_size=6))
        return {"text": " ".join(words), "words": words}
    if task == "re":
        left, subject, middle, object_, right = draw(st.tuples(*[TEXTS] * 5))
        parts = [left, subject, middle, object_, right]
        starts = [len("".join(parts[:n])) for n in (1, 3)]
        return {
            "sentence": "".join(parts),
            "subject": _entity(starts[0], subject, "PER"),
            "object": _entity(starts[1], object_, "LOC"),
        }
    names = {
        "tc": ["title"],
        "sts": ["sentence1", "sentence2"],
        "nli": ["premise", "hypothesis"],
        "ner": ["text"],
        "mrc": ["title", "context"],
        "dst": ["goal"],
    }
    return {name: draw(TEXTS) for name in names[task]}


def _entity(start: int, word: str, kind: str) -> dict[str, Any]:
    return {"start": start, "end": start + len(word), "word": word, "type": kind}


def answers(task: str, round_: Round, of: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return good answers of a round about an item with these fields."""
    inner = _FORMS[answer_form(SPECS[task], round_)](task, of)
    if round_.answer != "verdict":
        return inner
    feedback = st.one_of(st.just({}), st.builds(lambda text: {"feedback": text}, TEXTS))
    verdicts = st.one_of(
        st.sampled_from([{"verdict": "accept"}, {"verdict": "reject"}]),
        st.builds(lambda value: {"verdict": "revise", "answer": value}, inner),
    )
    return st.builds(lambda a, b: a | b, verdicts, feedback)


def _ids(task: str, group: str | None = None) -> st.SearchStrategy[str]:
    return st.sampled_from(SPECS[task].ids(group))


def _topics(task: str, _of: Any) -> st.SearchStrategy[Any]:
    return st.lists(_ids(task), min_size=1, max_size=3, unique=True)


def _hypotheses(task: str, _of: Any) -> st.SearchStrategy[Any]:
    labels = SPECS[task].ids()
    many = st.lists(
        TEXTS, min_size=len(labels), max_size=len(labels), unique_by=lambda t: " ".join(t.split())
    )
    return many.map(lambda texts: dict(zip(labels, texts, strict=True)))


@st.composite
def _cuts(draw: Any, text: str) -> list[tuple[int, int]]:
    """Draw places in a text that do not overlap and have no blanks at their ends."""
    places = draw(st.lists(st.integers(0, len(text)), max_size=6, unique=True))
    ordered = sorted(places)
    cuts = zip(ordered[::2], ordered[1::2], strict=False)
    return [(a, b) for a, b in cuts if text[a:b].strip() == text[a:b]]


@st.composite
def _spans(draw: Any, task: str, of: dict[str, Any]) -> Any:
    cuts = draw(_cuts(of["text"]))
    return [{"start": a, "end": b, "label": draw(_ids(task))} for a, b in cuts]


@st.composite
def _morphemes(draw: Any, task: str, of: dict[str, Any]) -> Any:
    lemmas, pos = [], []
    for _ in of["words"]:
        parts = draw(st.lists(WORDS, min_size=1, max_size=4))
        tags = draw(st.lists(_ids(task, "pos"), min_size=len(parts), max_size=len(parts)))
        lemmas.append(" ".join(parts))
        pos.append("+".join(tags))
    return {"lemmas": lemmas, "pos": pos}


@st.composite
def _tree(draw: Any, task: str, of: dict[str, Any]) -> Any:
    count = len(of["words"])
    heads = [draw(st.integers(n + 1, count)) for n in range(1, count)] + [0]
    deprels = []
    for _ in heads:
        tag = draw(_ids(task, "syntax"))
        role = draw(st.one_of(st.just(""), _ids(task, "function").map("_".__add__)))
        deprels.append(tag + role)
    return {"heads": heads, "deprels": deprels}


@st.composite
def _reading(draw: Any, _task: str, of: dict[str, Any]) -> Any:
    context = of["context"]
    cuts = draw(st.permutations(draw(_cuts(context))))
    marks = [{"start": a, "text": context[a:b]} for a, b in cuts]
    kind = draw(st.sampled_from([1, 2, 3])) if marks else 3
    return {
        "question": draw(TEXTS),
        "type": kind,
        "answers": marks if kind != 3 else [],
        "plausible_answers": marks if kind == 3 else [],
    }


@st.composite
def _dialogue(draw: Any, task: str, _of: Any) -> Any:
    slots = {slot.id: slot for slot in SPECS[task].slots if slot.informable}
    turns = []
    for number in range(draw(st.integers(1, 5))):
        state = []
        if number % 2 == 0:
            for name in draw(st.lists(st.sampled_from(sorted(slots)), max_size=4, unique=True)):
                slot = slots[name]
                known = st.sampled_from([*slot.values, "dontcare"])
                value = draw(known if slot.values else st.one_of(known, VALUES))
                state.append(f"{name}-{value}")
        role = ("user", "sys")[number % 2]
        turns.append({"role": role, "text": draw(TEXTS), "state": state})
    return {"turns": turns}


_FORMS = {
    "topics": _topics,
    "score": lambda _task, _of: st.integers(0, 5),
    "label": lambda task, _of: _ids(task),
    "hypotheses": _hypotheses,
    "spans": _spans,
    "morphemes": _morphemes,
    "tree": _tree,
    "reading": _reading,
    "dialogue": _dialogue,
}


def unordered(value: Any) -> Any:
    """Return an answer with its dialogue states sorted: their order has no meaning."""
    if isinstance(value, dict):
        made = {key: unordered(inner) for key, inner in value.items()}
        return made | ({"state": sorted(made["state"])} if "state" in made else {})
    return [unordered(one) for one in value] if isinstance(value, list) else value
