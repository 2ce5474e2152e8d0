"""Write part C of the labelled personal-data set: all sixteen types, every row a sentence of its own.

The cases follow the public rules of each format and the span guide beside this file; no pattern of a
detector was read. Everything is fictional. No sentence carries two values in turn, so every row is
an independent draw of wording as well as of number.

    python tests/pii/labelled/make_part_c.py

Notation of a line (before ``--`` true cases, after it look-alikes as ``form tag | text``):
    ⟦...⟧         personal data of the block's own type;  ⟦type:...⟧  of another type
    # and §       inside the marks (not in urls): any digit; a digit from 2 to 9
    {rrn} {biz}   a value with a check digit; ``{rrn:X}`` writes it in the style X (see `styled`)
    <을/를>       the particle that fits the sound before it
"""
# ruff: noqa: E501
# One sentence a line keeps the sentences readable and easy to compare; Korean letters count double.

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

from make_part_a import check_digit, set_particles, surroundings, unmark
from make_part_b import luhn_digit, tax_check_digit

SEED = "part-c-1"
FOLDER = Path(__file__).resolve().parent
LEAST_TRUE, LEAST_LOOKALIKE = 60, 40
SLOT = re.compile(r"\{(rrn|frn|biz|bizx|card|cardx|amex|diners|ip|ip6|mac|lic)(?::([^{}]*))?\}")
OWN_MARK = re.compile(r"⟦([^⟦⟧]+)⟧")
OTHER_TYPE = re.compile(
    r"(phone|rrn|frn|email|ip|mac|mention|address|bank_account|passport|vehicle_plate|url):(?!:)"
)
SLOT_TYPES = {
    "biz": "business_number",
    "bizx": "business_number",
    "cardx": "card",
    "amex": "card",
    "diners": "card",
    "ip6": "ip",
    "lic": "driver_license",
}
SEPARATOR_NAMES = {
    "-": "hyphen",
    "–": "en dash",
    "－": "full-width hyphen",
    ".": "dots",
    ":": "colons",
    " ": "blanks",
    "@": "at sign",
    "/": "slash",
}


