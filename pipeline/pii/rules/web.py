"""E-mail and web addresses."""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.folding import spellings
from pipeline.pii.rules.rule import BLANK, CERTAIN, HIGH, Found, Rule, Verdict, exact, one_of

_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
#: Endings that are taken for a web address without `http://` or `www.` in front.
ENDINGS: Final = one_of("""
    com net org kr info biz edu gov jp cn tv io me ai gg app dev shop xyz site club online store
    link blog page cloud wiki news asia us uk de fr eu co
""")
_PROVIDERS: Final = one_of("""
    네이버 다음 한메일 지메일 쥐메일 구글 네이트 핫메일 야후 카카오 아이클라우드 아웃룩 파란
    드림위즈
""")
_AT: Final = r"(?: ?@ ?| ?골뱅이 ?| ?[(\[{<](?:at|AT|앳|골뱅이|@)[)\]}>] ?)"
_DOT: Final = r"(?:\.| ?[(\[{<](?:dot|DOT|점|닷|\.)[)\]}>] ?| ?(?:점|닷|쩜) ?| dot )"
_LOCAL: Final = r"(?<![A-Za-z0-9])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}"

#: Short links, whose endings would be too common in running text.
_SHORT: Final = r"youtu\.be|bit\.ly|goo\.gl|t\.co|han\.gl|me2\.do|vo\.la|url\.kr|zrr\.kr|ow\.ly"
_PATH: Final = (
    r"(?:[/?#](?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=%\[\]]|(?<=[/=_(+-])[가-힣]{1,60}"
    r"|(?<=[가-힣][_(+-])[가-힣]){0,2000})?"
)
_PORT: Final = r"(?::\d{1,5})?"
_HANGUL_LABEL: Final = r"[가-힣A-Za-z0-9](?:[가-힣A-Za-z0-9-]{0,30})"
#: A host that leads somewhere: with a dot, or this machine with a port.
_HOST: Final = re.compile(r"[^/?#\s]+\.[^/?#\s]|localhost|\[")
_TAIL: Final = ".,;:!?'*~-"
_PARTICLE: Final = re.compile(
    r"/(?:입니다|이에요|예요|(?:에서|에게|에|으로|로)(?:만|도|는|의|부터)?|[을를은는이가의도와과]|이고|이며|인데)$"
)
_CODE_NAME: Final = re.compile(
    r"(?i:asp|vb|ado|adobe)\.net|[A-Z][a-z]+\.(?:co|me|us|de|fr|io|ai)$", re.ASCII
)


def _email(found: Found) -> Verdict | None:
    value = found.match.group()
    if "@" in value and " " in value:  # `RT @name.name` is no address
        known = re.search(rf"\.(?:{ENDINGS})$", value.lower())
        return Verdict(HIGH, ()) if known and value[:3].upper() != "RT " else None
    return Verdict(CERTAIN if "@" in value else HIGH, ())


def _url(found: Found) -> Verdict | None:
    value = _trimmed(found.match.group())
    scheme = re.match(r"(?i)(?:https?|ftp)://|www\.", value)
    if scheme is None and (_CODE_NAME.match(value) or not _named(value)):
        return None
    if scheme and not _HOST.match(value, scheme.end()):
        return None
    known = ("scheme",) if scheme else ("ending",)
    return Verdict(CERTAIN if scheme else HIGH, known, (found.start, found.start + len(value)))


def _named(value: str) -> bool:
    """Tell whether the name in front of the ending looks like one: two characters and a letter."""
    labels = re.split("[/?#:]", value)[0].split(".")
    return "/" in value or any(len(x) > 1 and re.search("[A-Za-z]", x) for x in labels[:-1])


def _trimmed(value: str) -> str:
    """Cut what belongs to the sentence: particles after a slash, brackets and full stops."""
    value = _PARTICLE.sub("/", value)
    while value:
        last = value[-1]
        unbalanced = last in ")]" and value.count(last) > value.count({")": "(", "]": "["}[last])
        if last not in _TAIL and not unbalanced:
            break
        value = value[:-1]
    return value


_DOTS: Final = f"[{spellings('.')}]"

RULES: Final = (
    Rule(
        "email.address@1",
        "email",
        "[@＠﹫]",
        exact(rf"{_LOCAL} ?@ ?(?:{_LABEL}\.){{1,5}}(?:[A-Za-z]{{2,24}}|한국)(?![A-Za-z])"),
        _email,
    ),
    Rule(
        "email.spelled@1",
        "email",
        rf"골뱅이|[@＠﹫]|[(\[{{<（［｛＜](?:[aAａＡ][tTｔＴ]|앳)|{BLANK}[aａ][tｔ]{BLANK}",
        exact(
            rf"{_LOCAL}(?:{_AT}(?:(?:{_LABEL}{_DOT}){{1,4}}(?:[A-Za-z]{{2,24}}|컴|넷|케이알)"
            rf"|(?:{_PROVIDERS}) ?{_DOT}? ?(?:컴|넷|com|net|co\.?kr|씨오 ?{_DOT}? ?케이알))"
            rf"| at (?:{_LABEL}(?: dot |\(dot\)|\[dot\])){{1,4}}[A-Za-z]{{2,24}})(?![A-Za-z0-9])"
        ),
        _email,
    ),
    Rule(
        "url.scheme@1",
        "url",
        rf"[:：][/／]{{2}}|[WwＷｗ]{{3}}{_DOTS}",
        exact(
            rf"(?i:(?<![A-Za-z])(?:https?|ftp)://|(?<![A-Za-z0-9.])www\.)"
            rf"(?:[A-Za-z0-9._~%+-]{{1,64}}(?::[^\s@/]{{1,64}})?@)?"
            rf"(?:(?:{_LABEL}\.){{0,6}}{_LABEL}|(?:{_HANGUL_LABEL}\.){{1,4}}(?:{ENDINGS}|한국))"
            rf"{_PORT}{_PATH}"
        ),
        _url,
    ),
    Rule(
        "url.domain@1",
        "url",
        rf"[A-Za-z0-9Ａ-Ｚａ-ｚ０-９]{_DOTS}[A-Za-zＡ-Ｚａ-ｚ]{{2}}",
        exact(
            rf"(?<![A-Za-z0-9@._/-])(?:(?:{_LABEL}\.){{1,5}}(?:{ENDINGS})|(?:{_SHORT}))"
            rf"(?![A-Za-z0-9_-])(?!\.[A-Za-z0-9]){_PORT}{_PATH}"
        ),
        _url,
    ),
)
