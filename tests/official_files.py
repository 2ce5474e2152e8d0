"""One small invented file of every official form: texts made up, people fictional."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.contracts.official.tables import Official
from pipeline.core.jsontext import parsed


class Example(NamedTuple):
    """A file: its name, its task, its form, and its text."""

    name: str
    task: str
    form: str
    text: str


YNAT: list[dict[str, Any]] = [
    {
        "guid": "ynat-v1_train_00000",
        "title": "달빛시 새 도서관 문 열어…주민 환영",
        "predefined_news_category": "사회",
        "label": "사회",
        "annotations": {
            "annotators": ["03", "11", "07"],
            "annotations": {
                "first-scope": ["사회", "사회", "생활문화"],
                "second-scope": ["생활문화", "해당없음", "사회"],
                "third-scope": ["해당없음", "해당없음", "경제"],
            },
        },
        "url": "https://news.example/1",
        "date": "2017.09.21. 오후 5:09",
    },
    {
        "guid": "ynat-v1_train_00001",
        "title": "한빛상사 주가 사흘째 올라",
        "predefined_news_category": "경제",
        "label": "경제",
        "annotations": {
            "annotators": ["03", "11", "09"],
            "annotations": {
                "first-scope": ["해당없음", "경제", "경제"],
                "second-scope": ["해당없음", "해당없음", "해당없음"],
                "third-scope": ["해당없음", "해당없음", "사회"],
            },
        },
        "url": "https://news.example/2",
        "date": "2018.01.02. 오전 9:00",
    },
]
STS: list[dict[str, Any]] = [
    {
        "guid": "klue-sts-v1_dev_00000",
        "source": "paraKQC-para",
        "sentence1": "거실 불 좀 꺼 줘",
        "sentence2": "거실 조명을 꺼 줄래?",
        "labels": {"label": 4.0, "real-label": 4.0, "binary-label": 1},
        "annotations": {
            "agreement": "0:0:0:1:3:1",
            "annotators": ["02", "05", "01", "09", "08"],
            "annotations": [4, 5, 4, 3, 4],
        },
    }
]
NLI: list[dict[str, Any]] = [
    {
        "guid": "klue-nli-v1_train_00000",
        "genre": "NSMC",
        "premise": "배우의 연기가 정말 좋았다",
        "hypothesis": "배우가 연기를 했다.",
        "gold_label": "entailment",
        "author": "entailment",
        "label2": "entailment",
        "label3": "entailment",
        "label4": "neutral",
        "label5": "entailment",
    },
    {
        "guid": "klue-nli-v1_train_00001",
        "genre": "airbnb",
        "premise": "역에서 걸어서 오 분입니다.",
        "hypothesis": "역에서 아주 멉니다.",
        "gold_label": "contradiction",
        "author": "contradiction",
        "label2": "contradiction",
        "label3": "contradiction",
        "label4": "contradiction",
        "label5": "contradiction",
    },
]
RE: list[dict[str, Any]] = [
    {
        "guid": "klue-re-v1_dev_00000",
        "sentence": "한빛상사의 대표 나라온은 '숲'에 산다.",
        "subject_entity": {"word": "한빛상사", "start_idx": 0, "end_idx": 3, "type": "ORG"},
        "object_entity": {"word": "나라온", "start_idx": 9, "end_idx": 11, "type": "PER"},
        "label": "org:top_members/employees",
        "source": "policy_briefing",
    }
]
MRC: dict[str, Any] = {
    "version": "v1.1",
    "data": [
        {
            "title": "달빛시 도서관",
            "news_category": None,
            "source": "wikipedia",
            "paragraphs": [
                {
                    "context": "도서관은 1987년에 문을 열었다.\n관장은 나라온이다.",
                    "qas": [
                        {
                            "guid": "klue-mrc-v1_train_00000",
                            "question_type": 1,
                            "is_impossible": False,
                            "question": "도서관이 개관한 해는?",
                            "answers": [
                                {"text": "1987년에", "answer_start": 5},
                                {"text": "1987년", "answer_start": 5},
                            ],
                        },
                        {
                            "guid": "klue-mrc-v1_train_00001",
                            "question_type": 3,
                            "is_impossible": True,
                            "question": "도서관이 문을 닫은 해는?",
                            "answers": [],
                            "plausible_answers": [{"text": "1987년", "answer_start": 5}],
                        },
                    ],
                },
                {
                    "context": "장서는 삼만 권이다.",
                    "qas": [
                        {
                            "guid": "klue-mrc-v1_train_00002",
                            "question_type": 2,
                            "is_impossible": False,
                            "question": "책은 몇 권인가?",
                            "answers": [{"text": "삼만 권", "answer_start": 4}],
                        }
                    ],
                },
            ],
        },
        {
            "title": "달빛시 도서관",
            "news_category": "문화",
            "source": "acrofan",
            "paragraphs": [
                {
                    "context": "행사는 금요일에 열린다.",
                    "qas": [
                        {
                            "guid": "klue-mrc-v1_train_00003",
                            "question_type": 1,
                            "is_impossible": False,
                            "question": "행사 날은?",
                            "answers": [{"text": "금요일", "answer_start": 4}],
                        }
                    ],
                }
            ],
        },
    ],
}
FLAT: list[dict[str, Any]] = [
    {
        "guid": "klue-mrc-v1_dev_00000",
        "title": "달빛시 도서관",
        "context": "장서는 삼만 권이다.",
        "question": "책은 몇 권인가?",
        "answers": {"answer_start": [4, 4], "text": ["삼만 권", "삼만"]},
        "is_impossible": False,
    },
    {
        "guid": "klue-mrc-v1_dev_00001",
        "title": "달빛시 도서관",
        "context": "장서는 삼만 권이다.",
        "question": "책값은 얼마인가?",
        "answers": "{'answer_start': [4], 'text': ['삼만']}",
        "is_impossible": "True",
    },
]
WOS: list[dict[str, Any]] = [
    {
        "guid": "wos-v1_dev_00000",
        "domains": ["숙소"],
        "dialogue": [
            {"role": "user", "text": "묵을 곳을 찾아요.", "state": ["숙소-이름-달-빛-집"]},
            {"role": "sys", "text": "네. ", "state": []},
            {"role": "user", "text": "고마워요.", "state": ["숙소-이름-달-빛-집"]},
            {"role": "sys", "text": "안녕히 가세요."},
        ],
    }
]
_FRAME = r"""## 토큰, 레이블 구분자 : \t
## 토큰 구분자 : \n
## 문장 구분자 : \n\n
## 주석 : ##
"""
NER = (
    f"{_FRAME}## 컬럼명 : CHAR\tNE_TAG\n"
    "## klue-ner-v1_dev_00000-wikitree\t<한빛:OG> <삼:QT># 뒤\n"
    "한\tB-OG\n빛\tI-OG\n \tO\n삼\tB-QT\n#\tO\n \tO\n뒤\tO\n\n"
    "## klue-ner-v1_dev_00001-nsmc\t<온:PS><강:LC>\n"
    "온\tB-PS\n강\tB-LC\n\n"
)
DP = (
    f"{_FRAME}## 칼럼명 : INDEX\tWORD_FORM\tLEMMA\tPOS\tHEAD\tDEPREL\n"
    "## klue-dp-v1_dev_00000_wikitree\t아이가 밥을 먹었다.\n"
    "1\t아이가\t아이 가\tNNG+JKS\t3\tNP_SBJ\n"
    "2\t밥을\t밥 을\tNNG+JKO\t3\tNP_OBJ\n"
    "3\t먹었다.\t먹 었 다 .\tVV+EP+EF+SF\t0\tVP\n\n"
    "## klue-dp-v1_dev_00001_airbnb\t좋아요\n"
    "1\t좋아요\t좋 아요\tVA+EF\t0\tVP\n\n"
)
RE_CSV = (
    ",id,sentence,subject_entity,object_entity,label,source\n"
    '31,31,"나라온은 ""숲"", 곧 한빛상사에 다닌다.",'
    "\"{'word': '나라온', 'start_idx': 0, 'end_idx': 2, 'type': 'PER'}\","
    "\"{'word': '한빛상사', 'start_idx': 12, 'end_idx': 15, 'type': 'ORG'}\","
    "per:employee_of,wikitree\n"
)
YNAT_DEV = '00000,경제,사회,달빛시 새 도서관\n00001,사회,IT과학,"새 전화, ""빛"" 나왔다"\n'
YNAT_TITLES = (
    "guid,split,title,label,predefined_news_category,url\r\n"
    "ynat-v1_train_00007,train,달빛시 새 도서관,사회,,https://news.example/1\r\n"
)


def as_text(document: Any) -> str:
    """Return a JSON document as the official files are written."""
    return json.dumps(document, ensure_ascii=False, indent=4)


EXAMPLES = [
    Example("ynat.json", "tc", "json", as_text(YNAT)),
    Example("ynat_dev.csv", "tc", "dev", YNAT_DEV),
    Example("ynat_titles.csv", "tc", "titles", YNAT_TITLES),
    Example("sts.json", "sts", "json", as_text(STS)),
    Example("nli.json", "nli", "genre", as_text(NLI)),
    Example("ner.tsv", "ner", "tsv", NER),
    Example("re.json", "re", "json", as_text(RE)),
    Example("re.csv", "re", "csv", RE_CSV),
    Example("dp.tsv", "dp", "tsv", DP),
    Example("mrc.json", "mrc", "nested", as_text(MRC)),
    Example("mrc_flat.json", "mrc", "flat", as_text(FLAT)),
    Example("wos.json", "dst", "json", as_text(WOS)),
]
#: Real files, relative to the folder of real data, with their tasks.
REAL = [
    ("ynat-v1.1_dev_first17.json", "tc"),
    ("ynat-v1.1_dev.csv", "tc"),
    ("klue-sts-v1.1_dev.json", "sts"),
    ("klue-nli-v1.1_dev.json", "nli"),
    ("klue-ner-v1.1_dev.tsv", "ner"),
    ("klue-re-v1.1_train_subset3247.csv", "re"),
    ("klue-dp-v1.1_dev.tsv", "dp"),
    ("klue-mrc-v1.1_dev_first1350.json", "mrc"),
    ("wos-v1.1_dev_first700.json", "dst"),
]
#: Real files of tens of thousands of rows, for `make test-full`.
REAL_LARGE = [
    ("ynat-v1.1_train36547_dev9107_titles.csv", "tc"),
    ("klue-nli-v1.1_train.json", "nli"),
]


def saved(folder: Path, text: str, name: str = "official") -> Path:
    """Write a text and return its path."""
    path = folder / name
    path.write_bytes(text.encode())
    return path


def changed(records: list[dict[str, Any]], place: int, **values: Any) -> str:
    """Return the JSON of records, one of them with some keys changed (None deletes a key)."""
    made = copy.deepcopy(records)
    made[place] |= values
    made[place] = {key: value for key, value in made[place].items() if value is not None}
    return as_text(made)


def golds(official: Official) -> list[Any]:
    """Return the gold answers."""
    return [None if text is None else parsed(text) for text in official.items["gold"].to_pylist()]


def column(official: Official, table: str, name: str) -> list[Any]:
    """Return a column of `items` or `votes`; of JSON columns the values."""
    found = getattr(official, table)[name].to_pylist()
    return [parsed(x) if name in ("fields", "meta", "label") and x else x for x in found]
