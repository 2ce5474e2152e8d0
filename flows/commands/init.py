"""A first build of one's own corpus: what `klue init` writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from flows.commands.outputs import check_folder
from flows.view.console import Result, say
from flows.view.next_command import command_line
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
      # Put your own file here; more files are more items of this list. `columns` has the project's
      # names (text, title, section, date, url, key) and what the file calls them.
      - {path: texts.jsonl, columns: {text: title, section: section}}
tasks: [tc]
# How many candidates are drawn of a task, in place of the number in its annotation spec.
candidates:
  sizes: {tc: 20}
# Without the section `annotation` the build ends with batches for annotators. To go on to gold and
# a release, import their answers with `klue import`, and add:
# annotation: {mode: imported}
"""
CATALOGUE: Final = """\
# The catalogue of your sources: what each is, under which licence, and how it is read.
version: 1
sources:
  mine:
    name: Headlines invented for this example
    # An SPDX identifier such as MIT or CC-BY-4.0; what it grants is known. For text that is never
    # released write `private: true` in its place.
    licence: CC0-1.0
    # jsonl, csv, tsv, parquet, text (a text a line) or text_files (a text a file, in a folder).
    reader: jsonl
    tasks: [tc]
    # Needed for nli and dp: `style: formal` or `style: colloquial`.
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


def init(folder: Path) -> Result:
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
    check_folder("DIR", folder)
    for path in files:
        if path.exists():
            raise InputError(f"{path}: exists already; move it, or give another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        path.write_text(text, "utf-8")
    record = {"build_file": str(folder / "build.yaml"), "files": list(map(str, files))}
    return record, _show


def _show(record: dict[str, Any]) -> None:
    say(f"written: {', '.join(record['files'])}")
    say(f"try      {command_line('build', record['build_file'])}")
