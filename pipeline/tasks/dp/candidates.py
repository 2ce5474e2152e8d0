"""Stage `candidates` of dependency parsing: formal and colloquial sentences in equal shares.

One shard draws from all sources, since what one style lacks the other gives up; a style of which
there is no sentence takes nothing from the other. Every candidate carries parts of speech to begin
from. Each rule of a complete sentence was held against the 2,000 sentences of the released dev set,
which people selected; annotation_specs/dp/CHANGELOG.md says how many of them it takes.
Source: KLUE, Section 3.6.1.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from pipeline.contracts.sampling import proportional
from pipeline.core.morphology import PACKAGES, morphemes
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.core.wording import count
from pipeline.sampling import inputs
from pipeline.sampling.draft import (
    STAGE_NAME,
    Draft,
    Refusal,
    accept_units,
    merge_outcomes,
    one_by_one,
    with_quotas,
)
from pipeline.tasks.dp.spec import DependencySampling
from pipeline.tasks.dp.tagging import suggestion

_CLOSING: Final = {")": "(", "]": "[", ">": "<", "〉": "〈", "》": "《", "」": "「", "』": "『"}
#: A quotation may open with a straight mark and close with a curly one; apostrophes are none.
_QUOTES: Final = (re.compile(r"[\"“”]"), re.compile(r"(?<![A-Za-z])['‘’`]|['‘’`](?![A-Za-z])"))
_QUOTED: Final = re.compile(r"[\"“][^\"”]*[\"”]|['‘`][^'’]*['’]|\([^)]*\)")
_INNER: Final = re.compile(r"[.?!…]+\s+\S")
_JAMO: Final = re.compile(r"[ㄱ-ㅎㅏ-ㅣ]")
_OPENING: Final = frozenset("\"'“‘`(<〈《「『[")
_SIGNS: Final = frozenset(["SF", "SE", "SY", "SSC", "SSO", "SC"])
_ALL: Final = "all"


@with_quotas
def _run(call: Call, _shard: Shard) -> Outcome:
    spec = DependencySampling.model_validate(call.params["sampling"])
    quotas = dict(sorted(spec.quotas.items()))
    styles = {name: setting["style"] for name, setting in call.params["sources"].items()}
    drafts = {name: _draw(call, name, spec, quotas[name]) for name in quotas if name in styles}
    drawn = {name: len(draft.items) for name, draft in drafts.items()}
    for name, number in _equal(drawn, styles).items():
        advice = ""
        if number < drawn[name]:
            drafts[name] = _draw(call, name, spec, number)
            advice = "the other style has fewer, and both have equal numbers"
        drafts[name].short(styles[name], wanted=quotas[name], drawn=number, advice=advice)
    for name in quotas.keys() - styles.keys():
        drafts[name] = Draft("dp", name)
        drafts[name].short("not in this build", wanted=quotas[name], drawn=0)
    return merge_outcomes([drafts[name].outcome(inputs.ids(call, name)) for name in quotas])


def _draw(call: Call, source: str, spec: DependencySampling, quota: int) -> Draft:
    draft, style = Draft("dp", source), call.params["sources"][source]["style"]
    units = inputs.keyed_walk(call, source, purpose="dp", first=2 * quota)
    judge = one_by_one(
        lambda row: refusal(row["text"], spec) or {"suggestion": suggestion(row["text"])}
    )
    for row, meta in accept_units(draft, units, quota=quota, judge=judge):
        fields = {"text": row["text"], "words": row["text"].split()}
        draft.add(fields, {"sentence": row["id"]}, sampler=style, meta=meta)
    return draft


def _equal(drawn: dict[str, int], styles: dict[str, str]) -> dict[str, int]:
    """Return how many of each source stay so that every style has as many as the rarest one.

    A style of which nothing was drawn is absent, and no other is held to it.
    """
    by_style = {
        style: {name: number for name, number in drawn.items() if number and styles[name] == style}
        for style in {styles[name] for name, number in drawn.items() if number}
    }
    rarest = min((sum(numbers.values()) for numbers in by_style.values()), default=0)
    equal = dict.fromkeys(drawn, 0)
    for numbers in by_style.values():
        equal |= proportional(numbers, rarest)
    return equal


def refusal(text: str, spec: DependencySampling) -> Refusal | None:
    """Tell why a text is no sentence to be parsed, or None.

    It has `fewest` to `most` words, begins with a word, holds neither emoticons nor lone jamo, has
    all its quotation marks and brackets closed, ends once, and ends in a final ending and a mark.
    """
    words = len(text.split())
    if not spec.fewest <= words <= spec.most:
        reason = f"{count(words, 'word')}; {spec.fewest} to {spec.most} wanted"
        return Refusal("dp.length@1", reason, words)
    return next((Refusal(rule, reason) for rule, reason, holds in _RULES if not holds(text)), None)


def _is_plain(text: str) -> bool:
    """Tell whether no pictures and lone jamo stand in it; ㎞ is letters, ☆ is a picture."""
    categories = map(unicodedata.category, unicodedata.normalize("NFKC", text))
    return not _JAMO.search(text) and "So" not in categories


def _is_balanced(text: str) -> bool:
    opened: list[str] = []
    for character in text:
        if character in _CLOSING.values():
            opened.append(character)
        elif character in _CLOSING and (not opened or opened.pop() != _CLOSING[character]):
            return False
    return not opened and all(len(quote.findall(text)) % 2 == 0 for quote in _QUOTES)


def _is_finished(text: str) -> bool:
    """Tell whether a final ending (EF, or 요 behind it) stands before the last mark."""
    units = morphemes(text)
    marks = 0
    while units and units[-1].tag in _SIGNS:
        marks += units.pop().tag == "SF"
    last = units[-1].parts[-1] if units else ("", "")
    return marks > 0 and (last == ("요", "JX") or last[1] == "EF")


_RULES: Final = (
    ("dp.start@1", "begins with a sign", lambda text: text[0].isalnum() or text[0] in _OPENING),
    ("dp.emoticon@1", "holds emoticons or lone jamo", _is_plain),
    ("dp.balance@1", "a quotation mark or bracket is not closed", _is_balanced),
    (
        "dp.one_sentence@1",
        "a sentence ends before the last word",
        lambda text: not _INNER.search(_QUOTED.sub("", text)),
    ),
    ("dp.unfinished@1", "does not end in a final ending and a mark", _is_finished),
)

STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=lambda _call: iter([Shard(_ALL, _ALL)]),
    run=_run,
    distributions=PACKAGES,
)
