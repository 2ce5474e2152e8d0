"""Assembly: an untouched section comes back as it stood, up to the form of its gaps."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pipeline.tasks.mrc.candidates.assembly import Section, assemble

GAPS = {"": "", " ": " ", "  ": " ", "\n": "\n", "<br>": "\n", " \n\n": "\n\n", "</p>\n<p>": "\n\n"}
TEXTS = st.lists(st.text("가나다. ", min_size=1, max_size=9).map(lambda t: f"글{t}끝"), min_size=1)


def _section(texts: list[str], gaps: list[str], kept: dict[str, str] | None = None) -> Section:
    raw, members = "", []
    for at, text in enumerate(texts):
        members.append({"id": f"s{at}", "start": len(raw), "end": len(raw) + len(text)})
        raw += text + gaps[at % len(gaps)]
    row = {"start": 0, "end": len(raw), "sentences": members}
    return Section(row, {"text": raw}, kept or {f"s{n}": text for n, text in enumerate(texts)})


@given(TEXTS, st.lists(st.sampled_from(sorted(GAPS)), min_size=1))
def test_gaps_keep_their_lines(texts: list[str], gaps: list[str]) -> None:
    found = assemble(_section(texts, gaps), boilerplate=frozenset(), repeats={})
    shown = [GAPS[gaps[at % len(gaps)]] for at in range(len(texts) - 1)]
    expected = "".join(t + g for t, g in zip(texts, [*shown, ""], strict=True))
    assert found.text == expected
    assert (found.lost, found.uncut) == ((), False)


@given(TEXTS, st.integers(0, 3))
def test_every_missing_sentence_is_lost_or_boilerplate(texts: list[str], at: int) -> None:
    kept = {f"s{n}": text for n, text in enumerate(texts) if n != at}
    missing = (f"s{at}",) if at < len(texts) else ()
    section = _section(texts, [" "], kept or {"x": ""})
    assert assemble(section, boilerplate=frozenset(), repeats={}).lost == missing
    assert assemble(section, boilerplate=frozenset({f"s{at}"}), repeats={}).lost == ()
    back = assemble(section, boilerplate=frozenset(), repeats={f"s{at}": "다시"})
    assert (back.lost, back.restored) == ((), missing)


def test_prose_is_a_share_of_characters_and_of_lines() -> None:
    texts = ["해가 뜬다.", "달못", "물이 맑다”", "이름"]
    found = assemble(_section(texts, ["\n"]), boilerplate=frozenset(), repeats={})
    ended = sum(len(t) for t in texts if re.search("다", t))
    assert found.prose == round(ended / sum(map(len, texts)), 6)
    assert found.lines == 0.5
