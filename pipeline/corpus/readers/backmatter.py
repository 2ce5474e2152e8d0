"""Back matter: the sections of an article that hold references and links instead of prose."""

from __future__ import annotations

from typing import Final

_TITLES: Final = """
    각주 주석 미주 주해 각주및참고문헌 각주및참고자료 주석및참고자료 각주와참고문헌 출처
    참고문헌 참고자료 참고 참조 참고서적 참고문서 외부링크 외부고리 바깥고리 바깥링크 외부연결
    같이보기 함께보기 관련항목 관련문서 관련기사 갤러리 사진 references notes seealso
    externallinks
"""

#: Their titles, in small letters and without spaces, as Korean Wikipedia has them.
TITLES: Final = frozenset(_TITLES.split())


def is_back_matter(heading: str) -> bool:
    """Tell whether a section of this title holds references or links."""
    return "".join(heading.lower().split()) in TITLES
