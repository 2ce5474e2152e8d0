"""What writers, taggers and inspectors answer: the truth, or the truth with one slip.

What a label or an entity type is mistaken for is the task's (confusions of profile.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

from pipeline.annotation.simulated.labelling import Sitting
from pipeline.annotation.simulated.profile import Chance, confusions
from pipeline.contracts.inspection import ANSWER_KEYS
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import AnswerKind, Round, TaskSpec
from pipeline.contracts.task import Fields

#: How often an inspector changes, or sends back, an answer that was right.
_HASTY: Final = 0.02
#: How often a wrong answer is sent back where its author may not try again: it stays unresolved.
_GIVEN_BACK: Final = 0.04
_FEEDBACK: Final = {
    "spans": "개체의 경계와 유형을 다시 확인해 주세요.",
    "morphemes": "품사 표지를 다시 확인해 주세요.",
    "tree": "지배소와 기능 표지를 다시 확인해 주세요.",
    "reading": "질문의 유형과 답의 경계를 지침에 맞게 고쳐 주세요.",
    "dialogue": "상태가 바뀌는 차례를 다시 확인해 주세요.",
}


Span = dict[str, Any]
#: Tags of morphemes (Sejong) that are taken for each other.
_SIMILAR_TAGS: Final = {
    "NNG": "NNP",
    "NNP": "NNG",
    "NNB": "NNG",
    "JKS": "JX",
    "JX": "JKS",
    "JKB": "JKC",
    "EC": "EF",
    "VV": "VA",
    "VA": "VV",
    "MAG": "NNG",
    "MM": "NNG",
    "XSV": "VV",
    "ETM": "EC",
}


def right_answer(answer: Any, *forms: AnswerKind) -> Any:
    """Return what of a truth a round asks for, by the forms of its parts."""
    names = [name for form in forms for name in ANSWER_KEYS.get(form, ())]
    return {name: answer[name] for name in names} if names else answer


def write_answer(kind: AnswerKind, sitting: Sitting, spec: TaskSpec, *, attempt: int = 1) -> Any:
    """Return one annotator's answer; one that is given again is mostly better.

    Where the truth knows a first attempt, everybody who reads gives it first, and then the answer.
    """
    answer = right_answer(sitting.truth.answer, kind)
    careless = sitting.who.habit in ("random", "always_same") or sitting.skims
    if sitting.truth.first is not None and not careless:
        return answer if attempt > 1 else right_answer(sitting.truth.first, kind)
    is_wrong = careless or sitting.errs(f"error{attempt}")
    is_wrong = is_wrong and (attempt == 1 or sitting.vote.at(f"again{attempt}") < 0.5)
    return add_slip(kind, answer, sitting, spec) if is_wrong else answer


def verdict(
    about: Sequence[AnswerKind], shown: Any, sitting: Sitting, spec: TaskSpec, judged: Round
) -> dict[str, Any]:
    """Return a verdict: accept, revise with the corrected answer, or reject with feedback.

    `about` are the forms of what is shown. Where the author may answer again, a wrong answer goes
    back; elsewhere it is corrected. The first attempt that the truth knows is never overlooked.
    """
    truth, feedback = sitting.truth, _FEEDBACK.get(about[-1], "지침을 다시 확인해 주세요.")
    wanted = right_answer(truth.answer, *about)
    if shown == wanted:
        if sitting.vote.at("hasty") >= _HASTY:
            return {"verdict": "accept"}
        slip = add_slip(about[-1], wanted, sitting, spec)
        wanted = wanted | slip if len(about) > 1 else slip
    elif truth.first is not None and shown == right_answer(truth.first, *about):
        feedback = truth.feedback or feedback
    elif sitting.errs("overlooked"):
        return {"verdict": "accept"}
    elif judged.attempts == 1 and sitting.vote.at("back") < _GIVEN_BACK:
        return {"verdict": "reject", "feedback": feedback}
    if shown == wanted:  # there is nothing to change
        return {"verdict": "accept"}
    if judged.attempts > 1:
        return {"verdict": "reject", "feedback": feedback}
    return {"verdict": "revise", "answer": wanted, "feedback": feedback}


def add_slip(kind: AnswerKind, answer: Any, sitting: Sitting, spec: TaskSpec) -> Any:
    """Return an answer of a form with one slip."""
    return _SLIPS[kind](answer, sitting.fields, spec, sitting.vote)


def _hypotheses(
    answer: dict[str, str], _fields: Fields, _spec: TaskSpec, chance: Chance
) -> dict[str, str]:
    names = sorted(answer)
    first, second = names[0] if chance.at("pair") < 0.3 else names[-2:][0], names[-1]
    return {**answer, first: answer[second], second: answer[first]}


def _spans(answer: list[Span], fields: Fields, spec: TaskSpec, chance: Chance) -> list[Span]:
    """Return the spans with one slip; without spans, one too many."""
    text, kind = str(fields[TASKS[spec.task].fields[-1]]), "extra"
    if answer:
        slips = (("boundary", 5.0), ("type", 3.0), ("missing", 2.0), ("extra", 1.0))
        kind = chance.weigh("slip", slips)
    if kind == "extra":
        return _add_span(answer, text, spec, chance)
    place = int(chance.at("span") * len(answer))
    span = answer[place]
    if kind == "missing":
        return answer[:place] + answer[place + 1 :]
    if kind == "type":
        span = {**span, "label": confusions(spec, span["label"], fields)[0][0]}
    else:
        after = answer[place + 1]["start"] if place + 1 < len(answer) else len(text)
        span = {**span, "end": _other_end(span, text, after, chance)}
    return [*answer[:place], span, *answer[place + 1 :]]


def _labels(answer: list[str], _fields: Fields, spec: TaskSpec, chance: Chance) -> list[str]:
    """Return the labels with one more, or one less."""
    slip = chance.pick("slip", spec.ids())
    return [label for label in spec.ids() if (label in answer) != (label == slip)]


def _other_end(span: Span, text: str, after: int, chance: Chance) -> int:
    end = int(span["end"])
    longer = end < after and not text[end].isspace()
    shorter = end - int(span["start"]) > 1
    if longer and (not shorter or chance.at("longer") < 0.6):
        return end + 1
    return end - 1 if shorter else end


def _add_span(answer: list[Span], text: str, spec: TaskSpec, chance: Chance) -> list[Span]:
    free = [
        (m.start(), m.end())
        for m in re.finditer(r"\w{2,}", text)
        if all(m.end() <= span["start"] or m.start() >= span["end"] for span in answer)
    ]
    if not free:
        return list(answer)
    start, end = chance.pick("word", free)
    extra = {"start": start, "end": end, "label": chance.pick("kind", spec.ids())}
    return sorted([*answer, extra], key=lambda span: int(span["start"]))


def _morphemes(
    answer: dict[str, list[Any]], _fields: Fields, spec: TaskSpec, chance: Chance
) -> dict[str, list[Any]]:
    tags = [str(word).split("+") for word in answer["pos"]]
    known = set(spec.ids("pos"))
    places = [
        (i, j)
        for i, word in enumerate(tags)
        for j, tag in enumerate(word)
        if _SIMILAR_TAGS.get(tag) in known
    ]
    if places:
        word, place = chance.pick("tag", places)
        tags[word][place] = _SIMILAR_TAGS[tags[word][place]]
    return {"lemmas": list(answer["lemmas"]), "pos": ["+".join(word) for word in tags]}


def _tree(
    answer: dict[str, list[Any]], _fields: Fields, spec: TaskSpec, chance: Chance
) -> dict[str, list[Any]]:
    """Return the tree with one wrong head or function; it stays a head-final tree."""
    heads, deprels = list(answer["heads"]), list(answer["deprels"])
    movable = range(max(0, len(heads) - 2))  # these words have two words or more to their right
    if movable and chance.at("kind") < 0.6:
        place = chance.pick("word", movable)
        others = [head for head in range(place + 2, len(heads) + 1) if head != heads[place]]
        heads[place] = others[0] if chance.at("near") < 0.6 else chance.pick("head", others)
    else:
        place = int(chance.at("word") * len(deprels))
        tag, _, mark = str(deprels[place]).partition("_")
        common = ("SBJ", "OBJ", "AJT", "MOD", "CNJ")
        functions = [f for f in common if f in spec.ids("function") and f != mark]
        if functions:
            deprels[place] = f"{tag}_{chance.pick('function', functions)}"
    return {"heads": heads, "deprels": deprels}


def _reading(
    answer: dict[str, Any], fields: Fields, spec: TaskSpec, chance: Chance
) -> dict[str, Any]:
    """Return a question of the wrong type, with an answer badly cut, or with bare words.

    Its answers are still in the passage.
    """
    answer = {**answer, "plausible_answers": answer.get("plausible_answers", [])}
    kind = chance.weigh("slip", (("span", 5.0), ("type", 3.0), ("question", 2.0)))
    key = "answers" if answer["answers"] else "plausible_answers"
    if kind == "type" and answer["type"] in (1, 2):
        return answer | {"type": 3 - answer["type"]}
    if kind == "span" and answer[key]:
        mark, text = answer[key][0], str(fields[TASKS[spec.task].fields[-1]])
        return answer | {key: [{**mark, "text": _cut(mark, text, chance)}]}
    return answer | {"question": "이 글에 대하여 맞는 것은 무엇인가?"}


def _cut(mark: dict[str, Any], context: str, chance: Chance) -> str:
    start, text = int(mark["start"]), str(mark["text"])
    longer, shorter = context[start : start + len(text) + 1], text[:-1]
    if longer != text and (not shorter.strip() or chance.at("longer") < 0.6):
        return longer
    return shorter if shorter.strip() else text


def _dialogue(
    answer: dict[str, list[dict[str, Any]]], _fields: Fields, _spec: TaskSpec, chance: Chance
) -> dict[str, list[dict[str, Any]]]:
    """Return the dialogue with a slot filled a turn too early, too late, or never."""
    turns = [{**turn, "state": list(turn.get("state", []))} for turn in answer["turns"]]
    user_turns = [i for i, turn in enumerate(turns) if turn["role"] == "user"]
    kind = chance.weigh("slip", (("late", 5.0), ("early", 3.0), ("never", 2.0)))
    changes = [
        (before, now)
        for before, now in pairwise(user_turns)
        if set(turns[now]["state"]) - set(turns[before]["state"])
    ]
    if kind != "never" and changes:
        before, now = chance.pick("turn", changes)
        source, target = (before, now) if kind == "late" else (now, before)
        turns[target]["state"] = list(turns[source]["state"])
        return {"turns": turns}
    slots = sorted({_slot(state) for place in user_turns for state in turns[place]["state"]})
    if slots:
        lost = chance.pick("slot", slots)
        for place in user_turns:
            turns[place]["state"] = [s for s in turns[place]["state"] if _slot(s) != lost]
    return {"turns": turns}


def _slot(state: str) -> str:
    return "-".join(state.split("-", 2)[:2])


#: Each takes the right answer, the item's fields, the spec and the draws of the answer.
_SLIPS: Final[dict[AnswerKind, Callable[[Any, Fields, TaskSpec, Chance], Any]]] = {
    "hypotheses": _hypotheses,
    "labels": _labels,
    "spans": _spans,
    "morphemes": _morphemes,
    "tree": _tree,
    "reading": _reading,
    "dialogue": _dialogue,
}
