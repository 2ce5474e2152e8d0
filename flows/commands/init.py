"""A first build of one's own corpus: what `klue init` writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from flows.view.console import emit_json, say
from pipeline.core.errors import InputError

BUILD: Final = """\
# A build: which sources are read, and what is made of them. Run it with: klue build build.yaml
name: mine
# The key of every draw: the same files, settings and seed give the same bytes.
seed: 1
# The sources that a build may read; paths start at the folder of this file.
catalogue: catalogue.yaml
sources:
  mine:
    inputs:
      # A file of one JSON object a line. Put your own here; more files are more items of this list.
      - path: texts.jsonl
        # The names of its columns, if they are others than title, section, date and url:
        # columns: {title: headline}
# How many candidates are drawn of a task, in place of the number in its annotation spec. Tasks that
# draw a number of sentences from each source need specs that name your sources: copy
# annotation_specs, change `sampling` and give the folder here as `specs`.
candidates:
  sizes: {tc: 20}
# Without the section `annotation` the build ends with batches for annotators. To go on to gold and
# a release, import their answers with `klue import`, and add:
# annotation: {mode: imported}
"""
CATALOGUE: Final = """\
# The catalogue of your sources: what each is, why it may be used, and how it is read.
version: 1
sources:
  mine:
    name: My corpus
    description: What these texts are, and where they come from.
    # An id such as CC-BY-4.0, CC0-1.0 or none; `klue sources check` reads this file.
    licence: CC0-1.0
    # A benchmark that others may use needs all three rights.
    basis: {kind: licence, derivatives: true, redistribution: true, commercial: true}
    domain: News
    style: formal            # or colloquial
    ethical_risk: low        # low, medium or high
    volume: small            # small, medium or large
    contemporary: true
    selected: true
    address: https://example.org/my-corpus
    how_to_get: Written for this example; nothing needs to be fetched.
    # headlines; or jsonl, csv, tsv, parquet, text (a sentence a line), text_files (a document a
    # file).
    reader: headlines
    # What is cut out of a document, and for which tasks: sentence, or whole.
    units:
      - {kind: whole, tasks: [tc]}
    cleaning: [noise, news]
    tasks: [tc]
"""
#: Invented headlines about invented people and places, by section.
HEADLINES: Final = {
    "사회": (
        "가람시, 나루강 따라 자전거 길 새로 놓는다…내년 봄 첫 삽",
        "해림초등학교 학생들, 주말 바닷가에서 쓰레기 줍기 나서",
        "푸른여울 도서관, 밤 열 시까지 문 연다…퇴근길 이용객 반겨",
    ),
    "스포츠": (
        "가람 FC 윤도경, 종료 직전 결승골…홈 경기 5연승 이끌어",
        "솔바람 수영대회에 시민 2천 명 몰려…최고령은 일흔아홉 살",
        "신인 투수 차은목, 첫 선발 경기에서 일곱 회 무실점 호투",
    ),
    "과학": (
        "솔빛대학교 연구진, 물 아껴 쓰는 새 벼 품종 내놓았다",
        "나루 천문대, 맨눈으로 보이는 혜성 다음 달 찾아온다고 밝혀",
    ),
}


def init(folder: Path, *, as_json: bool) -> None:
    """Write a build file, a catalogue and a sample of texts; existing files are never replaced.

    Raises InputError if one of the files is there.
    """
    lines = [
        json.dumps({"title": title, "section": section}, ensure_ascii=False)
        for section, titles in HEADLINES.items()
        for title in titles
    ]
    files = {
        folder / "build.yaml": BUILD,
        folder / "catalogue.yaml": CATALOGUE,
        folder / "texts.jsonl": "\n".join(lines) + "\n",
    }
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file; give a folder, it may be new")
    for path in files:
        if path.exists():
            raise InputError(f"{path}: exists already; move it, or give another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        path.write_text(text, "utf-8")
    if as_json:
        emit_json(
            {"build_file": str(folder / "build.yaml"), "files": [str(path) for path in files]}
        )
        return
    say(f"written: {', '.join(map(str, files))}")
    say(f"try      klue build {folder / 'build.yaml'}")