class Draw:
    """A stream of choices that depends on its key alone."""

    def __init__(self, key: str) -> None:
        """Start the stream of this key."""
        self._key, self._count = key, 0

    def below(self, bound: int) -> int:
        """Draw a whole number from 0 to bound - 1."""
        self._count += 1
        digest = hashlib.sha256(f"{SEED}|{self._key}|{self._count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % bound

    def between(self, low: int, high: int) -> int:
        """Draw a whole number from low to high, both included."""
        return low + self.below(high - low + 1)

    def pick(self, options: Sequence[str]) -> str:
        """Draw one of the options."""
        return options[self.below(len(options))]

    def text(self, alphabet: str, length: int) -> str:
        """Draw a string over the alphabet."""
        return "".join(self.pick(alphabet) for _ in range(length))

    def digits(self, length: int) -> str:
        """Draw a string of digits."""
        return self.text("0123456789", length)


# --- values with a check digit or a drawn structure -------------------------------------------


def full_width(text: str) -> str:
    """Write ASCII signs in their full-width shapes."""
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def styled(groups: Sequence[str], style: str) -> str:
    """Join the groups: style is the separator itself, empty for none, `w` for full-width signs."""
    return full_width("-".join(groups)) if style == "w" else style.join(groups)


def cut(digits: str, sizes: Sequence[int]) -> list[str]:
    """Cut a digit string into groups of the given sizes."""
    ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
    return [digits[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def born(draw: Draw, first: date, last: date) -> date:
    """Draw a birthday between two dates, both included."""
    return first + timedelta(days=draw.below((last - first).days + 1))


def resident(draw: Draw, style: str) -> str:
    """Draw a resident number; `n` is a child born after the reform of 2020, `c` a changed number.

    Both carry six random digits: their last digit is kept off the old check digit.
    """
    first, last = date(1938, 1, 1), date(2019, 12, 31)
    if style == "n":
        first, last = date(2020, 10, 6), date(2026, 10, 31)
    birth = born(draw, first, last)
    twelve = f"{birth:%y%m%d}{(3 if birth.year >= 2000 else 1) + draw.below(2)}"
    if style in ("n", "c"):
        twelve += draw.digits(5)
        last_digit = str((int(check_digit(twelve, 11)) + draw.between(1, 9)) % 10)
        return styled(cut(twelve + last_digit, (6, 7)), "-")
    twelve += f"{draw.below(96):02d}{draw.digits(2)}{draw.between(1, 4)}"
    return styled(cut(twelve + check_digit(twelve, 11), (6, 7)), style)


def foreigner(draw: Draw, style: str) -> str:
    """Draw a foreigner registration number: even office number, check digit on base 13."""
    birth = born(draw, date(1955, 1, 1), date(2017, 12, 31))
    twelve = f"{birth:%y%m%d}{(7 if birth.year >= 2000 else 5) + draw.below(2)}"
    twelve += f"{2 * draw.below(50):02d}{draw.digits(2)}{draw.between(6, 9)}"
    return styled(cut(twelve + check_digit(twelve, 13), (6, 7)), style)


def business(draw: Draw, style: str, shift: int) -> str:
    """Draw a business number; style may name the middle digits, shift spoils the check digit."""
    kind = style if style.isdecimal() else f"{draw.between(1, 79):02d}"
    nine = f"{draw.between(101, 620)}{kind}{draw.digits(4)}"
    ten = nine + str((tax_check_digit(nine) + shift) % 10)
    return styled(cut(ten, (3, 2, 5)), "-" if style.isdecimal() else style)


def card(draw: Draw, style: str, shift: int) -> str:
    """Draw a sixteen-digit card number; `v` and `m` ask for an issuer."""
    leads = {"v": ["4"], "m": ["52", "54"]}.get(style, ["4", "51", "53", "55", "2720", "356", "94"])
    body = (lead := draw.pick(leads)) + draw.digits(15 - len(lead))
    digits = body + str((int(luhn_digit(body)) + shift) % 10)
    return styled(cut(digits, (4, 4, 4, 4)), "-" if style in ("v", "m") else style)


def short_card(draw: Draw, style: str, lead: str, sizes: Sequence[int]) -> str:
    """Draw a card number of fourteen or fifteen digits."""
    body = lead + draw.digits(sum(sizes) - 1 - len(lead))
    return styled(cut(body + str(luhn_digit(body)), sizes), style)


def ipv4(draw: Draw, style: str) -> str:
    """Draw an address of a private block (`p`), a documentation block or an unrouted /8."""
    tail = [str(draw.between(2, 253)) for _ in range(3)]
    private = ["192.168." + ".".join(tail[:2]), "10." + ".".join(tail)]
    private.append(f"172.{draw.between(16, 31)}." + ".".join(tail[:2]))
    public = [f"203.0.113.{tail[0]}", f"198.51.100.{tail[1]}"]
    public += [f"{draw.pick(['11', '22', '26', '55', '214'])}." + ".".join(tail) for _ in range(3)]
    text = draw.pick(private if style == "p" else public)
    return full_width(text) if style == "w" else text


def ipv6(draw: Draw, style: str) -> str:
    """Draw an address of the documentation block, full or compressed; `l` is link-local."""
    group = [draw.pick("123456789abcdef") + draw.text("0123456789abcdef", 3) for _ in range(6)]
    if style == "l":
        return "fe80::" + ":".join(group[:4])
    compressed = [f"2001:db8:{group[0]}::{group[1]}", f"2001:db8::{group[2]}:{group[3]}"]
    return draw.pick([*compressed, "2001:0db8:" + ":".join(group)])


def hardware(draw: Draw, style: str) -> str:
    """Draw a locally administered MAC address; `u` and `l` fix the case, `w` is full-width."""
    bare = draw.text("0123456789ABCDEF", 1) + draw.pick("26AE") + draw.text("0123456789ABCDEF", 8)
    bare += draw.pick("ABCDEF") + draw.digits(1)
    if style == ".":
        return ".".join(cut(bare.lower(), (4, 4, 4)))
    separator = {"u": "", "": "", "l": ":", "w": ":"}.get(style, style[:1])
    text = separator.join(cut(bare, (2,) * 6))
    text = text.lower() if style in ("", "l", "-l") else text
    return full_width(text) if style == "w" else text


def licence(draw: Draw, style: str) -> str:
    """Draw a driving licence number of a real region code."""
    code = draw.pick([str(number) for number in (*range(11, 27), 28)])
    year = f"{draw.between(78, 125) % 100:02d}"
    serial = str(draw.between(1, 9)) + draw.digits(5)
    return styled([code, year, serial, draw.digits(2)], style)


def slot_value(name: str, style: str | None, draw: Draw) -> str:
    """Draw the value of a slot; without a style it is written in the usual way."""
    dash = "-" if style is None else style
    spoiled = draw.between(1, 9) if name.endswith("x") else 0
    makers = {
        "rrn": lambda: resident(draw, dash),
        "frn": lambda: foreigner(draw, dash),
        "biz": lambda: business(draw, dash, spoiled),
        "bizx": lambda: business(draw, dash, spoiled),
        "card": lambda: card(draw, dash, spoiled),
        "cardx": lambda: card(draw, dash, spoiled),
        "amex": lambda: short_card(draw, dash, "37", (4, 6, 5)),
        "diners": lambda: short_card(draw, dash, "36", (4, 6, 4)),
        "ip": lambda: ipv4(draw, dash),
        "ip6": lambda: ipv6(draw, dash),
        "mac": lambda: hardware(draw, ":" if style is None else style),
        "lic": lambda: licence(draw, dash),
    }
    return makers[name]()


# --- the sentences ----------------------------------------------------------------------------

SENTENCES = r"""
@@ phone
세탁기 소음 때문에 밤에 잠을 못 잡니다, 관리소에서 ⟦010-§###-####⟧<으로/로> 전화 한번 주세요.
검정 지갑 주우신 분은 ⟦010 §### ####⟧ 연락 부탁드려요 사례할게요
[분실] 회색 고양이 '두부', 목격하신 분 → ⟦010.§###.####⟧
택배 문 앞 X, 경비실 X, 오시면 ⟦010§#######⟧<으로/로> 벨 한 번만
교회학교 여름 수련회 신청: 총무 집사 ⟦010–§###–####⟧
접수처 ⟦02-§##-####⟧(내선 3번), 점심시간 제외
피고의 송달장소로 기재된 전화번호 ⟦031-§##-####⟧<은/는> 결번이었다.
알바 문의는 문자만 받아요 ⟦010-§###-####⟧ 사장 올림
급식실 조리사 모집, 행정실 ⟦055)§##-####⟧
카톡 안 봐요. ⟦０１０－§###－####⟧<으로/로> 주세요!
보청기 무료 체험 ☎⟦080-§##-####⟧ 지금 전화하세요
환자 보호자 연락처|⟦010-§###-####⟧|관계|자
세무서 부가가치세과(⟦042-§##-####⟧)로 소명자료를 제출하시기 바랍니다.
우리 아들 번호 바뀌었대서 적어둠⟦010-§###-####⟧
아까 ⟦070-§###-####⟧에서 왔는데 대출이라네 ㅋㅋ 차단각
퀵 기사 배정: ⟦0504-§###-####⟧ (안심번호, 24시간 뒤 만료)
From overseas please dial ⟦+82-2-§##-####⟧ and ask for 민원실.
경찰서 교통조사계입니다. 목격자께서는 (⟦053-§##-####⟧) 제보 바랍니다.
"⟦010-§###-####⟧"<이/가> 네 번호 맞아?
⟦010-§###-####⟧ 여기로 길드 디코 초대 좀 해줘
방 보러 오실 분 ⟦016-§##-####⟧, 옛날 번호라 놀라지 마세요
산후도우미 후기 보고 연락했는데 ⟦010-§###-####⟧번은 없는 번호래요
대표번호 ⟦1577-####⟧ 상담원 연결까지 15분 걸림
성도 여러분, 꽃꽂이 봉사는 권사님께(⟦０１０ §### ####⟧) 말씀해 주세요.
비상연락망 1순위 ⟦010-§###-####⟧ 2순위 ⟦010-§###-####⟧ 3순위 담임
학원차 기사님<이/가> 바뀌어 새 번호 드립니다: ⟦010 - §### - ####⟧
err: sms send fail to=⟦+8210§#######⟧ // 수신거부 고객
소포 송장에 적힌 '⟦010-§###-####⟧'로 걸었더니 다른 집이 받네요.
선거사무소 ⟦062.§##.####⟧ 자원봉사자 환영합니다
팩스는 ⟦051-§##-####⟧, 이메일은 ⟦email:taxdesk@nuri-accounting.co.kr⟧ 둘 중 편한 쪽으로.
미용실 예약ㅡ⟦010-§###-####⟧ㅡ당일 취소 안 돼요
단지 내 과속 차량 신고는 방재실⟦064-§##-####⟧<으로/로>.
전세 놓습니다 복비 반반 집주인 직통 ⟦010/§###/####⟧
할머니가 불러 주신 번호: 공일공 아니고 ⟦011-§##-####⟧이래요
Tel) ⟦(044)§##-####⟧ Fax) 없음
응급실 내원 시 보호자<과/와> 통화함(⟦010-§###-####⟧), 금식 안내함.
유튜브 보고 연락드려요ㅎㅎ ⟦010-§###-####⟧이고 인천 사는 팬입니다
원서 접수 후 확인 문자가 안 오면 ⟦1644-####⟧<으로/로> 문의.
중고 자전거 5만 원, 네고 X, ⟦010-§###-####⟧문자만
수신인 부재로 반송함, 발신인 연락처 ⟦010 §### ####⟧.
도시가스 검침원이 남긴 쪽지엔 ⟦032-§##-####⟧번이라고만 적혀 있었다.
학부모 상담 희망 시간과 함께 담임 ⟦010-§###-####⟧ 앞으로 보내 주십시오.
콜센터 녹취: "고객님 번호가 ⟦010-§###-####⟧ 맞으실까요?"
전단지 하단｜문의 ⟦02）§##－####⟧
길드장 폰 ⟦010-§###-####⟧임 잠수 타면 전화해
채무자 휴대전화(⟦010-§###-####⟧)<을/를> 통한 독촉은 밤 9시 이후 금지됩니다.
수도 동파 신고 ⟦033-§##-####⟧ / 야간 당직 ⟦033-§##-####⟧
블로그 체험단 담당자입니다, ⟦010_§###_####⟧ 저장해 주세요
반품 수거지 연락처를 ⟦010-§###-####⟧에서 ⟦010-§###-####⟧<으로/로> 변경 요청
누수 공사 사장님 번호 공유합니다⟦010-§###-####⟧친절하세요
MOBILE: ⟦+82 10-§###-####⟧ | 직함: 과장 | 부서: 해외영업
보이스피싱범이 쓴 번호는 ⟦0507-§###-####⟧였다고 진술했다.
동창회 총무(김) ⟦018-§##-####⟧… 아직도 쓰시나 모르겠네
이삿짐 견적 받으시려면 주소랑 ⟦010-§###-####⟧<으로/로> 사진 보내 주시면 빨라요.
〈개통 안내〉 신규 회선 ⟦010§#######⟧, 유심 배송 완료
무인카페 키오스크 먹통이에요 사장님 번호 ⟦010-§###-####⟧ 맞나요
합격자는 인사팀⟦02-§###-####⟧에서 개별 통보.
종친회 회보 발송처 변경 신청: ⟦043-§##-####⟧.
모르는 번호 검색함→⟦010-§###-####⟧←누군지 아는 사람?
체육관 셔틀 기사 연락처는「⟦010-§###-####⟧」입니다.
환불 계좌 말고 연락처만 남겨 주세요, 저는 ⟦010-§###-####⟧<이에요/예요>.
기내 분실물은 ⟦032-§##-####⟧, 위탁 수하물은 ⟦1688-####⟧
⟦010-§###-####⟧
--
sports record | 삼성은 1982-2025 통산 3,000승 고지를 밟았다.
article range | 민법 제1066-1072조가 유언의 방식을 정한다.
court case | 대법원 2010다1588 판결을 다시 읽어 보았다.
CAS number | 에탄올의 물질 번호는 CAS 64-17-5로 검색된다.
ISBN | 도서관 청구 정보: ISBN 979-11-6254-010-7
DOI | 논문은 doi 10.1016/j.cell.2019.05.031에서 인용했다.
coordinates | 조난 지점은 북위 37.5665, 동경 126.9780 부근이다.
emergency number | 불나면 119, 도둑 들면 112 외우기 숙제
bowling | 볼링 1게임 158, 2게임 201, 3게임 177 총 536점
time table | 막차 22:10-23:40, 첫차는 05:02
price list | 김밥 3,500 라면 4,500 떡볶이 5,000 합이 13,000원
apartment size | 59-84-114 타입 중에 84가 제일 빨리 나갔어요
lot number | 제조 로트 02L-0731-B, 유통기한은 뚜껑에 따로 표기.
date range | 모집 기간 2026-03-02~2026-03-15 엄수
exam statistics | 국어 평균 62.31, 표준편차 18.07, 최고 98
chess | 흑이 38-16 정석을 두자 백은 손을 뺐다.
serial | 복사기 관리 스티커에 A010-CC-7742가 붙어 있다
blood pressure | 혈압 128-82, 맥박 71, 체온 36.8로 정상 범위
page | 판례집 58-1상, 1010-1024면 참조
model | LG 그램 17Z90R-GA5CK 배터리 교체 비용 아시는 분
dice | 주사위 세 번 굴려서 6-1-4 나오면 꽝
years | 이순신(1545-1598) 탄신일 백일장 안내
road | 국도 31호선과 지방도 1022호선이 만나는 삼거리
military | 육군 1101공병단과 2010부대가 다리를 놓았다.
shoe sizes | 250-255 신는데 260 사도 되나요
goals | 점유율 64-36, 슈팅 수 15-7, 그런데 졌다
ratio | 물 1.5L에 소금 010이 아니라 10g이에요
receipt | 영수증 POS 02, 거래 0417-0031, 담당 3번 계산대
stock price | 종가 70,100 전일비 -1,500 거래량 18,233,210
mountain | 한라산 1,947m 지리산 1,915m 설악산 1,708m
form label | 휴대폰 칸은 숫자만, 하이픈 없이 적으시면 됩니다
number missing | 연락처는 프로필에 있으니 거기로 전화 주세요
masked | 당첨자 뒷번호 010-****-**** 확인 바랍니다
masked with letters | 예시) 010-XXXX-XXXX 꼴로 입력
fan count | 구독자 1,010,555명 돌파 기념 라이브
standard | KS C IEC 60601-1-2 전자파 시험을 통과함
lane speed | 차선별 속도 031구간 80-100-110km
telescope | NGC 7000과 M31, 그리고 IC 1396을 찍었다
bingo | 빙고판 2-31-44-58 줄이 안 맞네
quantity | 나사 M4 1600개, 와셔 1800개 발주
firmware tag | 공유기 펌웨어 12.08.2_46-0102 롤백 방법
library code | 청구기호 811.7-김55ㅎ-02 서가에 없어요
@@ rrn
혼인신고서 남편 란: 성명 서마루, 주민등록번호 {rrn}
저희 할아버지가 {rrn}이신데 기초연금 대상이 되나요?
피고인 임해솔({rrn}), 무직, 주거 및 등록기준지 생략
진료의뢰서│환자명 윤다솜│{rrn}│내과
팩스로 온 위임장에 {rrn:–}<이/가> 그대로 보이네요;;
전입신고 대상자: 세대주 {rrn}, 자 {rrn:n}
주민번호 {rrn:}<으로/로> 조회하니 다른 사람이 나와요
"{rrn}"… 이거 내 번호 아님?
원천징수영수증 소득자 {rrn:－} 귀속연도 2025
아이 출생신고 마쳤고 주민등록번호는 {rrn:n}<으로/로> 나왔대요
수급자 확인 요청 / 생년월일·뒷자리 {rrn: } / 읍사무소 복지팀
피보험자[{rrn}]의 사고일 이후 보험료는 면제된다.
차용증: 채무자 정새벽 {rrn}<은/는> 금 오백만 원을 빌렸음을 확인한다.
주민 앞뒤 합쳐서 {rrn:}<이에요/예요>, 하이픈 빼고 넣으니 됐어요
상속인 전원의 인감과 {rrn}번 등본이 필요합니다.
이거 올린 사람 미쳤나 {rrn} 다 보이는데 삭제 좀
주민등록번호：{rrn:w}
검사결과지 재발급(수진자 {rrn}, 접수일 3월 4일)
근로계약서 을: 한가온 ({rrn:–})
본인({rrn})은 위 사건에 관하여 아래와 같이 진술합니다.
학적부 | 3-2 | 17번 | 오누리 | {rrn}
예금주 실명번호 {rrn}<이/가> 전산과 일치하지 않습니다.
요양원 입소자 어머니 {rrn: } 등급 3
우리 애 {rrn:n}인데 어린이집 대기 몇 번인지 봐 주세요, 주민번호로 조회된다면서요
log.warn("주민번호 평문 노출: {rrn}") 이 줄 지워 주세요
법무사 사무실이죠? 매도인은{rrn}입니다, 철자 맞죠?
면접자 명단 둘째 줄 최도담 {rrn} 합격
{rrn}<을/를> 쓰시는 분께 우편물이 잘못 왔습니다.
경찰은 피의자 박모씨(주민 {rrn})를 불구속 입건했다.
개명 허가 신청인 이나래, {rrn}, 사건본인과 같음
예방접종 문진표 주민등록번호 {rrn:－}, 체온 36.5
주민번호 변경 결정 통지: 변경 후 {rrn:c}
장애인 등록증 사본: {rrn}/지체/심함
가족관계증명서 모 {rrn} 본 김해
네 주민번호는 {rrn:c}, 비밀번호는 생일로 해 뒀어
사망자 {rrn}의 배우자가 신청인임을 확인함.
출입 명부에 성명만 쓰면 되는데 누가 {rrn}까지 적어 놨네
국민연금 가입내역: {rrn:}님, 주민등록번호를 다시 확인하십시오.
Tenant ID (주민등록번호) = {rrn}, lease start 2026-01
스캔본 글자 인식 결과 「{rrn: }」 신뢰도 0.93
모델하우스 방문 예약자 주민번호 {rrn}<은/는> 왜 받는 거죠?
증인 {rrn}<은/는> 선서 후 다음과 같이 증언하다.
병적증명서: 육군 병장 만기, {rrn}
탄원인 대표 {rrn} 외 214명
구직급여 수급자격 인정 ({rrn}) 2차 실업인정일 안내
연말정산 부양가족 추가: 부 {rrn}, 모 {rrn}
교적부 {rrn} 세례 1998년 부활절
주소 ⟦address:충청남도 공주시 한밭새길 41⟧, 주민 {rrn}, 서명 생략
[민원] 제 번호 {rrn}<과/와> 같은 사람이 또 있대요
통장 개설할 때 {rrn} 불러 달라기에 불러 줬지
예금 압류 결정문 / 채무자 김하람 / {rrn} / 서울회생법원
헌혈 문진 {rrn} 혈액형 Rh+ B
의뢰인이 보낸 문자: 주민은 {rrn:} 주소는 나중에요
보훈대상자 {rrn}.
조합원 가입서에 도장 찍고 {rrn}<을/를> 손으로 적었다.
입원약정서 연대보증인 {rrn} 관계 형
↳답글: 제 주민등록번호 {rrn:w}<으로/로> 해 주세요
여권 재발급 신청서 영문명 HAN GAON 주민등록번호 {rrn}
주차 등록: 세대원 {rrn}(운전), 차량 ⟦vehicle_plate:48무 2917⟧
아동수당 계좌 변경, 아동 주민번호 {rrn:n}
실종자 신원은 {rrn}<으로/로> 확인되었다.
강사료 지급 조서 ① {rrn} ② 필요경비 60%
{rrn}
--
partial | 주민등록번호 ⟦910723-2******⟧ 마스킹 확인했습니다
partial | 등본 뒷자리 안 보이게: ⟦680411-1●●●●●●⟧ 이렇게요
placeholder | 서식 보기 ______-_______ 칸에 정자로 기재
placeholder | 주민등록번호 입력란 안내문구 "앞 6자리-뒤 7자리"
date only | 생년월일 6자리 930815만 넣으면 로그인돼요
barcode | 두유 바코드 8801052034584 찍어 보세요
ISBN | ISBN 978-89-320-3870-5 절판이라네요
order | 주문번호 20261103-0047712 결제 취소
court case | 서울중앙지법 2024가단5182913 손해배상 사건
date pair | 전시 250301-250630, 월요일 휴관
tracking | 대한통운 운송장 6489 2210 5573 어디까지 왔나
patent | 특허 제10-2345678호 청구항 1을 침해하였다
law number | 법률 제19234호 부칙 제2조를 적용한다
file | 회의녹음_260114-093055.m4a 파일 보내드려요
phone cost | 통신비 851,230원 중 12만 원은 소액결제
population | 2024년 출생아 238,300명, 사망자 358,400명
receipt | 승인번호 30048127 일시불 2026/01/15 13:22:08
game id | 캐릭터 코드 3301-7748-2 서버 이전 신청
part | 품번 81250-2B000-X 브레이크 패드 재고 있나요
lottery | 1203회 로또 6 11 19 27 34 41 꽝
fax form | 문서번호 복지정책과-14022 (2026.02.11.)
asset | 비품대장 PC-190612-0034 모니터 불용 처리
unix time | created_at 1736901123456이 KST 기준 맞나요
exam | 토익 수험번호 314207 고사실 12 좌석 B-07
weather | 강수량 03시 1.2 06시 4.8 09시 13.1mm
voltage | 정격 220-240V, 50-60Hz, 1200W
swimming | 자유형 100m 52초18, 200m 1분54초07
stats | 표본 1,004명, 응답률 12.7%, 95% 신뢰수준 ±3.1%p
catalog | 카탈로그 No. 770118-A 벽지 샘플 요청
train | KTX 제113열차 07:27 출발 09:58 도착
bible | 시편 119:105, 요한복음 14:6-14 교독
bus | 9401-1번 막차 놓침 ㅠ
word only | 주민등록번호를 요구하는 문자는 사기입니다
word only | 주민번호 뒷자리가 왜 일곱 자리인지 설명해 드릴게요
genome | 좌위 rs1042522, rs1801133 변이 확인
sum | 780,512 + 1,203,400 = 1,983,912 검산 완료
invalid month | 데이터 정합성 점검: 월이 17인 871735-1000000 행은 쓰레기값
all nines | 시험용 더미 999999-9999999만 들어 있음
certificate | 졸업증명서 제2019-03317호 원본대조필
insurance policy | 증권번호 L2024-88130221 해지환급금 조회
map index | 수치지형도 37608-0457 도엽 구매
blueprint | 도면 A-301-7, 축척 1/150, 2026.01.20 개정
flight | KE0651편 18:05 인천 출발 게이트 252
@@ frn
체류기간 연장 신청인 NGUYEN VAN AN, 외국인등록번호 {frn}
외국인등록증 {frn} 분실 신고합니다 어떻게 해요
고용허가서 근로자명 수만, {frn}, 비전문취업
저는 몽골 사람이에요 등록번호는 {frn}이고 통장 만들고 싶어요
사업장 외국인 명단 | 1 | 라이 | {frn} | 용접
출국명령서 성명 불상, {frn:–}
학교에 제출할 서류: 외국인등록번호 {frn:} 사본 1부
배우자(베트남) {frn}, 혼인신고일 2023.5.2.
등록외국인 {frn}<은/는> 건강보험 지역가입자로 전환됨
Alien registration no. {frn}, 체류자격 D-2
알바 구해요 유학생 {frn} 시간제취업 허가 있어요
임차인 왕웨이({frn})와 임대인은 다음과 같이 계약한다
외국인 번호 {frn: }, 비자 만료 전까지 연장 부탁
원무과: 보험 자격 조회 {frn} 미가입으로 나옵니다
교회 다문화반 등록 — 마리아 — {frn:－}
환전 영수증에 {frn}<이/가> 찍혀 있어서 가렸어요
피해자 외국인({frn}) 통역 요청함
불법체류 신고 대상 아님: {frn} 확인 완료
재입국허가 {frn:w} 복수 1년
번역공증 의뢰인 외국인등록번호: {frn}
휴대폰 개통 실명인증 실패 [{frn}] 출입국 전산 지연
영주권자 {frn}의 지방선거 투표권 문의
기숙사 입사자 명부 : 압둘라 / {frn} / 402호
외국인등록번호={frn:}&이름=ALI 값이 로그에 찍혀요
세금 환급 신청하는 {frn} 네팔 국적 근로자입니다
산재 요양급여 신청서 재해자 {frn}, 프레스 협착
우리 원어민 선생님 {frn}, 비자는 E-2
등록번호 {frn}인 분 우편물이 제 집으로 와요
가족관계: 처 {frn} 자 {rrn}
국적 취득 전 번호 {frn}, 취득 후 {rrn}
응급실에 온 외국인 {frn} 보호자 없음 연락 부탁
선원취업 등록부 제3항 {frn}
적금 가입 고객 실명확인증표 외국인등록증 ({frn})
사건번호는 모르고 피고 외국인등록번호는 {frn}입니다
"{frn}"라고 적힌 카드를 주웠어요 파출소에 맡겼습니다
다문화센터 한국어교실 수강생 {frn} 결석 3회
결핵검진 대상자 {frn:–} 음성
외국인등록번호를 {frn}에서 {frn}<으로/로> 정정합니다
하숙집 아주머니가 {frn} 보여 달래서 보여줬는데 괜찮나요
농번기 계절근로자 {frn}, 배정 농가 사과밭
카드사 상담: 외국인 고객님 {frn} 맞으십니까
난민신청자 {frn} 체류지 변경 신고
외국인등록사실증명 {frn} 발급 수수료 2,000원
과태료 부과 대상({frn}) 체류지 미신고 14일 경과
조선소 하청 출입증 신청 {frn: } 안전교육 이수
퇴직금 못 받은 동료 외국인등록번호 {frn}<으로/로> 진정 넣었어요
졸업 예정 유학생 {frn} 구직비자 변경 희망
전세사기 피해자 결정 신청, 외국인 {frn}
어선 승선원 명단에 {frn}<이/가> 빠져 있다
부동산 취득신고 외국인 {frn}, 면적 84.9㎡
범칙금 납부자 {frn}. 통고처분.
외국인등록번호|{frn}|국적|우즈베키스탄
여권은 ⟦passport:M########⟧ 아니고 외국인등록 {frn}<으로/로> 조회해 주세요
출생아 외국인등록 {frn}, 부모 모두 체류자격 F-6
비대면 계좌 안 됨 ㅠ {frn} 이 번호로는 원래 안 되나요 외국인이라서
마을 이장이 적어 준 쪽지에「{frn}」번 사람 찾음
면허 교환 신청자 외국인등록번호 {frn:－}
시험 응시표 | 토픽 II | {frn} | 6급
K-ETA 말고 외국인등록증 번호({frn}) 넣으세요
인력사무소 장부 {frn} 일당 15만
입양 예정 외국인 배우자 {frn}<과/와> 상담 완료
송출업체가 보낸 목록 첫 줄 {frn}
{frn}
--
visa | 체류자격 F-2-7에서 F-5-16으로 변경하려면 소득 요건이 있나요
partial | 외국인등록번호 ⟦920407-6******⟧ 로 가려서 제출
partial | 출력물 ⟦881130-5xxxxxx⟧, 원본은 파기함
statistics | 등록외국인 1,487,210명 중 유학생 17.3%
form | 별지 제129호서식 통합신청서를 두 장 뽑으세요
word only | 외국인등록번호가 아직 안 나와서 휴대폰을 못 만들어요
currency | 1달러 1,392.50원, 1위안 191.27원
law | 출입국관리법 제31조제1항에 따른 등록
reservation | 하이코리아 예약 접수증 26-0311-08842 지참
customs | 수입신고필증 41027-25-613884M 사본
hs code | HS 8471.30-0000 노트북 통관
bill | 의안 2208415호 이민청 설치 법안 계류 중
exam score | 토픽 듣기 78 쓰기 52 읽기 90 총 220
flight | VJ960편 01:35 도착, 수하물 벨트 6
dates | 방학 260615-260830 귀국 예정
tracking | EMS EB552081937KR 호치민 도착
country code | 국가코드 704 베트남, 496 몽골, 860 우즈베크
capsule | 로트번호 850712-B6, 유효기한 27년 3월
part | 기어박스 부품 770915-7A 수입 대기
serial | 여권 리더기 시리얼 5510-6627-8813-A
order | 항공권 주문 20260417-5583012 발권 대기
case | 헌재 2019헌마1165 결정은 외국인의 기본권을 다룬다
file | visa_scan_260722-611.pdf 화질이 낮아요
barcode | 쌀국수 봉지 바코드 8934563138165 등록 안 됨
section | 고시 제2024-578호 별표 5-2 참조
test value | 검증 로직 점검용 001332-5000000은 날짜부터 틀렸다
placeholder | 작성 예: 생년월일6자리-5○○○○○○
word only | 외국인등록증 뒷면 주소 변경 스티커 떨어졌어요
quota | 업종별 쿼터 제조 53,970 농축산 9,100 어업 7,600
distance | 하노이-다낭 764km, 다낭-호치민 964km
time zone | 한국 09:00은 카트만두 05:45입니다
receipt | 수입인지 영수 7712-0081-5523 붙임
epoch | visaExpireTs=1790467200000 단위가 밀리초예요
soccer | 외국인 선수 쿼터 5+1, 출전 851분 6골 5도움
lot | 제품 860505형 7호기, 8호기 순차 가동
salary | 기본급 2,156,880 + 연장 512,340 = 2,669,220
room | 기숙사 5동 612호 7번 침대 비었어요
standard | 규격 ISO 3166-1, ISO 639-3을 따른다
bible | 레위기 19:33-34 나그네를 사랑하라
dictionary | 사전 850-856쪽 '나그네' 항목
contract | 표준근로계약서 E9-2025-071234 갱신
song | 노래방 금영 88051 태진 51234 베트남 노래 있음
@@ email
이력서는 ⟦jobs@hanmaru-steel.co.kr⟧로 3월 말까지 받습니다
⟦minji.k@naver.com⟧인데 세금계산서 여기로 끊어 주세요
견적서 요청: ⟦SALES@NURIPACK.CO.KR⟧
원고 투고 | ⟦editor_jin@sodambooks.kr⟧ | 매월 말일
제 메일 ⟦cloud9park@gmail.com⟧이고 용량 제한 25MB예요
학부모회 사진은 ⟦hs3-2photo@daum.net⟧에 올려 주시면 취합합니다
⟦yoon.seah+market@gmail.com⟧으로 송장 사진 부탁드려요~
광고협찬📩⟦bibim_official@nate.com⟧
(기자 ⟦jh.noh@pureun-ilbo.com⟧)
유튜브 채널 이메일은 ⟦ddalgi.vlog＠gmail.com⟧ 입니다
보내는사람 <⟦no-reply@mail.gachipay.io⟧> 스팸 맞죠?
법원 전자송달 주소 ⟦lawyer.moon@dasan-law.kr⟧에 등록하였습니다.
교수님 메일이⟦hkseo@phys.byeolmaru.ac.kr⟧맞나요 반송돼요
문의: ⟦help@oneul-delivery.kr⟧/평일만
제 주소는 ⟦tomato_77 골뱅이 naver.com⟧
크롤링 방지로 이렇게 적어요 ⟦parkdev [at] hanlab [dot] io⟧
⟦sunny골뱅이hanmail.net⟧으로 파일 쏴 주세요
주일학교 교사 신청 ⟦church.kids (at) gmail (dot) com⟧
ERROR bounce: ⟦ceo@dongbaek-trading.com⟧ // 수신자 없음
인증메일이 ⟦moonlight_88@hotmail.com⟧로 안 가요 재발송 좀
⟦０１ｂａｄａ＠ｎａｖｅｒ．ｃｏｍ⟧ 전각으로 저장돼서 로그인이 안 됩니다
사업제휴 - ⟦partner@oreum.jeju.kr⟧ - 담당 고 대리
"⟦a.b.c@de.fg.or.kr⟧"처럼 점이 많은 주소도 가입되나요? 제 거예요
우리 반 공용 계정 ⟦6class2026@goe.school.kr⟧, 비번은 칠판에
혹시 ⟦lee-sora@empas.com⟧ 아직 쓰는 사람 있나? 추억이다
매입계산서 수신 ⟦tax01@gaon-food.co.kr⟧·⟦tax02@gaon-food.co.kr⟧
진료기록 사본 발급 완료, ⟦sarang1970@hanmail.net⟧으로 암호화 전송함
번역 급구! 샘플은 ⟦trans.kim@proton.me⟧에게
수신거부는 ⟦unsubscribe@news.bomnal.shop⟧<을/를> 이용하십시오
디스코드 말고 메일 주세요 ⟦x_x.gg@outlook.com⟧ 초대코드 드림
작성자: 하늘지기 ⟦skykeeper@tistory-mail.net⟧ 무단전재 금지
동대표 선거 이의신청은 ⟦apt305rep@kakao.com⟧까지.
주문자 메일⟦oh.nuri@icloud.com⟧, 휴대폰 ⟦phone:010-§###-####⟧
연구참여자 모집 ▷ ⟦irb.study@med.haesol.ac.kr⟧ ◁ 사례비 3만 원
From: ⟦hr@sanmaru.com⟧ To: ⟦all@sanmaru.com⟧ 제목: 연차 촉진
분실 신고자 이메일 [⟦goyangi@naver.com⟧] 확인 후 연락드림
통장 사본을 ⟦pay+2026@dalgona.studio⟧에 보내셨나요?
장학금 신청서 접수처는 ⟦scholar@odong.foundation⟧이며 원본은 우편 접수
귀하의 계정 ⟦kkh.1988@gmail.com⟧에서 의심스러운 로그인이 있었습니다
⟦wine_lover@naver.com⟧,⟦beer-lover@naver.com⟧ 둘 다 제 부계정이에요
배송 알림 받을 곳 → ⟦jeju.orange@daum.net⟧ ← 여기
기사 정정 요청은 ⟦desk@maeul-news.kr⟧와 팩스로 받습니다
명함 뒷면에 ⟦d.choi@hwaran-architects.com⟧이라고 찍혀 있음
공익신고자 보호를 위해 ⟦report@clean.saenal.go.kr⟧를 운영한다
OCR결과:E-mail⟦leehj0417@chol.com⟧F.A.X불명
포스팅 하단 메일 ⟦2rang@me.com⟧ / 협찬은 안 받아요
팬레터는 소속사 ⟦fan@stellar-ent.kr⟧로 보내 주시면 전달됩니다
환불 규정 문의 '⟦refund@tteok-mall.com⟧' 답장 3일 걸림
반주자 구합니다. ⟦pianoforte.k@gmail.com⟧. 사례 협의.
git config user.email "⟦dev.haram@gaebal.kr⟧" # 개인 메일 쓰지 말 것
경품 당첨자 ⟦baekya@nate.com⟧님 축하드립니다!
이사회 회의록은 ⟦secretary@gyeol.or.kr⟧한테 요청하면 돼
고객센터 상담 내용이 ⟦chorong_e@naver.com⟧에도 발송됐나요
항의 메일을 ⟦president@nabi-air.com⟧으로 보냈더니 자동응답 옴
공고문: 질의는 서면(⟦bid@sanup.re.kr⟧)으로만 가능하다
⟦k@k.kr⟧ 이거 진짜 내 메일임 짧아서 가입이 안 돼
식당 예약금 환급받을 이메일이 ⟦s.jang_92@yahoo.co.kr⟧이에요
전시 도록 주문서를 ⟦gallery.info@umun.art⟧ 앞으로 회신 바람
신청인 전자우편 : ⟦nolja@korea.kr⟧
탈퇴해도 ⟦oldid2004@freechal.com⟧가 남아 있네
시청자 게시판 아이디 ⟦ruru.88@kbsfan.net⟧ 당첨
세미나 줌 링크는 ⟦seminar@ai-dongne.org⟧에 회신한 분께만 ⟦url:https://ai-dongne.org/zoom⟧
⟦first.last@sub.example-corp.co.kr⟧
--
rule text | 이메일은 '@ 앞부분'만 입력하면 됩니다
rule text | 아이디는 @ 앞 4자 이상, 한글 불가
emoticon | 와 진짜 @0@ 눈 튀어나오는 줄
unit price | 타일 32장 @4,800 시공비 별도
matrix | loss = (q @ k.T).softmax(-1) 한 줄이면 끝
package | npm i vite@5.2.11 하고 다시 빌드해 보세요
metric | MRR@10이랑 Precision@3 둘 다 떨어졌어요
snack | 을지로 골뱅이골목 2차 갈 사람
food | 골뱅이무침 레시피: 고추장 2, 식초 1, 설탕 1
masked | 계정 찾기 결과 j*****@g****.com 입니다
masked | 가입 메일: ●●●@●●●●.●●● (보안상 가림)
word only | 이메일 주소 오타 나서 재발송해 주세요 ㅠ
key place | 독일 자판에서 @는 AltGr+Q에 있음
shell | 프롬프트가 pi@raspberrypi:~ $ 이면 접속 성공
decorator | @lru_cache(maxsize=128) 달았더니 10배 빨라짐
overclock | 램 6000MT/s@1.35V 국민오버 성공
camera | 4K@120p 촬영 시 발열 심한가요
label | 도표의 A@pH7 조건이 기준선이다
price list | 수박 1통@18000, 참외 1봉@9000
slogan | I@Busan 로고 공모전 결과 발표
regexp | 정규식 ^[^@]+@[^@]+$ 로 검사한다네요
template | 발신 주소는 {id}@{domain} 형태로 치환됩니다
pronoun | 이메일 골뱅이가 왜 골뱅이인지 아는 친구?
sports | 원정 경기는 LAD @ SFG, 오전 11시 중계
schedule | 팝업 4/12-4/20 @성수 대림창고
cheer | 다들 시험 화이팅@@@@ 떡 먹고 가요
spreadsheet | =SUM(@단가*@수량) 수식이 엑셀에서 오류예요
audio | 음원 24bit@96kHz 무손실로 구매함
benefit | 월 260+@, 주 5일, 중식 제공
ssh | ssh 접속은 계정@서버이름 순서로 씁니다
docker | image: redis@sha256:9f8e1c 로 고정하기
physics | 밀도 1.225kg/m3 @15℃ 해수면 기준
license key | 키값 A7@9K@2Q 를 소문자로 넣지 마세요
crossword | 가로 7번 '전자우편의 기호' 정답은 골뱅이
poem | 나는 @처럼 둥글게 말려 잠들었다
riddle | 점 하나에 골뱅이 하나, 그림 수수께끼 정답은 달팽이
sign in name | 카페 이름이 B@KERY 인데 발음이 뭐야
lens | 50mm f1.8@ISO800 셔터 1/125
form | 연락받을 메일 (____________@____________)
test condition | 누설전류 3uA@25도, 데이터시트 4쪽
bullet | @ 준비물: 실내화, 물통, 수건
version | actions/setup-node@v4로 바꾸니 경고 없어짐
@@ ip
공유기 들어가려면 주소창에 {ip:p} 치세요
욕설 댓글 작성자 {ip} 영구차단
접속IP:{ip}|시각 03:12:44|결과 실패
{ip}에서 1분에 300번씩 로그인 시도가 들어와요
[WARN] client={ip} 응답 지연, 재시도 중
익명({ip}) ㅋㅋ 이걸 믿네
피의자는 {ip}<을/를> 경유하여 사이트에 접속하였다
방화벽 규칙 allow {ip:p}/24 추가 부탁드립니다
길드 서버 주소 {ip}:25565 들어오세요
프린터 IP가 {ip:p}인데 인쇄가 안 돼요
아이피 {ip}, 통신사 회신 대기
"{ip}"번은 우리 학교 전산실 고정 아이피입니다
DNS를{ip}<으로/로> 바꾸면 빨라진다던데
위키 편집 기록: {ip} (토론) 12:01 삭제됨
핑 {ip:p} → 응답 없음, 랜선 뽑힘 의심
홈캠이 {ip:p}에 붙어 있다가 사라졌어요
서버실 점검표 ■ 메인 {ip:p} ■ 백업 {ip:p}
VPN 켜니까 {ip}에서 접속한 걸로 나오네
송신지 주소 {ip}, 수신지 주소 {ip}, 프로토콜 TCP
신고자 아이피（{ip}）는 공개하지 않습니다
에러 로그에 {ip6}<이/가> 계속 찍힙니다
IPv6 {ip6} 할당받았는데 외부에서 안 열려요
인터넷 기사님이 고정 IP {ip}번 주고 가심
스트리머 아이피 {ip} 유출됐다는데 진짜임?
X-Forwarded-For: {ip}, {ip:p}  # 프록시 거침
감사로그: 관리자 로그인 {ip} 성공, 사유 '점검'
게임 핑 튀어서 {ip}<으로/로> tracert 돌려 봄
원격 접속 대상 {ip:p} 치면 비번 물어봐요
출석체크 부정: 같은 {ip} 주소로 학생 여섯 명
nginx 설정 deny {ip}; 한 줄 추가함
교회 방송실 믹서 주소는 {ip:p}<이에요/예요> 건드리지 마세요
결제 이상탐지 - 해외 IP {ip} - 보류
주문 남긴 아이피 {ip:w} 조회 부탁드려요
토렌트 목록에 {ip}<이/가> 보이면 나임
CCTV 녹화기 {ip:p}:554 접속 계정 확인 요망
{ip}님이 퇴장하셨습니다
도메인 A레코드를 {ip}(으)로 돌려놨습니다
제 컴 주소 {ip:p} 맞는데 원격이 안 붙어요
공격 발원지는 {ip6}<으로/로> 추정된다
host={ip6}; port=443; 한글 깨짐
악성 IP 목록：{ip}、{ip}、{ip}
시험 중 접속 단말 {ip:p} 수험번호 31
디시 통피 말고 고정닉 {ip}임
홈페이지 개편 후 {ip} 직접 접속 차단됨
리니지 서버 이전: 기존 {ip} 신규 {ip}
문서 열람자 {ip}·열람일 2026.05.02.
{ip:p}<이랑/랑> {ip:p}<이랑/랑> 충돌나서 인터넷 끊김
와이파이 게이트웨이 {ip:p} 접속 불가 현상 문의합니다
아파트 월패드 해킹 의심 주소[{ip}]
로그인 알림 — 기기: 갤럭시 — IP: {ip} — 본인 맞나요?
접속 국가 베트남 / {ip} / 자동 로그아웃
라우터 fe80 대역 {ip6:l} 응답 정상
원격지 {ip6}에 대해 압수수색 영장을 신청함
댓글알바 의심 아이피:{ip}
ping6 {ip6} 결과 손실 0%
메일 헤더 Received from [{ip}] by 우리서버
서버 이름은 독도, 주소는 {ip}입니당
크롤러 {ip}<이/가> robots.txt 무시하고 긁어감
내부망 {ip:p}에 있는 급식 시스템이 느려요
선거법 위반 게시물 작성 IP는 {ip}이다.
NAS 주소 {ip:p}, 맥 주소 {mac:-}
사용자 haram, ⟦email:haram@gureum-soft.kr⟧, 최근 접속 {ip}
{ip}
--
version | 카카오톡 10.4.3.27 빌드부터 사진이 안 보내져요
version | 크로미움 121.0.6167.184로 내리니 해결
section | 지침 4.1.2.3항 위반으로 감점 2점
date | 2026.07.14.화요일 개교기념일 휴업
protection | IP67 방수라더니 욕조에서 사망
rights | 웹소설 IP로 드라마 만든대요
ratio | 시멘트:모래:자갈 = 1:2:4로 비벼 주세요
clock | 기상 06:30:00 점호 06:50:00
score | 테니스 6:4 3:6 7:6 타이브레이크 7:5
octet high | 264.731.999.4 같은 건 주소가 될 수 없지
oid | snmpwalk 1.3.6.1.2.1.25.3.2.1 결과가 비었어요
toc | 보고서 3.2.1.4 소제목 글꼴이 다르네요
bible | 창세기 1:1-2:3 통독 진도
cpp | std::cout::operator 같은 건 없다 얘들아
word only | 아이피 바꾸는 법 알려 주실 분
word only | 같은 IP로는 하루 한 번만 투표할 수 있습니다
uuid | 세션 3f2504e0-4f89-11d3-9a0c-0305e82c3301 만료
timecode | 자막 싱크 00:41:17:09부터 밀림
decimal list | 학점 4.5, 3.9, 4.1, 4.3 평균 4.2
python | pip install numpy==1.26.4 만 하면 됨
kernel | 커널 6.8.0-45.45 업데이트 후 블루투스 먹통
firmware | 펌웨어 V5.07.68.1142 배포 중단
hanja | 음력 4.8. 부처님 오신 날 봉축 법요식
standard | RFC 791, RFC 4291 읽어 오기 과제
ethernet | 랜선 CAT.6A, 허브 10/100/1000 지원
genre | 지식재산(IP) 담보대출 금리 4.2.% 오타네요
software | 오라클 19.3.0.0.0 설치 실패 화면입니다
dewey | 분류 813.6.12.1 서가 옆에 있어요
php | PHP 상수는 Foo::BAR::baz 꼴이 아니라 Foo::BAR
range | 배점 5.5.10.10 총 30점
phone system | 교환기 IP폰 도입 예산 1.2억
masked | 작성자 아이피 121.***.***.17 비공개
masked | 디시 통피 (223.38) 표시는 앞 두 자리만
subnet | 서브넷 마스크를 /24에서 /26으로 줄였다
chess | 1.e4 e5 2.Nf3 Nc6 3.Bb5 루이 로페즈
recipe | 간장:설탕:맛술:물=3:2:1:5 황금 비율
workout | 3.10.12.15회 피라미드 세트로 조졌다
emulator | 스타 1.16.1.1 립버전 어디서 받음
latex | 그림 2.4.1.2와 표 2.4.1.3 순서 바뀜
scope | 펄 모듈 LWP::UserAgent 설치 오류
bank | 환율 1.0.8.5 이런 식으로 찍히는 버그
sensor | BME280 v1.4.0.2 라이브러리 충돌
@@ mac
공유기에 등록할 맥주소는 {mac}입니다
와이파이 차단 목록에 {mac:-} 추가해 주세요
MAC: {mac:.} / 포트 Gi0/14
기숙사 인터넷 신청서 물리적 주소 {mac:-u}
{mac}에서 DHCP 요청이 폭주해요
블루투스 이어폰 주소({mac})가 두 개로 뜸
[로그] sta {mac:l} 연결 해제 사유 3
노트북 밑면 스티커에 {mac:u}<이라고/라고> 적힌 게 맥주소 맞죠
도난 노트북 무선랜 MAC {mac} 사용 이력 조회
맥 주소 {mac:} 이렇게 붙여 써도 되나요
프린터{mac:-}<은/는> 3층 복합기입니다
ARP 테이블: {mac:-l} 동적
출입 태그 단말 {mac}의 배터리 교체
닌텐도 스위치 무선 MAC 주소 {mac} 등록 완료
"{mac:l}" 이 기기 누구 거예요? 공용 와이파이 느려요
스마트플러그 추가할 때 {mac:u}(MAC) 확인
비콘 {mac} 신호세기 -71dBm
학교 태블릿 27번 {mac:-} 분실
wol {mac} 명령으로 컴퓨터를 켠다
감식 결과 휴대전화의 맥주소는 {mac}이다.
이더넷 어댑터 물리 주소 . . . : {mac:-u}
연구실 장비 반입 신청 | 오실로스코프 | {mac}
라즈베리파이가 {mac:l}인지 확인 부탁
무선 AP 목록 → {mac} 1층, {mac} 2층
맥어드레스 {mac:w} 전각이라 등록 실패
{mac:.}<은/는> 시스코식 표기입니다
공유기 관리자 로그인 {mac:-}, {ip:p}
카드 단말기 MAC {mac:} 개통 요청
삭제된 기기: {mac}; 삭제자: 관리실
콘솔 밴 당해서 맥주소 {mac:-} 바꿔 달라고 함
사내 NAC 예외 등록 [{mac}] 기한 7일
인터넷 설치기사 메모 - 모뎀 {mac:u} 맥주소 - 교체함
ㅇㅇ 내 폰 {mac} 이거니까 강퇴하지 마
월패드 {mac}<과/와> 통신 불가
도어락 게이트웨이({mac:-l}) 펌웨어 갱신
무선 스캐너의 {mac:.}<이/가> 인증서와 다름
병동 환자 모니터 {mac} 오프라인 경고
아이패드 Wi-Fi 주소 {mac}, 일련번호는 뒷면
게이트웨이 맥 {mac:-}<으로/로> ARP 스푸핑 탐지
새 랜카드 {mac:-}<을/를> 승인해 주십시오
BSSID={mac:l} 채널=11 암호=WPA2
교회 음향실 노트북 유선 MAC은{mac}<이에요/예요>
무선 이어폰 왼쪽 {mac} 오른쪽 {mac}
차량 동글 페어링 완료 〈{mac}〉
IP {ip:p} 쓰는 단말이 {mac:-l}<으로/로> 확인됩니다
수사 협조 의뢰: 맥주소 {mac:-u} 접속 위치
홈네트워크 스위치 3번 포트 {mac:.} 학습됨
PC방 자리 17번 {mac}, 자리 18번 {mac}
LG TV 무선 MAC｜{mac}
기기 인증 실패... {mac} ...관리자에게 문의
공유기 스티커에 SN이랑 MAC {mac:u} 두 개 있는데 뭐 넣어요
펌웨어 로그 peer {mac:l} rssi -60 // 연결 양호
방송 장비 대여 목록에 {mac}도 추가
네트워크 카드 바꾸고 나서 {mac:-}<이/가> 안 보입니다
고장 접수 셋톱박스 맥주소={mac:}
자동차 블박 와이파이 {mac} 연결법
키오스크 {mac:-}, 업체 연락처 ⟦phone:070-§###-####⟧
NFC 아니고 BT 주소예요 {mac}
자산번호 없이 {mac:-u}만 적힌 공유기 주인 찾습니다
관리자 페이지 접속 허용 MAC 주소 → {mac}
mac_addr='{mac:l}'로 저장할 것, 대문자 금지
출석 인식기 MAC({mac:}) 교체 완료
{mac}
--
hash | 커밋 9c1e7f04ab2d 되돌려 주세요 맥주 사 드릴게요
hash | md5 5d41402abc4b2a76b9719d911017c592 일치함
fingerprint | SHA1 지문 20:A1:3B:9C:DE:11:42:77:F0:5E:6A:90:B4:C8:D1:03:2F:71:88:AC 확인
food | 맥도날드 맥치킨 세트 5,900원 실화냐
computer | 맥북에어 M3 13인치 16GB/512GB 팝니다
beer | 수제맥주 4종 시음 12:00-15:00
ratio | 12:24:36:48:60:72 배수 찾기 문제
clock | 랩타임 01:12:33 / 01:12:41 / 01:12:29
lotto | 로또 04-09-17-23-31-40 자동
date time | 로그 26-03-14 22:10:05에서 끊김
hex colour | 포인트 컬러 #3A7BD5, 배경 #F4F6FB
uuid | 비콘 UUID e2c56db5-dffb-48d2-b060-d0f5a71096e0 고정
key | 윈도우 키 XQ7PM-2RV9K-8TTWD 형식이 아니래요
seats | 좌석 A1-A2-A3-B1-B2-B3 여섯 자리 예약
musical | 도돌이표: C-D-E-F-E-D 손가락 연습
blood | 혈액형 AA-AO-BB-BO 유전 문제 풀이
chess | Bd3-Be2-Bf1 왔다 갔다만 하네 체스를
non hex | 시드 GG:HH:II:JJ:KK:LL 넣으니 튕김
five groups | 00:11:22:33:44 다섯 묶음이라 거부됨
word only | 맥주소 어디서 봐요? 설정에 없는데
word only | MAC 필터링 켜면 손님 폰이 안 붙어요
lipstick | 맥 루비우 립스틱 단종인가요
pulse | 맥이 약하고 혈압 88-54라 수액 달았어요
hexdump | 덤프 첫 줄 ff d8 ff e0 00 10 이면 JPEG
bond | 인증서 일련번호 0f:3c:77 세 자리만 다름
exam | 등급컷 A-B-C-D-E-F 순으로 정렬
scores | 이닝 0:1:0:3:0:2 뒤집혔다
timecode | 컷 편집 00:03:12:05 → 00:03:15:22
diet | 식단 12-30-45-60-75-90g 단계적 증량
magnet | 토렌트 마그넷 해시 3b245504cf5f11bbdbe1201cea6a6bf45aee1bc0
shelf | 선반 AB-12-CD 칸에서 꺼내 오세요
product | 부품 BE-A200-C0-FE 단종 대체품 문의
mountain | 산맥 종주 1일차 11:20 2일차 12:45
idiom | 대화의 맥을 끊는 건 늘 부장님
can frame | CAN ID 0x7DF 데이터 02 01 0C 응답 없음
ethernet type | 이더타입 0x86DD는 차세대 인터넷 규약
rgb | LED 값 255-128-000 깜빡임
gene | 서열 ACC-GAD-BAE 읽기 오류
pi | 파이 소수점 아래 14-15-92-65-35 외우는 노래래요
locker | 사물함 12-21-34-43-55-60번 파손
swatch | 팬톤 19-4052, 18-1750, 17-5641 비교
bingo | 빙고 B7 I22 N38 G51 O66 완성
@@ mention
⟦@jungle_gym⟧ 님 공구 마감됐나요
오늘 코디 정보는 ⟦@mood.daily⟧에서 확인
ㅋㅋㅋ ⟦@sikhye92⟧야 이것 좀 봐
협찬 아님 내돈내산 ⟦@ttukdubang⟧👍
트위터 원본 출처(⟦@night_sea__⟧) 무단 펌 금지
⟦@고구마라떼⟧ 님이 댓글을 남겼습니다
길드 들어오려면 ⟦@KingBap⟧한테 귓말하세요
사진 ⟦@film.jeju⟧ 모델 ⟦@noonna_⟧
(촬영: ⟦@studio_ondo⟧)
⟦@minari_farm⟧이랑 콜라보했어요 많관부
팔로우는 사랑입니다 → ⟦@bbang.jip⟧
인스타 ⟦@hana_dul_set⟧ 디엠 주세요
슬랙에서 ⟦@정과장⟧ 호출했는데 답이 없네
리뷰 이벤트 ⟦@cafe_dolmen⟧ 태그하고 후기 올리면 아메리카노
"⟦@poet_namu⟧"의 글을 인용함
깃허브 리뷰어로 ⟦@haneul-dev⟧ 지정했습니다
저번 방송 클립 ⟦@uyu_tv⟧님이 올려 주심ㄷㄷ
수험생 브이로그 ⟦@study.with.bom⟧, 구독 좀
경찰은 ⟦@fake_ticket77⟧ 계정 운영자를 추적 중이다
본 계정은 ⟦@gyeran_official⟧과 무관합니다
유기견 임보 문의⟦@dog_rescue_kr⟧로 부탁드립니다
답글 ⟦@Haru_2⟧: 저도 그래요 ㅠ
작가 ⟦@ink.and.paper⟧ 개인전 11월 2일까지
ft. ⟦@dj_mansik⟧
⟦@오이냉국⟧ 형 이거 실화야?
신청곡은 ⟦@radio_jeonju⟧ 프로필 링크에서
당근 닉네임 말고 인스타로요 ⟦@vintage_momo⟧
사칭 주의! 진짜는 ⟦@real.seoha⟧뿐입니다
[공지] ⟦@everyday_gugak⟧의 새 영상
우리 교회 청년부 계정 ⟦@light_youth_1⟧ 팔로우해 주세요
⟦@k_trot_fan⟧에 따르면 콘서트가 연기됐다고 한다
이 레시피는 ⟦@kimchi.lab⟧님 거예요
마감 지킨 사람: ⟦@zzang9⟧, ⟦@borisal⟧, 나
RT ⟦@weather_busan⟧ 내일 강풍주의보
동네 책방 ⟦@chaek_goyo⟧와 함께하는 낭독회
담당자 지정 ⟦@p.jiho⟧ 기한 금요일까지
진짜 웃긴 게 ⟦@dalgi⟧도 똑같은 말 함
트친소합니다 저는 ⟦@mongle_2nd⟧예요 애니 위주
고소장에 첨부한 계정명 ⟦@anti_0815⟧ 캡처
⟦@_moonrise⟧ 맞팔해요~
디코 닉 말고 ⟦@Pepper77⟧로 검색하면 나와
「⟦@hanbok_days⟧」님 사진 허락받고 올립니다
틱톡 ⟦@dance.gogo⟧에서 유행 시작됨
댓글 1위 ⟦@봄동비빔밥⟧ 추천 3.2천
저 ⟦@ricecake_run⟧인데요 러닝크루 자리 있나요
블로그 글쓴이는 ⟦@woodwork.han⟧으로 활동하는 목수다
당첨자 발표 1등 ⟦@rainy_sat⟧ 2등 ⟦@pado.pado⟧
업무 채널: ⟦@lim.hs⟧ 확인 바랍니다 / 첨부 없음
후원 목록에 ⟦@nabi500⟧ 보이네 고마워
지난주 우승팀 주장 ⟦@captain_oh⟧에게 인터뷰 요청함
문의 메일 ⟦email:hi@sandeul.studio⟧ 인스타 ⟦@sandeul_studio⟧
이거 ⟦@mothers.kitchen⟧네 가게 맞지?
⟦@TeamRocketKR⟧ 스트리머 복귀 언제
멘션: ⟦@hong⟧·⟦@baek⟧·⟦@cheong⟧
스레드에서 ⟦@slow_reader⟧랑 싸운 썰
인용은 출처를 밝혀 주세요|⟦@archive_90s⟧|
웨딩스냅 ⟦@snap.by.yul⟧(전국 출장)
사장님 계정이⟦@jip_bap⟧맞나요 영업시간 여쭤보려고요
유튜브 핸들 ⟦@산들바람채널⟧ 검색하세요
어제 ⟦@gom_3⟧님이 준 쿠폰 잘 썼어요
팬아트 by ⟦@draw_tangerine⟧
⟦@one_line_diary⟧
--
emoticon | 밤샘 3일차 @ㅁ@ 살려 줘
emoticon | 헐 @-@ 무슨 일이야
price | 귤 1박스 @12,000 두 박스 주문이요
metric | mAP@75 기준으로 다시 계산하세요
css | @supports 안에서 그리드를 켜면 됩니다
java | @NotNull 붙였는데도 널이 들어와요
python | @contextmanager 예제 더 없나요
spring | @RestController 어노테이션 설명이 빠졌네요
sass | @mixin 과 @include 차이 정리
jsdoc | @returns 뒤에 자료형을 적는다
blade | 화면 틀에서 @endif 빠지면 백지 나옴
tex | \makeatletter 뒤의 @ 는 글자로 바뀐다
sql | DECLARE @cnt INT = 0; 밑에 붙여 주세요
excel | @ 연산자는 암시적 교집합을 뜻한다고 배움
pkg | pnpm add @vue/compiler-sfc 하니까 해결
pkg | 타입 정의는 @types/react 설치가 먼저예요
version | eslint@8.57.0으로 고정하자
hz | 게이밍 모니터 QHD@165Hz 중고
place | 회식 19:00 @ 시청 뒤 족발집
sign | 텍스트 앞에 @ 하나만 치면 목록이 뜬다
sign | 월 300+@ 가능, 초보 환영
placeholder | 친구 소환은 댓글에 @닉네임 이라고 쓰면 돼요 아무 닉이나
masked | 당첨 @mo*****님, @ki****님 디엠 확인
masked | 신고된 계정 @○○○○ 제재 완료
prompt | dev@localhost 창에서 빌드 돌리는 중
password | 비밀번호에 @,#,$ 중 하나는 꼭 들어가야 합니다
matrix | W1@x+b1 출력 크기가 안 맞음
letter | H@PPY NEW YE@R 현수막 오타 아님
list mark | @@ 주의사항 @@ 음식물 반입 금지
temp | 소성 850℃@2h, 승온 5℃/min
doc | 자바독 @since 1.4 표기 유지
decor | @pytest.mark.slow 붙은 시험은 건너뛴다
ruby | 루비 클래스 변수 @@total 은 상속에서 꼬인다
objc | @autoreleasepool 블록을 지우지 마세요
swift | @State private var 값이 갱신 안 됨
angular | @Input() 데코레이터 빠뜨려서 두 시간 날림
rule | 메일 주소의 '@ 앞부분'은 대소문자 구분 안 해요
diff | 디프 머리글 @@ -14,7 +14,9 @@ 를 읽는 법
cron | 크론에 @daily 라고 쓰면 자정에 돈다
bib | @book 항목에 출판사가 빠졌습니다
sport | 8강전 KOR @ JPN 중계 없음
board | 말머리 [@질문] 달고 올려 주세요
@@ url
예매는 ⟦https://tickets.narae-hall.kr⟧에서 오픈
⟦www.dongne-gamja.com⟧ 들어가 보세요 싸요
공지 전문: ⟦http://apt-haesol.or.kr/board/view?no=318⟧
설문 참여 ⟦https://forms.gle/aB3dE5fG7h⟧ 1분이면 끝
가정통신문 회신 링크(⟦https://e-letter.saebit.es.kr/2026/41⟧)
구매처⟦https://smartstore.naver.com/gamgyul⟧임
블로그 이사했어요 ⟦blog.naver.com/ttalgi_note⟧
⟦https://youtu.be/Zk3Qp9LmWx0⟧ 3분 12초부터 보세요
보도자료 원문|⟦https://www.haean.go.kr/news/1182⟧
이 사이트 ⟦coupang-event.shop⟧ 피싱임 누르지 마
카톡방 ⟦https://open.kakao.com/o/gXy12Zab⟧ 입장 코드 없음
자료실 → ⟦ftp://files.byeolmaru.ac.kr/pub⟧
주보 PDF는 ⟦https://gracehill.church/weekly/0412.pdf⟧
디코 초대 ⟦https://discord.gg/n4rAe7⟧ 만료 전에 오셈
⟦https://github.com/haneul-lab/jamo-kit⟧ 이슈 남겨 주세요
"⟦https://bit.ly/3QkRtZ9⟧" 문자 온 거 눌러도 되나요
택배 조회는 ⟦https://trace.oneulpost.co.kr/?inv=7781⟧ 참고
근데 ⟦nongbu-market.co.kr⟧은 왜 안 열려?
참고: ⟦https://ko.wikipedia.org/wiki/동지⟧ 문서
온라인 예배 ⟦https://live.saesol.org/sunday⟧입니다
전자소송 안내(⟦https://ecase.example.go.kr⟧)를 확인하십시오
푸터: ⓒ2026 달구지 ⟦www.dalguji.kr⟧ All rights reserved
GET ⟦http://api.sandbox-bom.io:8081/v2/users⟧ 500 오류
주소창에 ⟦https://m.ondol-jjim.com/⟧ 치면 나와요
병원 예약 ⟦https://booking.haesong-clinic.kr/dept/ent#am⟧
이 영상 ⟦https://www.youtube.com/watch?v=q1W2e3R4t5Y⟧ 삭제됐네
인스타 대신 ⟦linktr.ee/sori.pottery⟧에 모아 뒀어요
기부금 영수증은 ⟦https://share.namu-gage.org⟧, 문의는 ⟦phone:02-§##-####⟧
채용 상세 ⟦https://career.maru-tech.com/jobs/be-210⟧ (상시)
지도 ⟦https://naver.me/xK9pLq2R⟧ 주차는 뒷골목
위키 ⟦https://namu.wiki/w/%EC%88%98%EC%A0%9C%EB%B9%84⟧ 보고 따라 함
여기⟦http://goo-raffle.xyz⟧는 사기 사이트입니다
관보 게재: ⟦https://gazette.haedoji.kr/2026/03/a.html⟧.
논문 원문은 ⟦https://doi.org/10.5555/korling.2026.41.2⟧에 있다
웹툰 무료보기 ⟦toonmoa99.net⟧ 신고합니다
과제 제출처: ⟦https://lms.saenal.ac.kr/course/view.php?id=904⟧
사이트맵 <loc>⟦https://shop.banjjak.kr/sitemap⟧</loc> 한글 주석 제거
강의 녹화본(⟦https://vod.hanul-edu.com/l/77⟧)은 7일 공개
축제 홈페이지⟦www.eunhaeng-festival.or.kr⟧에서 셔틀 시간 확인
리다이렉트 ⟦https://old.sarang.net⟧ → ⟦https://new.sarang.net⟧
동영상 출처｜⟦https://vimeo.com/551203347⟧
부동산 매물 ⟦https://land.jipbogi.com/a/20931⟧ 실매물 맞나요
입찰 공고 ⟦http://bid.sanup.re.kr/notice/list.do?page=2&cat=goods⟧
청첩장이에요^^ ⟦https://card.daeum.kr/minsu-yuri⟧
나눔글: ⟦https://cafe.daum.net/mommalove/9xQ/210⟧ 선착순
관련 기사 ⟦news.pureun-ilbo.com/society/88123⟧와 비교해 보세요
⟦http://192-168.home-router-help.info⟧ 이런 건 진짜 공유기 페이지가 아님
스팀 페이지는 ⟦https://store.steampowered.com/app/998877⟧이야
채팅 상담은 ⟦https://talk.gachi.io/w/1⟧로 이어집니다
실종 전단 원본 ⟦https://missing.saebyeok.org/p/2026-119⟧
개인정보 처리방침 ⟦https://oreum.jeju.kr/privacy⟧ 제4조
단축주소 ⟦https://url.kr/9xkq2a⟧ / 원래 링크는 만료
앱 설치: ⟦https://play.google.com/store/apps/details?id=kr.bom.diary⟧
서명 운동 ⟦https://www.save-tree.kr⟧ 함께해 주세요!
관리비 조회는 ⟦apti-home.co.kr⟧이나 앱에서 가능
링크 걸어요 👉⟦https://tumblbug.com/hangul-dice⟧👈
문화재 3D 자료 ⟦https://3d.yusan.museum/model/12⟧ 재미있네요
내 포트폴리오 ⟦gaon.dev⟧ 봐 주실 분
테스트 서버 ⟦https://stg.nuri-pay.com/login?next=%2Fhome⟧ 비번 바뀜
맛집 리스트⟦https://map.kakao.com/?q=국밥⟧ 저장해 둠
요금 고지서 확인 ⟦http://www.mulgeul.or.kr/bill⟧, 고객번호 준비
판결문 검색: ⟦https://law.example.or.kr/prec/2023da100⟧
라이브 주소는 「⟦https://chzzk.naver.com/live/abc123⟧」
⟦https://한글도메인.kr/게시판⟧
--
file | setting.json 지우고 재실행하면 됩니다
file | 회의록_v3.docx 첨부가 안 열려요
file | 실행은 run_all.sh, 로그는 out.txt
software | Three.js 배우려는데 순서가 어떻게 되나요
software | ASP.NET Core 8 이관 일정 공유
code | df.groupby.mean 쓰면 경고 떠요
code | console.log 지우고 올려 주세요 제발
abbrev | 오후 3시 p.m. 표기 통일하기
abbrev | A.I. 윤리 교육 신청서
abbrev | B.T.S. 아니고 방탄이라고 불러요
date | 2026.9.24.목.부터 추석 연휴
path | C:\Users\Public\사진 폴더가 비었어요
path | /var/log/syslog 용량 폭주
path | ../src/utils/한글.ts 를 못 찾음
ratio | 16:9 화면비, 4:3 아님
slash list | 국/영/수/탐 중 두 과목 선택
fraction | 1/2컵 + 3/4컵 = 몇 컵이게
version | v3.10.2-rc.1 태그 밀어 주세요
masked | 링크는 운영 정책상 ht**s://*** 로 가려집니다
masked | 신고 주소: [링크 삭제됨]
word only | 홈페이지 주소가 바뀐 것 같아요 안 들어가져요
word only | 프로필 링크 타고 들어가면 구매 가능
score | 4.5.점 만점에 3.8.점 받음
namespace | java.util.concurrent 패키지 공부 중
config | log.level=debug 로 바꾸고 재시작
class | self.model.eval 호출을 빼먹음
elision | 음..글쎄요..아마..내일쯤
section | 제4.2.가.항의 '수급자'를 삭제한다
hash tag | #주말.나들이 #가을.단풍 추천
protocol | https와 http의 차이를 설명하시오 (5점)
protocol | 자물쇠 없는 사이트는 www로 시작해도 조심
unit | 40km/h 구간에서 62km/h로 단속됨
file | backup-2026.tar.gz 압축 풀다 멈춤
css | .btn.primary:hover 색이 안 먹어요
import | from torch.nn import Linear 부터 막힘
emoticon | ://// 오늘 기분 이럼
and or | 보호자 및/또는 법정대리인 서명란
game | 룬.특성.아이템 빌드 추천 좀
brand | 편의점 C.U.와 G.S. 행사 비교
domain term | 최상위 도메인 .kr 등록 건수 통계
domain term | .com과 .net 중 뭐가 나을까요
spec | ISO/IEC 27001 인증 심사 준비
@@ address
배송지 변경: ⟦서울특별시 관악구 봄내로14길 27, 302호⟧ 부탁드려요
물건은 ⟦대전 서구 둔산대로 117번길 8⟧에서 직거래 가능
피고 주소 ⟦경기도 안산시 단원구 초지동 712-4⟧
이사 갑니다~ ⟦인천광역시 부평구 장제로 288, 105동 904호⟧로 우편물 돌려주세요
화재 발생 장소는 ⟦경상북도 구미시 원평동 964-12번지⟧ 자재 창고로 추정
예식장 ⟦부산광역시 동래구 온천천로 61⟧ (주차 200대)
⟦강원특별자치도 속초시 중앙로 183⟧(우리 펜션) 오시면 전화 주세요
방문 수거 ⟦서울 강서구 화곡로 339-1⟧, 벨 고장이니 노크
고지서 송달 장소를 ⟦전북특별자치도 군산시 대학로 75⟧<으로/로> 변경함
본점 소재지 : ⟦광주광역시 북구 첨단과기로 208번길 17-9⟧
신혼집은 ⟦경기 하남시 미사강변대로 95, 1408동 2201호⟧예요 놀러 와
이장님 댁 ⟦전라남도 해남군 송지면 땅끝마을길 42-9⟧ 맞죠?
(발신) ⟦울산광역시 중구 번영로 470⟧ (수신) ⟦경남 김해시 내외로 33⟧
폐업 신고한 점포 위치: ⟦대구 달서구 월배로27길 11⟧
물류센터가 ⟦충청북도 음성군 대소면 대금로 1109-7⟧<으로/로> 옮겼습니다
도로 점용 허가지 ⟦제주특별자치도 제주시 애월읍 광령리 2741⟧
산불 최초 신고 지점 ⟦경상북도 의성군 안평면 괴산리 산 61⟧ 일원
수취인 주소｜⟦세종특별자치시 한누리대로 2130⟧｜부재 시 문 앞
택배 반송 사유: ⟦서울시 성북구 정릉로 77⟧에 그런 사람 없음
저희 농장 ⟦경남 거창군 가조면 지산로 580⟧, 사과 따기 체험 됩니다
제 자취방은⟦서울 동작구 상도로53길 9-16⟧인데 방음이 종이
⟦경기도 평택시 팽성읍 안정로 112, 2층⟧ 네일샵 인수하실 분
구급차 요청 "⟦부산 사하구 다대로 429번길 30⟧ 할머니가 쓰러지셨어요"
경매 물건: ⟦인천 미추홀구 주안동 1415-22⟧ 다세대
교회 이전 예배 안내 ⟦경기도 광명시 오리로 904⟧ 3월 첫 주부터
등본상 ⟦충남 아산시 배방읍 고속철대로 147, 203동 1501호⟧ 세대주 변경
블라인드 시공했습니다 ⟦서울특별시 양천구 목동동로 233⟧ 사장님 만족
응급 왕진 ⟦전라북도 부안군 변산면 격포리 788-3⟧
사고 현장 ⟦경기 용인시 처인구 백옥대로 1280⟧ 앞 횡단보도
우리 집 주소 ⟦강원 원주시 서원대로 406, 1103호⟧야 치킨 시켜 놔
등기부 [토지] ⟦경기도 여주시 점동면 처리 331-5⟧ 답 1,204㎡
착불로 ⟦대구광역시 수성구 달구벌대로 2450⟧ 보내 주시면 됩니다
상가 분양 홍보관=⟦경기도 김포시 김포한강4로 125⟧
⟦부산 금정구 장전동 418-7⟧에 버려진 침대 누구 거예요
투표소 안내, ⟦서울특별시 도봉구 해등로 190⟧ 주민센터 지하
본사 ⟦서울 중구 세종대로 39, 11층⟧ 연구소 ⟦대전광역시 유성구 대덕대로 593⟧
할아버지 묘소는 ⟦경남 합천군 대병면 회양리 산 27-4⟧입니다
주소: ⟦사창로 88번길 5, 1층⟧ 세탁소
설치 주소 ⟦전남 여수시 여문1로 44-2⟧ 인터넷 이전 신청
카페 주소 적어 둠 ⟦제주 서귀포시 안덕면 산방로 141⟧
장례식장 ⟦충청남도 논산시 시민로 294⟧ 발인 토요일 7시
[동네소식] ⟦경기도 부천시 원미구 길주로 210⟧ 앞 신호등 고장
배달 요청사항 - ⟦서울 광진구 자양로18길 40, 지하 1층⟧ - 계단 조심
목격자를 찾습니다. 9일 밤 ⟦경북 경산시 대학로 280⟧ 부근 접촉사고.
전입일 2026.2.1. ⟦서울특별시 금천구 독산동 1008-11⟧
수선집 ⟦인천시 남동구 구월남로 148⟧이 제일 꼼꼼해요
과태료 고지 대상지 ⟦광주 남구 봉선로 164⟧ 불법 광고물
⟦경기도 의정부시 호국로1298번길 52⟧
드론 배송 시범지점: ⟦강원도 영월군 영월읍 단종로 19⟧
우리 학교는 ⟦서울 노원구 동일로 1657⟧에 있고 정문은 뒤쪽입니다
임차목적물=⟦부산광역시 남구 수영로 309, 1507호⟧, 보증금 1억
부고 알림, 빈소 ⟦경상남도 진주시 강남로 79⟧ 장례식장
묘목 주문 ⟦충북 옥천군 이원면 묘목로 107⟧ 김씨네
현장주소가⟦경기 화성시 향남읍 발안로 57⟧이니까 8시까지 오세요
세무서: 사업장 소재지 ⟦대전광역시 동구 계족로 446⟧ 확인 요망
고양이 급식소를 ⟦서울 서대문구 연희로26가길 12⟧에 두었습니다
집주인 거주지 '⟦경기도 남양주시 다산지금로 202⟧'로 내용증명 발송
계약서 교부처/⟦전주시 완산구 홍산로 276⟧/대표 ⟦phone:063-§##-####⟧
수돗물 녹물 민원 ⟦포항시 남구 오천읍 정몽주로 502⟧
원고는 ⟦창원시 마산합포구 해안대로 245⟧에서 식당을 운영하였다.
여기로 와 ⟦천안시 동남구 대흥로 233⟧ 2번 출구 말고
우편엽서 받는 곳: ⟦서울특별시 은평구 통일로 684⟧ 라디오 사연팀
--
bare road | 테헤란로 출근길 오늘 왜 이렇게 막혀요
bare road | 종로3가에서 5호선 갈아타면 됩니다
bare road | 을지로 4가 조명 가게 골목 사진전
bare dong | 성수동 카페 투어 같이 가실 분
bare gil | 망리단길 빵집 순위 정리해 봄
bare gu | 강남구 초등학생 수가 3년째 줄었다
course | 올레길 7코스 17.6km 완주했어요
bridge | 마포대교 남단 정체 2.1km
expressway | 영동고속도로 강릉 방향 152km 지점 사고
line | 지하철 2호선 12-3 문 앞에서 만나
exit | 서울역 11번 출구 흡연부스 철거
weather | 대전 31도, 대구 34도, 부산 28도
score | 서울 2 대 1 전북, 후반 추가시간 극장골
apt area | 59제곱 3억 8천, 84제곱 5억 1천
adverb | 하루 세 번, 식후로 2알씩 드세요
means | 버스로 40분, 걸어서는 2시간
means | 기차로 3시간 10분 걸려 부산에 갔다
floor | 가전은 8층, 식당가는 11층, 주차장은 지하 3층
building | 본관동 2층 대강당에서 입학식
ward | 병동 72병동 14호실 면회는 저녁만
name | 홍길동 1인극, 3월 12일까지 연장
comic | 둘리는 고길동 집에 얹혀산다 40년째
rank | 물가 상승률로 3위, 실업률로 5위
price | 무료로 2장 더 드립니다 선착순
count | 감동 100배, 눈물로 3시간 채운 연극
crosswalk | 신호등 없는 사거리 세 곳에 안내원 배치
forest road | 임도 총연장 25,419km 관리 계획
volume | 조선왕조실록 태종실록 12권 세종로 답사 자료
history | 을사늑약이 맺어진 곳은 덕수궁 중명전이다
novel | 소설 속 무진은 실제 지도에 없는 도시다
runway | 김포공항 14R 활주로 2번 유도로 폐쇄
trail | 둘레길 3구간 8.4km 난이도 중
season | 세종시 공무원 이주율로 90퍼센트 달성
bus | 광역버스 3102번 안산에서 강남까지
region quota | 경기도 31개 시군 중 28곳 참여
place list | 원주·춘천·강릉 순회공연 티켓
idiom | 삼천포로 빠지지 말고 본론 2번부터 말해
lane | 왕복 8차로 중 3차로 통제
park | 올림픽공원 4번 문 앞 집합 10시
dong count | 아파트 12개 동 1,044세대 입주 시작
conversion | 원화로 3만, 엔화로 3천쯤
field | 논 3마지기, 밭 2배미 물려받음
@@ bank_account
회비는 국민은행 ⟦4#####-##-######⟧ 총무 앞으로
입금 계좌 | 신한 | ⟦110-###-######⟧ | 예금주 한가온
월세 이체처 우리은행 ⟦1002-###-######⟧ 매달 5일
축의금은 마음만 받겠습니다만… 농협 ⟦302-####-####-#1⟧
카뱅 ⟦3333-##-#######⟧ 여기로 쏴 줘 치킨값 14,500
환불 계좌를 하나은행 ⟦2##-######-#####⟧<으로/로> 등록했습니다
성금 모금: 기업은행 ⟦###-######-##-###⟧ 예금주 마을자치회
토스뱅크 ⟦1000-####-####⟧에 입금자명 꼭 적어 주세요
선교헌금 계좌 새마을금고 ⟦9002-####-####-#⟧
압류 대상 예금: 채무자 명의 신협 ⟦131-###-######⟧
ㅇㅋ 케뱅 ⟦100-###-######⟧ 보냄?
우체국 ⟦01####-##-######⟧ (장학회)
급여 계좌 변경 신청, 국민 ⟦6#############⟧, 다음 달부터
부산은행⟦101-####-####-##⟧<으로/로> 관리비 자동이체
계좌번호: ⟦356-####-####-#3⟧ (NH)
보이스피싱 사기이용계좌 우리 ⟦1002 ### ######⟧ 지급정지
직거래 말고 택배면 수협 ⟦1010-####-####⟧ 선입금이요
연금 수령 계좌 신한은행 ⟦110–###–######⟧ 맞습니까
"하나 ⟦6##-######-###07⟧" 이 계좌 더치트에 떠요
OCR: 국민은행 ⟦９２####－##－######⟧ 예금주 불명
참가비 3만 원 ▶ 대구은행 ⟦508-##-######-#⟧
아버지 통장번호가 ⟦0##-##-######-#⟧인데 어느 은행일까요
계약금은 매도인 계좌(국민 ⟦8#####-##-######⟧)로 송금한다
법원 보관금 환급 계좌 신한 ⟦110-###-######⟧ 신고
급식비 스쿨뱅킹 농협 ⟦301-####-####-#1⟧ 잔액 확인 요망
SC제일은행 ⟦###-##-######⟧ 해외송금 수취용
잘못 보낸 돈 돌려주세요 카카오뱅크 ⟦3333#########⟧요
토뱅 ⟦1000########⟧ 복사해서 쓰세요
양육비 입금 통장: 우체국 ⟦10#### ## ######⟧
전세금 반환은 기업 ⟦0##-######-01-###⟧<으로/로> 해 주십시오
도매 거래처 결제계좌 [하나 ⟦1##-######-#####⟧] 변경 안내
후원: 우리은행 ⟦1005-###-######⟧ (사)들꽃
알바비 계좌 알려 드려요 신한 ⟦110.###.######⟧ 최도담
카드 대금 출금계좌 ⟦4##-##-####-###⟧ 국민은행
송금 실패 - 새마을 ⟦9003-####-####-#⟧ - 수취인 불일치
국세 환급금 계좌개설신고: 농협 ⟦3520#########⟧
스터디 보증금 2만 원은 케이뱅크 ⟦100-2##-######⟧
하숙비 통장 ⟦512-##-######⟧ 제일은행 하숙집 이모
부의금 계좌 상주 임해솔 국민 ⟦2#####-##-######⟧
기부 계좌 '신협 ⟦132-###-######⟧' 영수증 발급됨
"계좌 ⟦3333-1#-#######⟧ 카카오뱅크 오누리"라고 답장 옴
길드 굿즈 공구 입금 → 토스 ⟦1000-####-####⟧ 닉네임으로
가압류할 채권: 제3채무자 하나은행, 계좌 ⟦7##-######-#####⟧
주차비 입금하세요 기업은행 ⟦010-###-##-#####⟧
원천세 환급 통장 사본(우리 ⟦1002-2##-######⟧)
부녀회 김장 재료비 농협은행 ⟦302-1###-####-#1⟧이에요
전북은행 ⟦1021-##-#######⟧<으로/로> 등록금 분납
받는 통장 광주은행⟦1107-###-######⟧김하람
제주은행 ⟦60-##-######⟧ 감귤값 보내 주시면 발송
이체 메모: 국민⟦7#####-##-######⟧ 회식 1/n
경남은행 ⟦2070-####-####⟧ 명의자 확인 필요
씨티 ⟦###-######-###⟧ 은행 계좌 해지 예정
산업은행 ⟦020-########-###⟧ 장기예금
강의료는 신한 계좌 ⟦110－###－######⟧<으로/로> 받겠습니다
계좌이체 부탁: 우체국은행 ⟦50####-##-######⟧
중고책 두 권 12,000원, 카뱅 ⟦3355-##-#######⟧
사고 합의금 수령 계좌 국민은행 ⟦5#####-##-######⟧ 및 연락처 ⟦phone:010-§###-####⟧
수학여행비 미납자 안내 농협 ⟦1##-01-######⟧
은행명 IBK / 계좌 ⟦0##-######-04-###⟧ / 예금주 보늬상사
재난지원금 수령 계좌(하나) ⟦3##-######-##107⟧
하나은행 ⟦9##-######-#####⟧
--
order | 국민은행 사거리점 주문번호 20261-0442-118 조리 완료
queue | 은행 창구 대기번호 117번, 앞에 23명
ticket | 농협 하나로마트 영수증 No. 0318-22-004917
rate | 신한은행 정기예금 3.45%, 우대 0.3%p
interest | 대출 이자 412,330원 3월 17일 인출 예정
date | 우체국 예금 만기 2027-04-18 자동 해지
share | 하나금융지주 종가 61,200 (+1.32%)
branch | 기업은행 지점 번호 114, 영업점장 면담
tracking | 우체국 등기 1430-2077-51883 배달 완료
limits | 1일 이체한도 5,000,000원 1회 1,000,000원
masked | 출금계좌 국민 ****-**-**7712 확인
masked | 신한 110-***-***** 통장으로 들어갑니다
swift | 국제송금 SWIFT 코드는 SHBKKRSE 입니다
word only | 계좌번호 잘못 적어서 월급이 안 들어왔어요
word only | 통장 사본은 카톡으로 받을게요
vote | 농협 조합장 선거 1번 482표 2번 517표
exam | 우리은행 공채 필기 커트라인 62.5점
law | 금융실명법 제4조제1항 위반 여부
case | 2023나20417 예금반환 청구 항소 기각
amount | 잔액 1,002,334,120원이라니 꿈이겠지
insurance | 신협 공제증서 제2026-1183호 발급
model | 카드리더기 KB-6100-32-880 호환되나요
isbn | 은행나무 출판사 ISBN 979-11-6737-488-6
atm | 토스 ATM 기기번호 C-0927 먹통
score | 우리은행 71-64 승리, 3연승 질주
product | 적금 상품코드 0011-2305 가입 마감
time | 은행 영업시간 09:00~16:00, 점심 교대
population | 새마을금고 회원 2,314,902명 돌파
lotto bank | 농협 본점에서 당첨금 2,014,338,750원 수령
hours | 카카오뱅크 점검 00:30-05:30 접속 불가
fund | 펀드 기준가 1,003.27 설정액 338억
receipt | 입금 확인 번호 88-201 창구 제출
period | 적립 기간 2024.03-2027.03 36개월
address word | 국민은행 앞 버스정류장 23-417 정류소
coin | 비트코인 110,334,000원 돌파 신기록
file | 통장정리_2026-01.xlsx 열어 보세요
joke | 내 통장은 텅장 0원 0원 0원
question | 하나은행 숫자 8자리 비번은 왜 안 돼요
meeting | 수협 총회 자료집 100-118쪽
stamp | 우체국 기념우표 No.3702-3705 발행
parking | 은행 주차 2시간 무료, 이후 10분 500원
@@ passport
여권번호 ⟦M########⟧ 만료일 확인해 주세요
예약자 HAN/GAON 여권 ⟦M###A####⟧ KE 탑승 예정
비자 신청서 Passport No. ⟦M########⟧
여권을 잃어버렸는데 번호는 ⟦M###C####⟧<이에요/예요> 대사관 가면 되나요
출국금지 대상 여권(⟦M########⟧)
면세점 구매자 정보 | ⟦M########⟧ | 출국 14:20
제 여권 ⟦m########⟧ 소문자로 넣어도 되나요?
긴급여권 ⟦S########⟧ 발급 완료
수하물 분실 신고 - 여권번호:⟦M###K####⟧
관용여권 번호 ⟦G########⟧ 반납하였음
여권번호가⟦M########⟧인데 글자 O랑 숫자 0이 헷갈려요
단체 항공권 명단 3번 ⟦M###D####⟧ 여 1988
[여행사] 고객님 여권 ⟦M########⟧<으로/로> 발권했습니다
여권 스캔 결과 "⟦M###B####⟧" 판독률 97%
호텔 체크인용 여권번호 ⟦M########⟧ 캡처 보냄
출입국 사실증명: 여권 ⟦M########⟧ 2019년 이후 내역
신규여권 ⟦M###E####⟧, 구여권 ⟦M########⟧
여권 분실자: 이나래 (⟦M########⟧)
피의자는 타인 명의 여권 ⟦M########⟧<을/를> 제시하였다
유심 수령자 여권번호 뒤까지 적어요? ⟦M###F####⟧ 이렇게?
거주여권 ⟦R########⟧ 소지 재외국민
수학여행(오사카) 여권 수합: 2반 11번 ⟦M###H####⟧
외교관여권 ⟦D########⟧ 유효기간 5년
여권번호＝⟦Ｍ########⟧ 전각 오류
선교팀 여권 명단 박보늬 ⟦M########⟧ 정새벽 ⟦M###J####⟧
passport: ⟦M########⟧ / nationality: KOR / 생년 1990
여권 사본의 번호 '⟦M###L####⟧'와 예약번호가 다릅니다
크루즈 승객 여권⟦M########⟧선실 배정 완료
가이드님 제 여권 번호 ⟦m###n####⟧ 늦어서 죄송해요
여권정보증명서 발급: ⟦M########⟧ 1통
ESTA 입력할 때 여권번호 ⟦M###N####⟧ 맞게 썼는데 거절
공항 안내데스크에서 ⟦M########⟧ 여권 보관 중입니다
사증 신청 접수｜여권｜⟦M###P####⟧｜심사중
온라인 면세 회원 여권 ⟦M########⟧·출국일 6/2
해외직구 통관에 여권번호 ⟦M########⟧ 넣어도 돼요?
여권 재발급 전 번호는 ⟦M########⟧, 지금은 몰라요
영사관 회신: 귀하의 여권(번호 ⟦M###R####⟧)은 무효 처리
한국 여권 소지자 ⟦M###S####⟧님 탑승구 변경
렌터카 예약에 여권번호⟦M########⟧<을/를> 요구하네요
경유 비자 면제 확인 여권 ⟦M########⟧ 끝
피해자 여권 ⟦M###T####⟧<이/가> 숙소 금고에서 발견되었다
환전소에서 여권 ⟦M########⟧ 번호만 적고 갔음
[공지] 연수단 여권번호 오기 정정: ⟦M###U####⟧
여행자보험 증서상 여권번호는 ⟦M########⟧입니다
항공사 채팅: 여권 ⟦M###V####⟧ 로 APIS 등록해 주세요
「여권 ⟦M########⟧」습득자 연락 바람 ⟦phone:010-§###-####⟧
대회 참가 선수 여권번호 ⟦M###W####⟧ 제출 완료
한인회 긴급지원 명단 ① 여권 ⟦M########⟧
출국 심사대에서 여권 ⟦M###Y####⟧ 칩 인식 불가
로밍 신청 본인확인 여권번호/⟦M########⟧/성공
예약번호 말고 여권번호 알려 주세요 → ⟦M########⟧요
소송서류: 피고 여권 ⟦M###Z####⟧ 외국 송달
어머니 여권 번호 ⟦M########⟧ 영문 성 KIM
세관 신고서 작성자 여권 No.⟦M###X####⟧
도난 여권 목록에 ⟦M########⟧<이/가> 등재됨
탑승객 ⟦M###Q####⟧ 여권 유효기간 6개월 미만
pp no ⟦M########⟧ (여권) 호텔 바우처 재발행
김하람 여권번호는⟦M###G####⟧고 영문명은 그대로
결혼이민 초청장 초청인 여권 ⟦M########⟧
mrz 아래 줄 판독: 여권 ⟦M########⟧ KOR
여권 번호? ⟦M###A####⟧
⟦M########⟧ 여권입니다
--
model | 모니터 S27R650 스탠드 나사 규격
part | 엔진 부품 M10X1.25 볼트 8개
ship | 군함 PCC-772 추모식
tank | M48A5K 전차 퇴역 행사
rifle | M16A1 분해조립 45초 컷
bus | M6427 광역버스 배차 15분
space | M104 솜브레로 은하 촬영 성공
chem | 시약 M9272 과황산칼륨 100g
size | 티셔츠 M95 L100 XL105 재고
road | 영국 M25 고속도로 정체 유명
order | 주문 S20260314 접수되었습니다
lot | LOT M260418B 유통기한 2028
screw | M3x8mm 접시머리 200개 발주
word only | 여권 번호 어디에 적혀 있는지 모르겠어요
word only | 여권 사진 규격 3.5x4.5cm 귀 보이게
masked | 여권 M******** 로 가려서 보내 주세요
masked | 여권번호 M123*****까지만 보입니다
ranking | 한국 여권 파워 2위, 무비자 192개국
fee | 여권 10년 58면 수수료 5만 원
gate | 탑승구 M12에서 M18로 변경
course | 과목코드 MAT2410, PHY1022 수강 정정
coupon | 쿠폰 SUMMER2026 등록 오류
stock | 종목 A005930, 거래정지 아님
chip | 애플 M4 Pro 14코어 벤치 22,530점
magnitude | 규모 M6.2 지진, 진원 깊이 10km
camera | EOS M50 번들 15-45 팝니다
galaxy | 갤럭시 SM-S928N 액정 수리비
train | 화물열차 D7402 기관차 고장
keyboard | 키보드 G913 TKL 텐키리스 중고
drug | 임상 시험약 R2810-ONC 3상
blood | 수혈팩 O형 RBC 320mL 2단위
bond | 채권 KR6000M 표면금리 3.25%
badge | 사번 S1024는 퇴사 처리됐습니다
song | 마이클 잭슨 M은 몇 집이더라 3집인가
license | 자격증 제2026-M-0412호 갱신
seat | 공연장 R석 12열 M구역 33번
vitamin | 비타민 D3 5000IU 하루 한 알
bike | BMW R1250GS 시승기
fed | 통화량 M2 4,100조 돌파
dinosaur | 표본번호 GCF-VP-M207 수장고 이동
clause | 약관 M-3조 2항 면책
@@ driver_license
운전면허번호 ⟦11-91-######-##⟧ 갱신 안내
렌터카 인수자 면허 ⟦13-04-######-##⟧ 1종 보통
면허증 주웠어요 번호가 ⟦12-87-######-##⟧네요
적성검사 대상 ⟦16-12-######-##⟧ 김씨, 기한 12월
면허정지 처분 통지: 운전면허 ⟦서울 98-######-##⟧
카셰어링 가입 면허 인증 실패 ⟦26-19-######-##⟧
대리기사 등록 | ⟦경기 05-######-##⟧ | 경력 8년
음주 측정 거부, 면허번호 {lic:–}
2종 보통 ⟦17-98-######-##⟧<으로/로> 트럭 몰아도 돼요?
면허번호:{lic:}
국제면허 신청자 국내면허 ⟦18-23-######-##⟧
"면허 ⟦부산 11-######-##⟧ 조회가 안 됩니다"
교통범칙금 스티커 면허란에 ⟦19-06-######-##⟧
쏘카 등록하려는데 면허 {lic: } 형식 오류래요
피고인은 자동차운전면허(⟦20-15-######-##⟧) 없이 운전하였다
통학버스 기사 면허증 사본 - {lic} - 대형
경찰청 교통민원: 면허번호 {lic:－} 벌점 15점
면허번호⟦21-83-######-##⟧입니다 재발급은 온라인으로 했어요
⟦대구 87-######-##⟧ 옛날 면허증 버려도 되나요
운전자 보험 가입 면허 {lic:w}
화물운송 종사 자격 확인: 운전면허 {lic}
도로주행 합격 후 받은 번호 ⟦14-26-######-##⟧ 면허증 예쁘다
중고차 시승 동의서 / 면허 {lic} / 시승 20분
무면허 아님, {lic} 면허 유효함
오토바이 면허 ⟦22-01-######-##⟧ 2종 소형
면허증 갱신하려는데 암호일련번호 말고 ⟦23-20-######-##⟧ 넣는 거죠?
[습득물] 운전면허증 {lic} 관리실 보관
택시회사 입사지원: 면허 ⟦충남 01-######-##⟧ 무사고
면허 취소자 명단 {lic}, {lic}
킥보드 앱에 면허 ⟦24-95-######-##⟧ 등록했는데 거절
선박 아니고 자동차 운전면허 {lic}<을/를> 적으세요
사고 가해 차량 운전자 면허번호 ⟦25-09-######-##⟧ 확인함
교회 승합차 봉사자 면허 {lic} 1종
학원 셔틀 지원｜면허｜⟦15-17-######-##⟧｜동승 가능
영문면허 발급 {lic} 뒷면 확인
면허증번호 ⟦전남 93-######-##⟧, 적성 기간 지남
운전연수 수강생 면허 ⟦28-24-######-##⟧ 장롱 12년
면허 자진 반납 어르신: {lic}
"제 운전면허가 {lic}인데 벌점 몇 점이죠"
보험 대차 차량 운전자 면허{lic}
운전면허 경력증명서 {lic} 2통 발급
배달앱 라이더 면허 재인증 ⟦경북 17-######-##⟧
단속 경찰관이 면허 {lic:–}<을/를> 조회하였다
면허증 사진에서 읽음: {lic: } 판독 성공
면허 조건 A(자동변속) 표기, 번호 {lic}
외국 면허 교환 → 국내 운전면허 ⟦11-25-######-##⟧ 발급
트럭 지입 계약 을의 운전면허: ⟦인천 09-######-##⟧.
면허번호 끝자리만 달라요 {lic} 다시 봐 주세요
캠핑카 대여 신청 면허 {lic}·만 26세 이상
지게차는 건설기계 면허고 이건 운전면허 {lic}
면허 번호 {lic:} 붙여 쓰면 12자리
운전기사 모집 지원서 면허 {lic} 연락처 ⟦phone:010-§###-####⟧
동생 면허 ⟦강원20-######-##⟧<으로/로> 빌렸다가 걸림
수시적성검사 통보 대상 운전면허 ⟦제주 88-######-##⟧
면허 갱신 미필 과태료 2만 원, {lic}
주민 {rrn}, 운전면허 {lic}
모의 신분증 아님! 진짜 면허 {lic}<이/가> 찍힌 사진을 올리셨어요
대여 거절 고객 면허번호 = {lic}
면허증 뒷자리 포함 전부: ⟦13-20-######-##⟧
특수면허 견인 {lic} 자격수당 10만
⟦12-18-######-##⟧ 운전면허 소지
{lic} 면허번호 확인
--
order | 주문번호 11-26-004812-07 픽업대에서 찾으세요
doc | 문서 관리번호 13-04-118820-01 보존 5년
wrong region | 입력값 97-12-334455-66은 관리대장 순번입니다
date | 기간 26-11-20부터 26-12-24까지
receipt | 영수증 21-03-000412-11 교환 기한 7일
word only | 운전면허 필기 38번 문제 답이 왜 2번이죠
word only | 면허 딴 지 3일 됐어요 초보입니다
stats | 1종 1,204명, 2종 8,817명 응시
score | 도로주행 78점, 장내기능 95점
fee | 면허 재발급 10,000원, 모바일 15,000원
masked | 면허 11-**-******-** 로 저장됩니다
masked | 면허번호 서울 **-******-** 노출 없음
placeholder | 면허번호는 숫자 12자리(지역-연도-일련-검증) 입력
region score | 서울 98-87 승, 부산 76-80 패
region range | 경기 05-11월 가뭄, 강원 06-08월 폭우
asset | 자산태그 14-19-220011-3A 폐기
law | 도로교통법 제80조, 시행규칙 제53조
case | 대구지법 2025고단1120 무면허운전
tracking | 송장번호 1126-0048-1207 집하
time code | 편집 지점 11:24:40:12 컷
timestamp | 백업 시각 261120143055 완료
lotto | 보너스 포함 11-14-20-26-28-33 당첨자 없음
part | 밸브 품번 12-40-778120-55 단종
schedule | 경기 시작 12-13시, 14-15시, 16-17시
boxing | 전적 22승 1무 3패 18KO
class | 3학년 11반 26번, 상담 24일
zip file | 20-15-자료집.zip 압축 암호 있음
section | 설계기준 KDS 24 12 21 적용
catalog | 카탈로그 23-17-P112 벽등
region price | 충남 12-15만 원, 전북 11-13만 원대
ruler | 눈금 11-12-13-14cm 사이
stock code | 재고코드 25-88-K20177-04 반품
wind | 부산 10-14m/s, 제주 16-20m/s 강풍
temperature | 서울 21-29도, 인천 20-27도
exam | 기사 실기 회차 24-3-112, 합격률 31%
quarter | 실적 25-4분기 22-1분기 비교
game | 스킬트리 11-12-16-20 찍고 나머지 방어
apt | 112-1804 현관 비밀번호 초기화 세대
vote | 서울 11-48번 투표함 봉인 확인
ticket | 좌석권 16-04-B 3열
history | 1912-1926년 신문 마이크로필름
@@ business_number
사업자등록번호 {biz} 상호 달맞이분식
푸터 ⓒ 봄날상회 | 대표 서마루 | {biz}
세금계산서 공급자 {biz}, 공급받는자 {biz}
사업자번호 {biz:}<으로/로> 조회하니 폐업자래요
영수증 맨 위에 {biz}<이라고/라고> 찍힘
(주)가온푸드({biz}) 대표이사 귀하
현금영수증 지출증빙 번호 {biz:} 사업자로요
통신판매업 신고업체, 사업자 {biz:–}
거래처 등록｜{biz}｜도소매｜잡화
사업자등록증 사본의 번호가 {biz:－} 맞나요
휴업 중인 업체 {biz}입니다
"{biz}" 이 사업자 블로그 후기 다 광고임
배민 입점 서류: 사업자등록번호 {biz}, 영업신고증
원천징수의무자 사업자번호 {biz: }
입찰 참가 자격 — {biz} — 부정당업자 아님
개인사업자 {biz}의 종합소득세 신고 안내
법인 사업자번호는{biz}입니다 계약서에 넣어 주세요
카드 가맹점 등록번호 말고 사업자번호: {biz}
교회 고유번호증 {biz:82}, 대표자 담임목사
세무서장은 사업자({biz})의 등록을 말소하였다
간이과세자 {biz} 부가세 면제인가요
중고나라 업자 인증 {biz:w} 사업자등록번호 전각 입력
쇼핑몰 하단에 사업자등록번호가 {biz}<이라고/라고> 적혀 있어요
하도급 계약 수급사업자: 별하건설 {biz}
급여대장 / 사업장 {biz} / 10인 미만
전자세금계산서 발급 오류: 사업자번호 {biz} 미등록
안녕하세요 꽃집입니다 {biz} 사업자통장 있어요
회사명=다솜기획;사업자번호={biz}
지점 사업자등록번호 {biz}, 본점 {biz}
공급자 등록번호 [{biz}] 업태 제조
체납 사업자 {biz}에 대한 압류 통지
식자재 외상 장부 사업자 {biz} 미수금 84만
임차인은 사업자등록({biz})을 마친 자로 대항력이 있다
면세점 등록증 사업자 {biz:–}, 태극상사
견적서 하단 ▷ {biz} ▷ 누리철물
부동산 중개사무소 사업자등록번호 {biz} 개설등록 완료
프리랜서라 사업자번호 없고 회사 건 {biz}<이에요/예요>
홈택스 조회 결과 {biz} : 계속사업자
스마트스토어 판매자 정보에서 사업자등록번호 {biz} 확인
학원 사업자 {biz} 수강료 영수증
사업자등록번호: {bizx} (숫자가 맞지 않는다는 메시지가 떠요)
배달대행 지사 {biz} 산재 가입 사업장
가맹사업자 {biz} 폐점 신고
식당 사업자 번호 {biz:}, 대표 번호 ⟦phone:02-§##-####⟧
포스기 설정: 가맹점 사업자번호 {biz}
고용보험 사업장관리번호 앞부분 사업자등록번호 {biz} 입력
유치원 고유번호 {biz:80} 세입 세출
협력업체 명부 1. 온누리전기 {biz} 2. 별빛조명 {biz}
사업자등록번호 {bizx} 오타인 듯 다시 보내 주세요
발주서 귀사 사업자번호 {biz}<을/를> 기재 바랍니다
미용실 양도합니다 사업자등록번호는 {biz}, 권리금 별도
간판집 사장님 명함 {biz} 사업자
농업회사법인 흙사랑 ( {biz} )
수출신고 대행 업체 사업자 {biz}/과세
굿즈 제작 업체 {biz} 믿을 만한가요? 사업자 조회는 정상
상품권 깡 업자 사업자등록번호 {biz} 제보합니다
비영리단체 고유번호 {biz:82} 기부금 단체
쿠팡 판매자 '하늘유통' {biz} 연락 두절
태양광 발전사업자 {biz} REC 거래
정기 구독 해지하려면 사업자 {biz} 고객센터로
{biz}
--
order | 접수번호 214-07-88120 민원 처리 중
part | 품번 312-44-10087 베어링 재고 2개
receipt | 계산서 아님 주문서 105-33-20194 확인
serial | 시리얼 620-11-00394 보증 종료
score | 팀 기록 101-98, 88-92, 105-110
date | 행사일 126-03-15는 연도 오타입니다
isbn | ISBN 89-7012-334-X 초판본
placeholder | 연장 신청 120-00-00000 은 빈 서식의 보기 값
tracking | 택배 송장 4821-0093-7716 조회 실패
unix | 로그 시각 1769412385 이후 중단
zip | 우편번호 04524, 06164, 13494 정렬
word only | 사업자등록번호 없이도 현금영수증 되나요
word only | 사업자 낼 때 업종코드 뭘로 해야 하나요
industry code | 업종코드 525101 전자상거래 소매업
law | 부가가치세법 제8조제1항에 따라 등록
case | 조심 2024서1187 결정 인용
tax | 매출 120,450,000 매입 87,330,100 납부 3,311,990
stock | 상장주식 5,969,782,550주 유통 중
width | 규격 300-40-12000mm 각재
exam | 세무사 1차 평균 51.22 과락 40
range | 과세표준 1,400-5,000만 원 구간 15%
masked | 사업자 ***-**-***** 비공개 처리
placeholder | 사업자번호는 3자리-2자리-5자리로 적으세요
document | 문서번호 세정과-10481 (2026.1.9.)
hs | HS코드 0901.21-0000 볶은 커피
license | 통신판매업신고 제2026-서울마포-0412호
food | 식품제조 품목보고번호 19980416001-24
company count | 사업자 단체 214곳, 회원사 31,077개
ratio | 부채비율 214-187-162% 3년 연속 하락
budget | 예산 과목 210-01 일반수용비
class code | 분류 811-32-00014 도서 대출 연체
drug | 약품코드 643-90-0211 급여 중지
area | 대지 330.5㎡, 건폐율 59.81%, 용적률 214.07%
bus | 142-01번 정류소 폐지 안내
invoice | 거래명세표 No. 107-21 (12월분)
lotto | 2등 번호 10-17-22-31-35-42 보너스 8
member | 포인트 회원번호 402-55-71930 등급 실버
aircraft | 보잉 737-800, 787-9, 777-300ER
coin | 적립 코인 101.25.33100 표시 오류
patent | 디자인등록 제30-1182204호
@@ health_insurance
건강보험증 번호 ⟦1-##########⟧ 피부양자 2명
건보 증번호 ⟦2-##########⟧<으로/로> 자격 조회했습니다
보험증 ⟦1##########⟧ 하이픈 없이 입력하세요
병원 접수: 건강보험증번호 ⟦3-##########⟧
증번호｜⟦5-##########⟧｜직장가입자
"건강보험 증번호 ⟦1-##########⟧ 맞으세요?" 원무과에서 물음
지역가입자 건강보험증(⟦7-##########⟧) 분실
건강보험증 번호가⟦1-##########⟧<이에요/예요> 아이도 같은 번호죠?
자격득실확인서 증번호: ⟦2–##########⟧
건보 자격상실자 보험증 번호 ⟦6-##########⟧ 반납 요망
피부양자 등록 완료, 건강보험증 ⟦1－##########⟧
검진 예약 정보 증번호 ⟦8-##########⟧ 공복 8시간
요양급여의뢰서 / 건강보험증번호 / ⟦1-##########⟧ / 내과
건보증번호 ⟦9##########⟧ 오타 아님
회사 옮기면 건강보험증 번호 ⟦1-##########⟧도 바뀌나요
보험증번호 '⟦2-##########⟧' 으로 약국에서 조회됨
체납자 건강보험증 ⟦5-##########⟧ 급여제한 예고
증번호 ⟦１－##########⟧ (전각 입력 주의, 건강보험)
입원 환자 건보 ⟦1-##########⟧ 보호자 서명
건강보험증 앞면: ⟦1-##########⟧ 사업장 한빛마루
산정특례 등록신청서 건강보험증 번호 ⟦3-##########⟧
할머니 보험증 ⟦7-##########⟧ 사진 보내 드려요
영유아검진 대상 증번호 ⟦1-##########⟧, 생후 18개월
급식비 지원 서류에 건강보험증번호 ⟦2-##########⟧ 적기
국민건강보험공단: 증번호 ⟦1-##########⟧의 보험료가 조정됩니다
치과 스케일링 적용 건강보험증 ⟦6-##########⟧ 올해 1회
건강보험증 재발급 신청 ▷ ⟦1-##########⟧ ▷ 우편
퇴사자 건보 증번호=⟦1##########⟧
간병비 청구 서식: 보험증 ⟦5-##########⟧ 병명 생략
"내 건강보험증 번호? ⟦1-##########⟧" 하고 외우시더라
대학병원 초진 등록 건강보험증번호 ⟦2-##########⟧, 연락처 ⟦phone:010-§###-####⟧
외국인 건강보험증 ⟦8-##########⟧ 지역가입 당연적용
증번호 ⟦1-##########⟧ 건보료 미납 3개월
소득공제용 납부확인서(건강보험증번호 ⟦3-##########⟧)
응급실 키오스크에 건강보험증 ⟦1-##########⟧ 찍으라네요
임신 바우처 신청: 건강보험증 번호 [⟦1-##########⟧]
보험증에 적힌 ⟦2-##########⟧번이 가입자 번호예요
장기요양 인정신청 건강보험증번호는 ⟦7-##########⟧임
가족 합산 증번호 ⟦1-##########⟧ 와 ⟦5-##########⟧ 건강보험
건강보험증 번호 ⟦1 ##########⟧ 띄어 쓴 것도 되나요
약제비 본인부담 환급 건보 증번호⟦6-##########⟧대상
교통사고라 건강보험증 ⟦1-##########⟧ 접수 취소
직장가입자증 아니고 건강보험증번호:⟦1-##########⟧
교회 의료봉사 문진표 보험증 번호 ⟦2-##########⟧
건강보험 자격확인서 발급번호 아님, 증번호가 ⟦9-##########⟧
보험증 OCR → ⟦1-##########⟧ (건강보험)
한의원 첩약 시범사업 건강보험증 ⟦3-##########⟧ 급여
실업자 임의계속가입 증번호 ⟦1-##########⟧ 36개월
원무 메모. 건강보험증 ⟦5-##########⟧. 차상위 확인.
건보공단 상담 채팅에 증번호 ⟦1-##########⟧<을/를> 남겼다
학교 보건실 제출: 건강보험증번호 ⟦2-##########⟧ 사본
주민 {rrn} 건강보험증 ⟦1-##########⟧
보험증번호 확인 요청드립니다 ⟦7-##########⟧이고 세대주는 아버지예요
본인부담상한제 안내문 건강보험증 ⟦8-##########⟧ 귀하
틀니 등록 건강보험증번호 ⟦1-##########⟧ 만 65세
보험증 분실… 번호는 사진첩에 ⟦1-##########⟧ 있음 건강보험 맞죠
간호간병 병동 입원서약 / 건보 ⟦2-##########⟧
건강보험증(증번호 ⟦6-##########⟧) 도용 신고합니다
"증번호:⟦1-##########⟧" 스티커가 붙은 건강보험 서류철
자동차보험 말고 건강보험증 번호 ⟦3-##########⟧
중증환자 등록 확인 건강보험증 ⟦1-##########⟧
증번호 ⟦1-##########⟧ 건강보험
--
amount | 건강보험료 8월분 143,270원 자동이체
rate | 건보료율 7.09%, 장기요양 12.95%
word only | 건강보험증 없이도 진료되나요?
word only | 증번호가 뭔지 몰라서 그냥 왔어요
masked | 건강보험증 1-********** 은 가려 둡니다
placeholder | 건강보험증 번호는 1자리-10자리로 되어 있습니다
order | 주문번호 2-2026031188 배송 준비
tracking | 등기 1-4408812093 반송 예정이랍니다 우체국
serial | 제품 시리얼 5-0093817722 보증 등록
law | 국민건강보험법 제57조 부당이득 징수
date | 건강보험 자격취득 2026-03-02, 상실 2026-08-31
call center | 건보공단 대기 인원 37명, 예상 12분
count | 가입자 51,453,055명, 피부양자 16,779,000명
grade | 건보 소득분위 3-5분위 대상
article | 고시 제2026-14호 급여기준 개정
exam | 건강검진 공복혈당 103, 총콜레스테롤 214
code | 질병코드 J20.9 급성기관지염 청구
edi | EDI 수가코드 AA154 재진진찰료
receipt | 진료비 영수증 제20260118-0042호
room | 병실 7-12호, 면회 1-2명만
dose | 약 1-2정씩 4-6시간 간격
scale | 통증 점수 1-10 중 7
insurer | 실손보험 증권 L-20190412-77 갱신
schedule | 독감 접종 10-11월, 1-2차 간격 4주
book | 건강보험 실무 1-3권 세트 가격
statistics | 건보 재정 1-9월 누계 1조 2,004억 흑자
code2 | 요양기관기호 12345678은 예시입니다
barcode | 약 상자 바코드 8806469007114 인식
plan | 건강보험 종합계획 2-2-1 과제 점검
phone menu | 상담 메뉴 1-3-0번 누르면 연결
unixtime | 로그 1-1760000000 이상치 제거
asset | 병원 장비번호 3-0000123450 교정 완료
member | 헬스장 회원번호 1-2024050013 만료
library | 도서 등록번호 2-0001984410 분실 처리
lottery | 추첨번호 1-0000000777 꽝이네요
stock | 의약품 재고 1,200-1,350정
vote | 의사협회 투표 1번 4,120 2번 3,988
ticket | 진료 대기표 1-034 호출
cause | 사인 통계 1위 암, 2-3위 심장·폐렴
height | 신장 164.2-171.8cm, 체중 58-63kg
team | 의료노조 1-2지부 교섭 타결
blood type | 수혈 기록 1-2번 백 교체
test | 연습용 카드에 1-가나다라마 라고 적음
period | 요양 기간 1-12주 산재 승인
version | 건보 앱 1.10.2310 업데이트
page | 건강보험 통계연보 1-1204쪽
@@ card
카드번호 {card} 결제 취소해 주세요
정기결제 카드 변경: {card}, 유효기간은 앱에서
분실카드 신고 접수 {card} 즉시 정지
신용카드 {card:} 할부 3개월 승인
카드 앞면 사진 올렸더니 {card: } 다 보이네요 가려야 하나
법인카드 {card} 사용 내역 소명
"{card}" 이거 누구 카드죠? 계산대에 두고 가셨어요
체크카드{card:–}<이/가> ATM에 먹혔습니다
카드번호:{card:w}
가족카드 {card} 한도 50만
매출전표 카드번호 {card:}, 승인 00412933
스팸 문자에 제 카드 {card}까지 적혀 있음 소름
결제수단 | 신용카드 | {card} | 일시불
후불교통 카드 {card: } 청구
도난 카드({card})로 결제된 금액 1,204,000원
카드번호가{card}인데 자꾸 유효하지 않대요
(법원) 피고인은 타인의 신용카드 {card}<을/를> 사용하였다
해외결제 차단 요청 카드 {card:－}
아멕스 {amex} 연회비 환불
카드 재발급 전 {card}, 후 {card}
기프트카드 {card} 잔액 7,300원
구독 결제 실패 - {card} - 한도 초과
호텔 디파짓 보증용 카드 {card}, CVC는 안 보냄
국민행복카드 {card}<으로/로> 바우처 결제
온누리 충전카드 번호 {card:.} 등록
카드사 상담원: 끝자리 말고 전체 번호 {card} 불러 주셨어요
헌금 자동이체 카드 {card} 변경 신청서
아이템 현질한 카드 {card:}, 부모님 카드래요
결제 로그 pan={card:} 평문이라 마스킹 필요
법카 {card}·법카 {card} 두 장 반납
카드 {card}(비씨)로 관리비 납부
아버지 카드번호는 {card}입니다 자동납부 등록요
택시 앱 등록 카드 {card} 삭제 안 됨
다이너스 {diners} 라운지 이용
카드번호 입력칸에 {card: } 치면 오류 E41
피싱 사이트에 카드 {card} 넣었어요 어떡하죠
카드번호 {cardx} 인데 마지막 자리 맞아요?
주유 할인카드 {card} 포인트 합산
렌터카 보증금 카드 {card} 선승인 30만
학원비 결제 [{card}] 환불은 카드 취소
[카드도용] {card}<으로/로> 새벽 4시 결제 시도
복지카드 {card:–} 바우처 잔액
카드 배송 반송, 카드번호 {card}
체크카드 번호 {card}, 계좌는 국민 ⟦bank_account:5#####-##-######⟧
콜센터 채팅: "카드 {card} 맞고요 본인입니다"
선불카드 {card:} 등록 실패
해지한 카드 {card}<으로/로> 자동결제가 또 나갔어요
카드번호 『{card}』 유출 의심 공지
비자 카드 {card:v} 해외 승인 거절
마스터카드 {card:m} 는 되는데 왜 저건 안 되죠
영수증 스캔: 카드 {card: } 승인 6600
배민 결제 카드 등록 {card} 완료
상품권 구매 카드 {card}/비밀번호 앞 두 자리 안 적음
아멕스 카드 {amex:} 온라인 결제 막힘
카드단말기 테스트 하다 찍힌 실카드 {card} 삭제 요망
카드번호 {cardx}<은/는> 없는 번호라고 나옵니다
병원비 카드 {card} 무이자 6개월
후원 결제 카드 정보 {card:－}, 매월 10일
{card} 카드 정지 요청
여행사 대납 카드 {amex: } 승인 완료
분실 지갑 안에 신용카드 {card} 외 2장
{card}
--
order | 주문번호 {card} 배송 조회
order | 주문번호 4210-7788-0031-5520 부분 취소
tracking | 운송장번호 6012-3345-9087-1122 집하 지연
serial | 정품 인증 시리얼 5512 0098 3347 1200 등록
coupon | 쿠폰번호 3344-ABCD-5566-EFGH 사용 완료
gift pin | 도서 교환 코드 7781-2290-4431 유효 30일
barcode | 바코드 9791187150435 찍으면 품절
isbn | ISBN 979-11-6050-443-9 개정판 나왔나요
year list | 우승 연도 1998-2002-2006-2010-2014
amount | 결제 금액 4,512,300원 12개월 할부
masked | 카드 5412-****-****-9903 승인
masked | 신한카드 ****-****-****-0172 결제 예정
placeholder | 카드번호 XXXX-XXXX-XXXX-XXXX 꼴로 입력
word only | 카드번호 앞 여섯 자리만 알려 주시면 됩니다
word only | 카드를 잃어버려서 정지했어요
fee | 연회비 국내 15,000 해외겸용 18,000
game card | 트레이딩 카드 PSA 10, 넘버링 037/150
card news | 카드뉴스 12장 분량 시안 공유
yellow card | 옐로카드 4장 누적, 5차전 결장
id card | 출입카드 태그 04:1F 읽힘 실패
calculation | 1234+5678+9012=15924 맞는지 확인
unix nano | ts=1763646303123456789 나노초 로그
stock | 수량 3,500매 단가 4,120 합계 14,420,000
lot | 로트 4012-2281-09 유통 중지
game code | 리딤 코드 8NQ2-77LM-X0P4-2RTA 만료
license key | 오피스 키 HQ2LW-OSUGI-Z81PN 오류
meter | 전기 계량기 지침 4417, 4502, 4688, 4731
phonebook | 서식번호 5310-6200-11 빈칸 없이 작성
exam | 수능 표점 134-131-68-70 어디 갈 수 있나요
distance | 구간거리 4.2-5.1-5.5-3.8km 종주
version | SDK 4.5.3.2103 단말 연동 오류
chapter | 규정집 4-1-2-6조 해설
insurance | 증권번호 5500123498760012345 해약
doi | doi:10.3745/KTSDE.2026.15.4.101 참고
battle | 전투력 5,432,109,876 찍었다 ㄷㄷ
pi | 원주율 3.1415926535897932 까지 외움
colour | 색상값 255, 128, 064, 100 투명도
prison | 경기 결과 4승 4무 4패 승점 16
asset | 관리번호 3712-000045-10021 사무용 의자
binary | 이진수 1101 0110 0011 1010 변환 과제
bus | 4401, 5100, 5500-1, 5500-2 노선 통합
museum | 유물번호 신수 4120-2233 특별 전시
@@ vehicle_plate
차주님 ⟦34버 7182⟧ 차 좀 빼 주세요
불법주차 신고 ⟦127가 5093⟧ 소화전 앞
흰색 모닝 ⟦62두9034⟧ 라이트 켜져 있어요
뺑소니 차량은 ⟦215라 3748⟧로 추정됨
입주민 차량 등록 | ⟦53모 2291⟧ | 107동
전기차 충전 자리에 ⟦388호 1029⟧ 하루 종일 있음
택시 ⟦서울 33바 4417⟧에 지갑 두고 내렸어요
경찰은 도주한 ⟦41수6652⟧ 차량을 추적했다
중고차 팝니다 ⟦159너 8804⟧ 무사고 6만km
내 차⟦77저 3015⟧번인데 문콕 CCTV 볼 수 있나요
렌트카 번호 ⟦102하 6670⟧ 반납 완료
(차량번호 ⟦29구 5518⟧) 과태료 4만 원
"⟦68마 1147⟧" 아저씨 운전 왜 그렇게 하세요
버스 ⟦경기 76아 2038⟧ 기사님 친절하세요 칭찬합니다
택배차 ⟦서울 85배 3362⟧ 아파트 지상 출입 금지
번호판⟦45조 7720⟧봉인 훼손
주차 할인 등록: ⟦301다4459⟧
블박 제보합니다 ⟦16주 8293⟧ 끼어들기
이륜 말고 승용차 ⟦82거 6051⟧ 압류 예고
교회 주차장 이중주차 ⟦24로 9917⟧ 차주분 나와 주세요
세차 예약 - ⟦173무 2085⟧ - SUV
화물차 ⟦충북 80바 1576⟧ 과적 단속
견인된 차 ⟦91더 4402⟧ 보관소 3번 칸
사고 접수: 자차 ⟦56소 3178⟧ 상대차 ⟦248나 6641⟧
학원차 ⟦경남 72자 5089⟧ 동승자 없음
⟦137오 9925⟧ 이 차 또 장애인 구역에 댔네
차량 조회 결과 ⟦39 가 2814⟧ 의무보험 미가입
정기주차 갱신 ⟦410루 7736⟧, 월 12만
자동차세 고지 ⟦87서 6190⟧ 1기분
공항 발렛 맡긴 ⟦226보1384⟧ 언제 나와요
대리 부르신 ⟦64고 8027⟧ 손님 맞으시죠
장기 방치 차량［⟦18머 4593⟧］이동 안내
톨게이트 미납 ⟦부산 99사 7413⟧ 통행료
카풀 차는 ⟦192조 5536⟧, 회색 아반떼
OCR차번⟦５８러 ２３０４⟧신뢰도낮음
법인차 ⟦333우 4078⟧ 운행일지
번호 ⟦21무 9486⟧인 트럭이 담장을 들이받았다
⟦제주 79하 1652⟧ 렌터카 사고 합의
출고 번호판 고민 중 ⟦265마 3307⟧ 어때요
방문차량 ⟦73노 5841⟧ 2시간 무료 처리
도난 신고된 ⟦118러 6293⟧<을/를> 수배함
구형 번호판 ⟦대전 31다 7065⟧ 교체 대상
119 구급차 진입 막은 ⟦44부 2179⟧ 차주 연락 바람
유튜브에 나온 그 차 ⟦156구 8812⟧ 모자이크 안 했네
캠핑카 ⟦84도 3926⟧ 알박기 신고
가해차량 번호판 끝만 봤는데 ⟦279수 4150⟧ 같아요
보험 만기 ⟦66어 7283⟧ 갱신 문자
배차표: 1호차 ⟦강원 70아 5634⟧ 2호차 ⟦강원 70아 5638⟧
하이패스 등록 차량번호는 ⟦95노 1478⟧입니다
주차장 입차 09:12 ⟦143저 6029⟧ 출차 미정
경적 울리던 ⟦27보 8365⟧ 신고각
타이어 교체 예약 ⟦322고 7491⟧/2시
우리집 차 두 대 ⟦36나 2950⟧, ⟦184로 5117⟧
폐차 말소 ⟦13버 6738⟧ 고철값 35만
버스전용차로 위반 ⟦251두 3864⟧에 과태료
덤프트럭⟦인천 06사 9201⟧번 신호 위반
음주운전 의심 ⟦92수 4437⟧ 강변북로 진입
견적 문의 차량번호 ⟦207보 6815⟧ 연락처 ⟦phone:010-§###-####⟧
세컨카 ⟦49라 5703⟧ 팔아요 네고 가능
블루투스로 읽힌 번호판 '⟦165더 2946⟧' 개방 승인
⟦128소 7359⟧
--
law | 민법 32조 1항과 33조 2항을 비교하시오
court case | 대법원 98다 41221 판결 요지
court case | 서울고법 2021나 20338 항소 기각
court case | 헌재 99헌마 494 재외동포법 사건
amount | 예산 15조 2300억, 추경 3조 4100억
people | 관람객 40만 5000명이 다녀갔다
distance | 12만 8000km 탄 차인데 괜찮나요
temperature | 영하 20도 3000미터 고지 훈련
weeks | 임신 32주 2500g 초음파 소견
weeks | 생후 11주 6200g 잘 크고 있어요
shares | 액면분할 50주 1000원으로 시작
multiples | 수익률 30배 4000만 원이 12억으로
apartment | 102동 1503호 누수 원인 조사
room | 301호 2000년에 도배한 그대로예요
counters | 음식점 24개소 1800석 규모
counters | 배추 35포기 4200원꼴로 구매
class | 3학년 12반 2026년도 학급비
issue | 회보 제48호 1999년 여름호
section | 버스 72번 1500원, 환승 무료
seat | 가구역 12열 1034번 좌석 양도
exam | 다형 18번 2014년 기출 변형
road | 나들목 25나 출구는 없고 25번 출구만
type | 59나 타입 8420만 원 옵션 포함
type | 모집군 84가 1순위 마감 경쟁률 21.4
grade | 한우 1등급 16나 부위별 단가표
military | 105미리 1200발 훈련탄 소모
dance | 난이도 하 12000점, 중 24000점
lyrics | 하나 둘 셋 10하고 1000번 더 사랑해
chem | 사염화탄소 77도 1023hPa 끓는점
unit | 45주 1기 2500명 수료식
go | 제12보 1034수 같은 긴 바둑은 없다
baseball | 98구 1000승 달성 투수
tax | 19조 4000억 세수 결손 전망
sales | 누적 32권 4000만 부 팔린 만화 완결
pattern | 도안 12코 1000단 뜨기 무늬
address type | 지적도 도엽 23라 축척 1200
word only | 차량번호를 모르면 차대번호로 조회하세요
word only | 번호판 가리고 올려 주세요 제발
masked | 차량 12가 ****, 입차 확인
masked | 번호판 **로 **** 로 비식별 처리
placeholder | 차량번호 예: 00가0000 형식 입력
vin | 차대번호 KMHEC41LBFA000000 견본 값
train | 무궁화 1504열차 3호차 48석
flag | 해군 98노트 아니고 18노트 1000톤급
brick | 고 1000원짜리 73장만 주세요
"""


# --- building the cases -----------------------------------------------------------------------


def blocks() -> Iterator[tuple[str, list[str], list[str]]]:
    """Give each type with its true lines and its look-alike lines."""
    for block in SENTENCES.strip().removeprefix("@@ ").split("\n@@ "):
        kind, _, body = block.partition("\n")
        true, _, lookalike = body.partition("\n--\n")
        yield kind, true.splitlines(), lookalike.splitlines()


def fill(line: str, kind: str, key: str, *, plain: bool) -> str:
    """Draw the values of a line; plain leaves slots unmarked (numbers named as something else)."""

    def slot(match: re.Match[str]) -> str:
        value = slot_value(match[1], match[2], Draw(f"{key}|slot|{match.start()}"))
        return value if plain else f"⟦{SLOT_TYPES.get(match[1], match[1])}:{value}⟧"

    def mark(match: re.Match[str]) -> str:
        draw, other = Draw(f"{key}|mark|{match.start()}"), OTHER_TYPE.match(match[1])
        type_, value = (other[1], match[1][other.end() :]) if other else (kind, match[1])
        if type_ != "url":
            value = re.sub("§", lambda _: str(draw.between(2, 9)), value)
            value = re.sub("#", lambda _: draw.digits(1), value)
        if re.search("[０-９Ａ-Ｚ]", value):  # what begins full-width goes on full-width
            value = re.sub("[0-9]", lambda digit: full_width(digit[0]), value)
        return f"⟦{type_}:{value}⟧"

    return set_particles(SLOT.sub(slot, OWN_MARK.sub(mark, line.strip())))


def describe(text: str, span: dict[str, str | int]) -> str:
    """Name how the value is written and what touches it on both sides."""
    start, end = int(span["start"]), int(span["end"])
    value = text[start:end]
    tags = [name for sign, name in SEPARATOR_NAMES.items() if sign in value] or ["bare"]
    if any("！" <= sign <= "～" and sign != "－" for sign in value):
        tags.append("full-width signs")
    return f"{', '.join(tags)}; {surroundings(text, start, end)}"


def cases(kind: str, label: str, lines: list[str]) -> Iterator[dict[str, object]]:
    """Make the rows of one type and kind, in the order of the lines."""
    for number, line in enumerate(lines, start=1):
        tag, _, sentence = line.partition(" | ") if label == "lookalike" else ("", "", line)
        key = f"{kind}|{label}|{number}"
        text, spans = unmark(fill(sentence, kind, key, plain=label == "lookalike"))
        own = [span for span in spans if span["type"] == kind]
        form = tag or describe(text, own[0])
        identity = f"{kind}-c-{label[0]}-{number:03d}"
        yield {
            "id": identity,
            "type": kind,
            "kind": "true" if own else label,
            "text": text,
            "spans": spans,
            "form": form,
        }


def earlier_texts() -> set[str]:
    """Give the texts of the files of parts A and B beside this script."""
    files = [path for path in FOLDER.glob("*.jsonl") if path.name != "part_c.jsonl"]
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    return {json.loads(line)["text"] for line in lines}


def skeleton(text: str) -> str:
    """Give the wording alone: digits, marks and blanks taken out."""
    return re.sub(r"[\d\W_]", "", text)


def check(rows: list[dict[str, object]]) -> None:
    """Stop when a text comes twice or stands in part A or B, or a mark of the notation is left."""
    seen, wordings = earlier_texts(), set[str]()
    for row in rows:
        text, spans = str(row["text"]), str(row["spans"])
        own = f"'type': '{row['type']}'" in spans
        if text in seen or own != (row["kind"] == "true"):
            raise ValueError(f"{row['id']}: the text is not new, or its spans do not fit the kind")
        wording = skeleton(text)
        if wording and wording in wordings:
            raise ValueError(f"{row['id']}: the sentence carries another row too")
        if re.search(r"[§⟦⟧]|<[가-힣]*/[가-힣]*>", text) or SLOT.search(text):
            raise ValueError(f"{row['id']}: a mark of the notation is left")
        seen.add(text)
        wordings.add(wording)


def main() -> None:
    """Write part_c.jsonl beside this script."""
    rows: list[dict[str, object]] = []
    for kind, true, lookalike in blocks():
        if len(true) < LEAST_TRUE or len(lookalike) < LEAST_LOOKALIKE:
            raise ValueError(f"{kind}: {len(true)} true, {len(lookalike)} look-alikes: too few")
        rows += [*cases(kind, "true", true), *cases(kind, "lookalike", lookalike)]
    check(rows)
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    (FOLDER / "part_c.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
