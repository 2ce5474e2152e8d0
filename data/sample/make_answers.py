"""Write the answers to tc, sts, nli and re as files of items, and the translations of sts.

    python data/sample/make_answers.py [--out DIR]

What is judged and written by hand stands in answers/written/, with texts of the sample corpora as
the pipeline keeps them; answers/README.md tells the columns. The other four tasks' answers are
files of their own. The same texts give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent / "answers"
WRITTEN = HERE / "written"
LABELS = {"E": "entailment", "C": "contradiction", "N": "neutral"}

Row = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the items of the four tasks and the translations, and write one file each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: data/sample/answers")
    out: Path = parser.parse_args(arguments).out or HERE
    out.mkdir(parents=True, exist_ok=True)
    for task, build in BUILDERS.items():
        rows = list(build())
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        (out / f"{task}.jsonl").write_bytes("".join(lines).encode())
        sys.stdout.write(f"{task} {len(rows)}\n")
    return 0


def build_tc() -> Iterator[Row]:
    """Yield headlines: topics by relevance, headline, report."""
    for topics, title, *more in _lines("tc.tsv"):
        meta = {"report": more[0]} if more else {}
        yield _row("tc", "yna", {"title": title}, topics.split(","), meta)


def build_sts() -> Iterator[Row]:
    """Yield pairs: score, source, sampler, two sentences, difficulty, report."""
    for score, source, sampler, first, second, *more in _lines("sts.tsv"):
        fields = {"sentence1": first, "sentence2": second}
        row = _row("sts", source, fields, float(score), _meta(more))
        yield {"item": row.pop("item"), "source": row.pop("source"), "sampler": sampler, **row}


def build_translations() -> Iterator[Row]:
    """Yield ready round trips: the sentences of the pairs `*-rtt`, and what came back."""
    for row in build_sts():
        if row["sampler"].endswith("-rtt"):
            yield {"text": row["fields"]["sentence1"], "back": row["fields"]["sentence2"]}


def build_nli() -> Iterator[Row]:
    """Yield pairs; `origin` names the premise they were written for."""
    source = premise = ""
    for key, text in _lines("nli.txt"):
        if key not in LABELS:
            source, premise = key, text
            continue
        fields = {"premise": premise, "hypothesis": text}
        meta = {"origin": _name("nli-premise", {"premise": premise})}
        yield _row("nli", source, fields, LABELS[key], meta)


def build_re() -> Iterator[Row]:
    """Yield entity pairs of a sentence: relation, subject, object, difficulty, report."""
    source = sentence = ""
    for first, second, *more in _lines("re.txt"):
        if not more:
            source, sentence = first, second
            continue
        fields = {
            "sentence": sentence,
            "subject": _entity(second, sentence),
            "object": _entity(more[0], sentence),
        }
        yield _row("re", source, fields, first, _meta(more[1:]))


def _entity(given: str, sentence: str) -> Row:
    """Find WORD:TYPE or WORD@N:TYPE, the N-th time that the word stands in the sentence."""
    name, kind = given.rsplit(":", 1)
    word, _, nth = name.partition("@")
    start = -1
    for _ in range(int(nth or 1)):
        start = sentence.index(word, start + 1)
    return {"word": word, "start": start, "end": start + len(word), "type": kind}


def _meta(more: Sequence[str]) -> Row:
    found = dict(zip(("difficulty", "report"), more, strict=False))
    return {key: float(v) if key == "difficulty" else v for key, v in found.items() if v}


def _row(task: str, source: str, fields: Row, gold: object, meta: Row) -> Row:
    row: Row = {"item": _name(task, fields), "source": source, "fields": fields, "gold": gold}
    return {**row, "meta": meta} if meta else row


def _name(prefix: str, fields: Row) -> str:
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True)
    return f"{prefix}-{blake2b(text.encode(), digest_size=5).hexdigest()}"


def _lines(name: str) -> Iterator[list[str]]:
    for line in (WRITTEN / name).read_text("utf-8").splitlines():
        if line:
            yield line.split("\t")


BUILDERS: dict[str, Callable[[], Iterator[Row]]] = {
    "tc": build_tc,
    "sts": build_sts,
    "translations": build_translations,
    "nli": build_nli,
    "re": build_re,
}

if __name__ == "__main__":
    raise SystemExit(main())
