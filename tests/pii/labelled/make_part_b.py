"""Make part B of the labelled personal-data set: eight types, true cases and look-alikes.

The values follow the public rules of each format (road-name address law, account structures of the
banks, region codes of driving licences, the tax service's check digit, Luhn, plate regulations) in
this file's own words, so that the set tests a detector from outside. Everything is fictional.

A carrier is one sentence written by hand. Its notation:
    {V} {N}      a value in any form; a value in a form that is clear without a context word
    {V:form}     a value in the named form (for accounts: of the named bank)
    {B} {R} {X}  bank name; road and number alone; a number whose check digit is wrong
    [a|b]        one of the wordings;  #  any digit;  §  a digit from 2 to 9
    ^은          the particle that fits the character before it (은/는, 이/가, 을/를, 과/와, 으로/로)
    ⟦type:...⟧   a labelled piece of personal data
Every draw is a keyed hash of (seed, type, carrier, variant): running the script twice gives the
same bytes. Run `python tests/pii/labelled/make_part_b.py` to remake the files beside it.
"""
# ruff: noqa: E501
# One sentence a line keeps the sentences readable and easy to compare; Korean letters count double.

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

SEED = "part-b-1"
FOLDER = Path(__file__).resolve().parent
TRUE_VARIANTS = 3
LOOKALIKE_VARIANTS = 2
LEAST_TRUE, LEAST_LOOKALIKE = 130, 70
SEPARATORS = {
    "hyphens": "-",
    "en-dashes": "–",
    "full-width hyphens": "－",
    "dots": ".",
    "blanks": " ",
    "bare": "",
}


class Draw:
    """A stream of choices that depends on its key alone."""

    def __init__(self, key: str) -> None:
        """Start the stream of this key."""
        self._key = key
        self._count = 0

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to n - 1."""
        self._count += 1
        digest = hashlib.sha256(f"{SEED}|{self._key}|{self._count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % n

    def pick(self, options: Sequence[str]) -> str:
        """Draw one of the options."""
        return options[self.below(len(options))]

    def digits(self, n: int) -> str:
        """Draw n digits."""
        return "".join(str(self.below(10)) for _ in range(n))

    def between(self, low: int, high: int) -> int:
        """Draw a whole number from low to high, both included."""
        return low + self.below(high - low + 1)


def full_width(text: str) -> str:
    """Write ASCII letters, digits and hyphens in their full-width shapes."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def join_groups(groups: Sequence[str], form: str) -> str:
    """Join digit groups the way the form says; `full-width digits` keep ASCII hyphens."""
    if form == "full-width digits":
        return "-".join(full_width(group) for group in groups)
    return SEPARATORS[form].join(groups)


def cut(digits: str, sizes: Sequence[int]) -> list[str]:
    """Cut a digit string into groups of the given sizes."""
    groups, at = [], 0
    for size in sizes:
        groups.append(digits[at : at + size])
        at += size
    return groups


# --- address ---------------------------------------------------------------------------------

# province in full, in short, city/county, district, eup or myeon, legal dong or ri
PLACES = [
    ("서울특별시", "서울", "", "강남구", "", "역삼동"),
    ("서울특별시", "서울", "", "마포구", "", "서교동"),
    ("서울특별시", "서울", "", "종로구", "", "혜화동"),
    ("서울특별시", "서울", "", "송파구", "", "문정동"),
    ("서울특별시", "서울", "", "영등포구", "", "당산동"),
    ("서울특별시", "서울", "", "노원구", "", "상계동"),
    ("서울특별시", "서울", "", "은평구", "", "불광동"),
    ("부산광역시", "부산", "", "해운대구", "", "좌동"),
    ("부산광역시", "부산", "", "수영구", "", "광안동"),
    ("대구광역시", "대구", "", "수성구", "", "범어동"),
    ("인천광역시", "인천", "", "연수구", "", "송도동"),
    ("광주광역시", "광주", "", "서구", "", "치평동"),
    ("대전광역시", "대전", "", "유성구", "", "봉명동"),
    ("울산광역시", "울산", "", "남구", "", "삼산동"),
    ("경기도", "경기", "성남시", "분당구", "", "정자동"),
    ("경기도", "경기", "수원시", "영통구", "", "매탄동"),
    ("경기도", "경기", "고양시", "일산동구", "", "백석동"),
    ("경기도", "경기", "김포시", "", "", "사우동"),
    ("경기도", "경기", "파주시", "", "", "금촌동"),
    ("경기도", "경기", "양평군", "", "서종면", "문호리"),
    ("강원도", "강원", "춘천시", "", "", "퇴계동"),
    ("강원도", "강원", "평창군", "", "대관령면", "횡계리"),
    ("충청북도", "충북", "청주시", "흥덕구", "", "복대동"),
    ("충청남도", "충남", "천안시", "서북구", "", "두정동"),
    ("충청남도", "충남", "홍성군", "", "홍북읍", "신경리"),
    ("전라북도", "전북", "전주시", "덕진구", "", "송천동"),
    ("전라남도", "전남", "순천시", "", "", "조례동"),
    ("전라남도", "전남", "담양군", "", "담양읍", "객사리"),
    ("경상북도", "경북", "포항시", "북구", "", "양덕동"),
    ("경상북도", "경북", "경주시", "", "", "황성동"),
    ("경상남도", "경남", "창원시", "성산구", "", "상남동"),
    ("경상남도", "경남", "남해군", "", "미조면", "미조리"),
    ("제주특별자치도", "제주", "제주시", "", "", "노형동"),
    ("제주특별자치도", "제주", "서귀포시", "", "", "서홍동"),
]
ROADS = [
    "한들로",
    "새벽로",
    "달빛로",
    "은하수로",
    "가온로",
    "미리내로",
    "다온대로",
    "물푸레로",
    "느티로",
    "해오름로",
    "아람로",
    "마루대로",
    "여울로",
    "테헤란로",
    "판교로",
    "온누리로",
    "솔향기길",
    "푸른숲길",
    "참나무길",
    "별마루길",
    "도담길",
    "꽃가람길",
]
ADDRESS_FORMS = (
    "road",
    "road short",
    "road with gil",
    "lot",
    "road with detail",
    "glued road",
    "city first",
    "road with dong",
    "lot with beonji",
    "road with floor",
    "glued gil",
    "san lot",
    "glued lot",
    "road with ga-gil",
    "full-width digits",
)


def _number(draw: Draw) -> str:
    main = str(draw.between(1, 399))
    return f"{main}-{draw.between(1, 38)}" if draw.below(5) < 2 else main


def _main_road(draw: Draw) -> str:
    return draw.pick([road for road in ROADS if road.endswith("로")])


def _street(draw: Draw, form: str) -> str:
    if "ga-gil" in form:
        return f"{_main_road(draw)}{draw.between(2, 40)}{draw.pick('가나다')}길 {_number(draw)}"
    if "gil" not in form:
        return f"{draw.pick(ROADS)} {_number(draw)}"
    blank = draw.pick(["", " "])
    return f"{_main_road(draw)}{blank}{draw.between(3, 160)}{draw.pick(['번길', '길'])} {_number(draw)}"


def _detail(draw: Draw, form: str, dong: str) -> str:
    if form == "road with dong":
        return f"{draw.pick(['', ' '])}({dong})"
    if form == "road with floor":
        floor = draw.between(2, 9)
        return f" {floor}층" + (f" {floor}0{draw.between(1, 9)}호" if draw.below(2) else "")
    room = f"{draw.between(1, 19)}0{draw.between(1, 4)}호"
    bracket = f" ({dong})" if dong.endswith("동") and draw.below(3) == 0 else ""
    return f"{draw.pick([',', ''])} {draw.between(101, 119)}동 {room}{bracket}"


def _lot(draw: Draw, form: str) -> str:
    if form == "san lot":
        return f"산 {_number(draw)}"
    return _number(draw) + ("번지" if form == "lot with beonji" else "")


def make_address(draw: Draw, form: str) -> str:
    """Build a road-name or lot-number address from its first administrative unit on."""
    # A road address in an eup or myeon carries no dong in brackets.
    places = [place for place in PLACES if "dong" not in form or not place[4]]
    full, short, city, gu, town, dong = places[draw.below(len(places))]
    province = short if form == "road short" or draw.below(3) == 0 else full
    if form == "city first":
        province = ""
    if "lot" in form:
        parts = [province, city, gu, town, dong, _lot(draw, form)]
    else:
        parts = [province, city, gu, town, _street(draw, form)]
    text = " ".join(part for part in parts if part)
    if form in ("road with detail", "road with dong", "road with floor"):
        text += _detail(draw, form, dong)
    if form == "full-width digits":
        return "".join(full_width(c) if c.isdigit() else c for c in text)
    return text.replace(" ", "") if "glued" in form else text


# --- bank account ----------------------------------------------------------------------------

# name -> other names in use, the leading group, sizes of the groups
BANKS: dict[str, tuple[str, str, tuple[int, ...]]] = {
    "국민은행": ("KB국민은행", "", (6, 2, 6)),
    "신한은행": ("신한은행", "110", (3, 3, 6)),
    "우리은행": ("우리은행", "1002", (4, 3, 6)),
    "하나은행": ("KEB하나은행", "", (3, 6, 5)),
    "기업은행": ("IBK기업은행", "", (3, 6, 2, 3)),
    "농협": ("NH농협은행", "302", (3, 4, 4, 2)),
    "카카오뱅크": ("카뱅", "3333", (4, 2, 7)),
    "토스뱅크": ("토스뱅크", "1000", (4, 4, 4)),
    "케이뱅크": ("케이뱅크", "100", (3, 3, 6)),
    "새마을금고": ("MG새마을금고", "9002", (4, 4, 4, 1)),
    "신협": ("신협", "131", (3, 3, 6)),
    "우체국": ("우체국", "", (6, 2, 6)),
    "SC제일은행": ("제일은행", "", (3, 2, 6)),
    "부산은행": ("부산은행", "101", (3, 4, 4, 2)),
    "대구은행": ("대구은행", "508", (3, 2, 6, 1)),
    "수협은행": ("수협", "1010", (4, 4, 4)),
}
ACCOUNT_FORMS = (
    "hyphens",
    "bare",
    "hyphens",
    "en-dashes",
    "hyphens",
    "blanks",
    "full-width digits",
    "hyphens",
    "full-width hyphens",
)


def make_account(draw: Draw, form: str, bank: str) -> str:
    """Build an account number in the grouping of the bank."""
    _, lead, sizes = BANKS[bank]
    first = str(draw.between(1, 9))
    digits = lead or first
    digits += draw.digits(sum(sizes) - len(digits))
    return join_groups(cut(digits, sizes), form)


# --- passport --------------------------------------------------------------------------------

PASSPORT_FORMS = (
    "M old",
    "new",
    "M old",
    "other letter",
    "new",
    "lower case",
    "full-width",
    "new lower case",
)


def make_passport(draw: Draw, form: str) -> str:
    """Build a passport number: a letter and eight digits, or the form of 2021 (M123A4567)."""
    if "new" in form:
        text = f"M{draw.digits(3)}{draw.pick('ABCDEFGHJKLNPRSTUVWXYZ')}{draw.digits(4)}"
    else:
        text = (draw.pick("SRGD") if form == "other letter" else "M") + draw.digits(8)
    if "lower" in form:
        return text.lower()
    return full_width(text) if form == "full-width" else text


# --- driving licence -------------------------------------------------------------------------

LICENCE_CODES = [f"{code}" for code in range(11, 27)] + ["28"]
LICENCE_REGIONS = [
    "서울",
    "부산",
    "경기",
    "강원",
    "충북",
    "충남",
    "전북",
    "전남",
    "경북",
    "경남",
    "제주",
    "대구",
    "인천",
    "광주",
    "대전",
]
LICENCE_FORMS = (
    "hyphens",
    "region name",
    "hyphens",
    "bare",
    "hyphens",
    "en-dashes",
    "region name glued",
    "full-width hyphens",
    "blanks",
    "full-width digits",
)


def make_licence(draw: Draw, form: str) -> str:
    """Build a licence number: region, year of issue, serial, check digits."""
    year = f"{draw.between(75, 124) % 100:02d}"
    groups = [year, str(draw.between(1, 9)) + draw.digits(5), draw.digits(2)]
    if form.startswith("region name"):
        blank = "" if form.endswith("glued") else " "
        return draw.pick(LICENCE_REGIONS) + blank + "-".join(groups)
    return join_groups([draw.pick(LICENCE_CODES), *groups], form)


# --- business number -------------------------------------------------------------------------

TAX_OFFICES = [
    "101",
    "104",
    "105",
    "107",
    "110",
    "113",
    "120",
    "124",
    "128",
    "130",
    "134",
    "138",
    "142",
    "201",
    "206",
    "211",
    "214",
    "220",
    "229",
    "301",
    "305",
    "312",
    "402",
    "410",
    "416",
    "502",
    "514",
    "602",
    "605",
    "615",
    "617",
    "621",
]
BUSINESS_FORMS = (
    "hyphens",
    "hyphens",
    "bare",
    "hyphens",
    "en-dashes",
    "full-width digits",
    "hyphens",
    "full-width hyphens",
    "blanks",
)


def tax_check_digit(nine: str) -> int:
    """Compute the tenth digit: weighted sum, plus the tens of five times the ninth digit."""
    total = sum(int(d) * w for d, w in zip(nine, (1, 3, 7, 1, 3, 7, 1, 3, 5), strict=True))
    return -(total + int(nine[8]) * 5 // 10) % 10


def make_business(draw: Draw, form: str, *, valid: bool = True) -> str:
    """Build a business registration number, its check digit right or wrong."""
    kind = draw.pick(
        ["81", "86", "87", "82", f"{draw.between(1, 79):02d}", f"{draw.between(1, 79):02d}"]
    )
    nine = draw.pick(TAX_OFFICES) + kind + draw.digits(4)
    shift = 0 if valid else draw.between(1, 9)
    ten = nine + str((tax_check_digit(nine) + shift) % 10)
    return join_groups(cut(ten, (3, 2, 5)), form)


# --- health insurance ------------------------------------------------------------------------

HEALTH_FORMS = (
    "hyphens",
    "bare",
    "hyphens",
    "en-dashes",
    "hyphens",
    "full-width digits",
    "hyphens",
    "full-width hyphens",
)


def make_health(draw: Draw, form: str) -> str:
    """Build a health insurance card number: one digit, then ten."""
    return join_groups([draw.pick("12356789"), draw.digits(10)], form)


# --- card ------------------------------------------------------------------------------------

CARD_LEADS = ["4", "4", "4", "51", "52", "53", "54", "55", "2221", "2345", "353", "356", "62", "94"]
CARD_FORMS = (
    "hyphens",
    "bare",
    "blanks",
    "hyphens",
    "amex hyphens",
    "en-dashes",
    "full-width digits",
    "hyphens",
    "diners hyphens",
    "full-width hyphens",
    "amex bare",
    "dots",
    "blanks",
    "amex blanks",
)


def luhn_digit(digits: str) -> int:
    """Compute the digit that makes the whole divisible by ten, doubling from the right."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 if place % 2 == 0 else 1)
        total += doubled // 10 + doubled % 10
    return -total % 10


def make_card(draw: Draw, form: str, *, valid: bool = True) -> str:
    """Build a card number of a real issuer range, its check digit right or wrong."""
    sizes: tuple[int, ...] = (4, 4, 4, 4)
    lead = draw.pick(CARD_LEADS)
    if form.startswith("amex"):
        lead, sizes = draw.pick(["34", "37"]), (4, 6, 5)
    elif form.startswith("diners"):
        lead, sizes = "36", (4, 6, 4)
    body = lead + draw.digits(sum(sizes) - 1 - len(lead))
    shift = 0 if valid else draw.between(1, 9)
    number = body + str((luhn_digit(body) + shift) % 10)
    return join_groups(cut(number, sizes), form.removeprefix("amex ").removeprefix("diners "))


# --- vehicle plate ---------------------------------------------------------------------------

PRIVATE = "가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주"
PLATE_REGIONS = [
    "서울",
    "부산",
    "대구",
    "인천",
    "광주",
    "대전",
    "울산",
    "경기",
    "강원",
    "충북",
    "충남",
    "전북",
    "전남",
    "경북",
    "경남",
    "제주",
]
PLATE_FORMS = (
    "short",
    "long",
    "short blank",
    "long blank",
    "region blanks",
    "commercial",
    "region glued",
    "rental",
    "long",
    "commercial glued",
    "spaced",
    "full-width digits",
    "delivery",
    "short",
)
PLATE_CLEAR_FORMS = ("short", "long", "region glued", "commercial glued", "long", "short")
PLATE_SHAPES = {
    "short": "{n}{c}{s}",
    "long": "{m}{c}{s}",
    "short blank": "{n}{c} {s}",
    "long blank": "{m}{c} {s}",
    "rental": "{m}{c} {s}",
    "delivery": "{r} {n}{c} {s}",
    "spaced": "{n} {c} {s}",
    "full-width digits": "{n}{c}{s}",
    "region blanks": "{r} {n} {c} {s}",
    "region glued": "{r}{n}{c}{s}",
    "commercial": "{r} {n}{c} {s}",
    "commercial glued": "{r}{n}{c}{s}",
}


def make_plate(draw: Draw, form: str) -> str:
    """Build a plate: class number, use letter, serial, with the region where the form has one."""
    letters = {"rental": "하허호", "delivery": "배"}.get(
        form, "바사아자" if "commercial" in form else PRIVATE
    )
    text = PLATE_SHAPES[form].format(
        n=f"{draw.between(80, 97) if form == 'delivery' else draw.between(11, 99)}",
        m=f"{draw.between(100, 699)}",
        c=draw.pick(letters),
        s=f"{draw.between(1000, 9999)}",
        r=draw.pick(PLATE_REGIONS),
    )
    return full_width(text) if form == "full-width digits" else text


# --- carriers --------------------------------------------------------------------------------

ADDRESS_TRUE = """
저희 매장은 {V}에 있습니다.
[택배는|등기는|소포는] {V}^로 보내 주시면 됩니다.
주소: {V}
배송지는 {V}입니다. 경비실에 맡겨 주세요.
{V}에서 [불이 나|가스가 새] 주민 스무 명이 대피했다.
임대차 목적물의 소재지는 {V}^로 한다.
어제 다녀온 국숫집 위치 공유해요. {V}, 주차는 어려워요.
[본사를|지점을|공장을] {V}^로 이전하였음을 알려 드립니다.
경찰은 15일 오후 {V}에 사는 김모 씨를 불러 조사했다.
이사 갈 집은 {V}인데 다음 달 초에 들어가요.
주소지가 {V}^로 되어 있는데 바꿀 수 있나요?
"{V}" 이렇게 적으면 우편물이 잘 오더라고요.
받는 곳 : {V} / 받는 사람 : 최보람
돌잔치 장소는 {V}^이고 오후 한 시에 시작합니다.
{V}
법원은 피고의 주소를 {V}^로 보고 소장을 송달했다.
새로 문을 연 동네 책방 '낮달'은 {V}에 자리 잡았다.
엄마, 김치는 {V}^로 부쳐 줘!
등록기준지를 {V}에서 옮기려면 어떤 서류가 필요한가요?
매물 정보입니다. 소재지 {V}, 남향, 즉시 입주 가능.
집주소는{V}입니다.
배송지:{V}
본 계약의 갑은 {V}에 주소를 둔 (주)한빛누리이다.
행사장([{V}])까지 셔틀을 운행합니다.
네비에 {V} 찍고 오시면 돼요.
고인은 {V} 자택에서 가족이 지켜보는 가운데 눈을 감았다.
면접은 {V}에서 봅니다. 신분증을 챙겨 오세요.
수거 요청: {V}, 세탁기 한 대.
소나무 농원은 {V:san lot}에 있고 예약제로 운영됩니다.
[공사|점검] 구간에 포함된 {V}^은 내일 오전 물이 나오지 않습니다.
거기 말고 {V}^로 와. 입구에 파란 간판 있어.
신청인의 주소 {V}^이 주민등록과 다릅니다.
부고를 전합니다. 빈소는 {V}에 마련되었습니다.
가게 옮겼어요!! 이제 {V}에서 만나요~
송달 장소를 {V}^로 변경하여 주시기 바랍니다.
반품하실 때는 {V} 앞으로 보내지 마시고 기사님께 맡겨 주세요.
사업장 소재지 <{V}>
제가 어릴 때 살던 {V}에는 지금 주차장이 들어섰더군요.
사고 현장은 {V}^와 마주한 골목이었다.
참가 기념품은 {V}까지 무료로 배송됩니다.
도로명 주소가 {V}^이라고 들었는데 맞나요?
문의하신 분의 주소는 “{V}”^로 확인됩니다.
이 땅({V:lot})은 작년에 용도가 바뀌었다.
피해자는 {V}에서 혼자 살아온 것으로 알려졌다.
분실물은 {V}^로 착불로 보내 주세요. 연락처는 ⟦phone:010-§###-####⟧입니다.
예약하신 한옥은 {V}^이며 입실은 세 시부터입니다.
주소: {R}
배송지는 {R}, 공동 현관 비밀번호는 없습니다.
제 주소가 {R}^로 바뀌었어요.
이번 모임 장소는 지난번과 같아요: {V}.
배송지는{V}^로 바꿔 주세요.
주소가{V}인데 배달되나요?
도착지 주소 {R}에서 [기사님|배달원]을 기다리고 있습니다.
"""

ADDRESS_LOOKALIKE = """
== street name with ga
종로3가에서 내려 [오 분|십 분]만 걸으면 시장이 나온다.
을지로 4가 [인쇄 골목|조명 상점]은 밤이 되면 조용해진다.
충무로 5가 방향 버스는 [막차가 빠르다|자주 온다].
== means of travel with duration
거기는 버스로 [30|40]분이면 충분해요.
지하철로 [25|35]분, 도보로 5분 걸립니다.
강릉시까지 기차로 [2|3]시간 걸렸다.
== adverb or postposition with number
앞으로 [10|20]년 동안 이 길을 걷겠다고 했다.
대체로 [3|4]월이면 꽃이 핀다.
성남시 분당구에서 판교로 [15|20]분 걸려요.
수원에서 파주로 [40|50]km를 달렸다.
여름휴가는 여수로 [2|3]박 4일 다녀왔어요.
올해 들어 세 번째로 [500|700]선을 넘었다.
서울을 기준으로 [15|25]km 떨어진 곳이다.
주로 [20|30]대가 찾는 가게라고 한다.
실제로 [12|17]명이 참가 신청을 했다.
== size
세로 [5|7] 가로 10 크기로 잘라 주세요.
가로 [120|180], 세로 60짜리 책상을 샀어요.
== railway or highway
경부고속도로 [1|3]공구 공사가 시작되었다.
서울 지하철 [2|7]호선이 강남구와 송파구를 지난다.
국도 [7|38]호선을 따라 바다가 이어진다.
지방도 [314|407]호 확장 공사에 예산이 배정되었다.
서해안고속도로 [12|45]km 지점에서 차가 막힌다.
== counts of roads and dongs
우리 동네에는 길 [3|4]개가 만나는 곳이 있다.
강남구의 행정동 [22|20]개를 모두 돌아봤다.
새로 지은 [3|5]동 건물은 아직 비어 있다.
기숙사는 모두 [4|6]개 동 280실 규모다.
== region with statistics
서울 강남구의 [1인|2인] 가구 비율이 또 올랐다.
경기도 성남시는 [2024|2025]년 예산을 줄였다.
마포구 서교동 [30|40]년 토박이가 들려주는 이야기.
경기도 수원시 인구가 [120|119]만 명을 넘었다.
부산 해운대구 [35|33]도, 올여름 가장 더운 날.
== score with city
수원시 [3-2|4-1] 안양시, 결승전은 연장까지 갔다.
청주시청이 [2-1|3-0]^로 이겨 준결승에 올랐다.
== course or trail
설악산 [1-2|2-3]코스는 겨울에 닫힌다.
제주 올레 [7-1|10-1]코스를 걸었다.
둘레길 [4|8]구간은 나무 계단이 많다.
== lanes and road distance
테헤란로 일대 [3|2]km 구간에서 교통이 통제된다.
올림픽로 [4|2]개 차로가 주말에 막힙니다.
강변북로 [12|17]km가 정체를 빚었다.
== runway, circuit, channel
인천공항 활주로 [15|33]^을 이용한 착륙이 늘었다.
전자 회로 [3-1|4-2] 단원까지 시험 범위입니다.
배수로 [150|240]m를 새로 정비했다.
게임 속 미로 [2|9]단계가 제일 어렵다.
== building or place name with number
제[2|3]롯데월드 이야기는 아직 소문일 뿐이다.
서울로 [7017|7017 산책로]에서 야경을 찍었다.
== bungee and mountain
번지 점프대 높이는 [45|52]m라고 한다.
한라산 [1950|1947]m 정상에 눈이 쌓였다.
== bus number and exit
[143|271]번 버스를 타고 [3번|5번] 출구 앞에서 내리세요.
== hour and date range with city
김포시 행사는 [3-5|7-9]일에 열립니다.
대구광역시 [10.16|11.20] 문화제에 초대합니다.
== price with place
홍대입구역 근처 월세 [55|65]만 원짜리 방을 찾습니다.
"""

BANK_TRUE = """
계약금은 {B} {V}^로 오늘 안에 보내 주세요.
입금 계좌: {B} {V} (예금주 김하람)
{B} {V} 박서율
회비는 {V} {B}^로 부탁드립니다.
[후원|모금] 계좌는 {B} {V}입니다.
{V} ({B}, 예금주: 꿈나무재단)
환불받을 계좌번호가 {V}^이 맞나요? {B}^이에요.
피의자는 {B} 계좌 {V}^로 삼천만 원을 받은 혐의를 받는다.
제 {B} 계좌{V}^로 보내면 돼.
축의금 보내실 곳: {B} {V}
매월 25일 임대료를 임대인의 {B} {V} 계좌에 이체한다.
송금은 {V}^로 해 주세요, {B}입니다.
아까 말한 {B}^은 {V}, 예금주는 이도담이에요.
계좌번호 {V}, {B}.
[급여는|수당은] {B} {V}^로 지급되며 변경은 인사팀에 알린다.
잔금 입금처 "{B} {V}" 확인 바랍니다.
{B}{V} 최가온
공동구매 입금은 {B}:{V}^이고 마감은 금요일이에요.
{B} [{V}]^로 착오 송금하신 분을 찾습니다.
수강료 계좌({B} {V})는 매 학기 같습니다.
예금주 정누리, 계좌 {V}, 은행은 {B}.
아들 용돈은 {B} {V}^로 넣어 줬어요.
계좌 적어 둘게. {V} {B}!
보증금 반환 계좌를 {B} {V}에서 다른 것으로 바꾸고 싶습니다.
법인 계좌 {V}의 거래 내역을 {B}에서 내려받았다.
사기꾼이 쓰던 {B} 계좌 {V}^을 신고했습니다.
{B} 계좌번호는{V}입니다.
물품 대금은 아래로 송금. {B} {V}
저금통 깨서 {B} {V}에 다 넣었어요 ㅎㅎ
예치금 반환을 위해 {V}({B}) 사본을 첨부하였습니다.
관리비 자동이체 계좌가 {B} {V}^로 등록되었습니다.
[참가비|티켓값] 만 원은 {B} {V}, 당일 현장 접수 없음.
갑은 을이 지정한 {B} 계좌({V})로 대금을 지급한다.
무통장 입금 안내 - {B} / {V} / (주)새봄상사
이쪽 {B} {V}^은 해지한 계좌라 쓰시면 안 됩니다.
검찰은 {B} {V} 계좌에서 수상한 흐름을 찾았다.
모임통장은 {B} {V}이야. 이름은 벚꽃모임으로 뜰 거야.
{V}^로 송금했는데 확인 부탁드려요.
입금계좌 {V}
예금주와 계좌번호({V})가 서로 다르면 환불이 늦어집니다.
국민은행 {V:국민은행}, 농협 ⟦bank_account:302-§###-####-§1⟧ 중 편한 곳으로 입금하세요.
카카오뱅크 {V:카카오뱅크}^로 [밥값|택시비] 보냈어 확인해 봐.
우체국 {V:우체국}^과 연결된 카드를 잃어버렸어요.
신한 {V:신한은행}, 예금주 오하늘, 입금 후 문자 주세요. ⟦phone:010-§###-####⟧
장학금은 학생 본인 명의의 계좌 {V}^로만 들어갑니다.
입금처는 {B} {V}.
사장님 계좌 {V}^로 바로 보냈더니 서비스로 튀김을 주셨어요.
"""

BANK_LOOKALIKE = """
== order or tracking number
주문번호 [1104-52#-#####7|302-44##-####-19]의 배송이 시작되었습니다.
송장번호 6#####-##-###### 조회가 안 돼요.
예약번호는 110-###-######입니다. 체크인할 때 보여 주세요.
접수번호 3333-0#-#######^로 진행 상황을 볼 수 있습니다.
택배 운송장 ############이 아직 [집하 전|상차 중]이에요.
== part or model number
품번 123-##-######^은 단종되어 구할 수 없습니다.
이 프린터의 모델은 [302-11##-####-07|508-10-######-1]입니다.
부품 코드 1002-###-######^을 다시 확인해 주세요.
시리얼 넘버 9002-####-####-#^이 스티커에 적혀 있어요.
재고 관리 코드 ###-######-##-###^은 창고에서만 씁니다.
== document number
공문 번호 2020-1##-######에 따라 시행합니다.
민원 접수 20-###-######호가 처리되었다.
특허 등록 10-2######-0000 공보를 읽었다.
사건 관리 번호 2019-##-######^이 새로 부여되었다.
특허 출원 10-2019-0######호는 심사 중이다.
== isbn or barcode
ISBN 978-89-[364|546]-####-#^을 검색하면 책이 나와요.
바코드 880[17|94]########^을 찍으니 가격이 떴다.
도서 번호는 979-11-####-###-#^로 적혀 있다.
== date or time
행사는 2020-10-[11|18]부터 2020-10-25까지 열린다.
로그 파일 이름이 2020111[1|4]093015^로 끝납니다.
백업본 20210[3|7]15-0215-3302^은 지워도 됩니다.
== phone labelled as phone
계좌 문의는 ⟦phone:010-§###-####⟧^로 해 주세요.
입금 확인이 늦으면 ⟦phone:02-§##-####⟧^로 전화 주세요.
은행 담당자 번호는 ⟦phone:010§#######⟧입니다.
== amounts near bank words
입금액은 [1,250,000|3,480,000]원이며 수수료는 없습니다.
국민은행의 올해 순이익은 [2조 3,195억|1조 9,870억] 원이다.
계좌당 한도는 [50,000,000|30,000,000]원까지입니다.
송금 한도를 하루 [1000만|5000만] 원으로 낮췄다.
통장 잔액이 [10,543,210|2,876,540]원 남았다.
예금 금리는 [3.25|2.75]%에서 3.50%로 올랐다.
== count of customers or shares
카카오뱅크 고객은 [2,200|1,950]만 명을 넘었다.
신한은행은 [110|125]년 역사를 [전시한다|책으로 펴냈다].
상장 주식은 [475,159,237|308,352,816]주다.
== scores and ranges
농협은행 배구단이 [25-21, 25-19|25-17, 25-23]^로 이겼다.
경기 점수는 [110-98|102-97]^로 끝났다.
로또 번호 [3-11-17-24-33-41|5-12-19-26-38-44]를 적어 두었다.
퀴즈 대회 최종 점수는 [120-115-110|310-295-280]이었다.
== short bank numbers
은행 코드 [088|004]^을 먼저 누르세요.
대기표 [110번|203번]^을 뽑고 은행에서 기다렸다.
계좌 비밀번호 [네|여섯] 자리를 세 번 틀렸어요.
우리은행 [102|213]개 점포가 문을 닫는다.
== account-like lesson or version
펌웨어 버전 110-2##-0#####^로 올려야 합니다.
강의 코드 131-012-######^은 다음 학기에 열립니다.
수험번호 302-1###-####-0#^을 답안지에 쓰세요.
당첨 번호 [37-12-008-451|44-09-117-320]의 주인을 찾습니다.
"""

PASSPORT_TRUE = """
여권번호는 {V}입니다.
여권 번호: {V}
제 여권이 {V}인데 유효기간이 석 달 남았어요.
분실한 여권({V})을 주우신 분은 연락 주세요.
[신청인|동행인]의 여권번호 {V}^을 정확히 적으세요.
여권번호 {V}^로 발권했는데 새 여권을 받았어요.
경찰은 여권 {V}^이 위조된 것으로 보고 있다.
영사관에서 여권 {V}^을 재발급해 줬습니다.
여권번호{V}^을 입력했더니 오류가 떠요.
{V}, 이게 새로 받은 여권번호예요.
"여권번호 {V}"라고 써 있는데 맞나요?
항공권 예약자 이름과 여권 {V}의 영문 이름이 달라요.
계약자(여권번호 {V})는 아래 조건에 동의한다.
여권 사본을 보니 {V}^이라고 찍혀 있더라.
환전할 때 여권번호 {V}^이 필요했습니다.
렌터카 예약에는 여권번호({V})와 면허증이 있어야 한다.
엄마 여권은 {V}, 아빠 건 내가 나중에 보낼게.
면세점 앱에 여권 {V}^을 등록하면 할인됩니다.
출국 심사대에서 여권번호 {V}^과 얼굴을 대조했다.
비자 신청서 3번 칸, 여권번호 [{V}]
여권번호:{V},만료일은 내년 3월.
법무부는 여권 {V}의 사용을 정지했다.
호텔 체크인 때 적은 여권번호 {V}^은 지워 주세요.
{V}^은 제 옛날 여권 번호라서 쓰시면 안 돼요.
단체 비자 명단: 한겨울, 여권 {V}
여권을 새로 만들었더니 번호가 {V}^로 바뀌었습니다.
공항에서 주운 여권은 번호가 {V}이고 사진은 젊은 남자였다.
여권번호가 {V}에서 끝나는지 한 번 더 봐 주세요.
투어 예약 양식 - 성명 / 여권번호 {V} / 혈액형
여행사 직원이 여권 {V}^을 잘못 적어서 난리가 났다.
새 여권번호는 {V}.
탑승객 명단에 {N} 한 건이 빠져 있습니다.
{N}^로 체크인해 주세요, 창가 자리 부탁드려요.
출입국 기록 조회 결과 {N}^은 어제 [출국|입국]했다.
영문명 SONG BYEOL, {N}, 만료일 내년 오월.
비자 발급 대상자: 서하율({N})
{N}
동승자 것도 같이 보낼게 {N} 이거야
유학 서류 첫 장에 {N}^이 적혀 있었다.
입국 심사관은 {N}^을 두 번 확인했다.
신분 확인란에 '{N}'^이라고 썼습니다.
대사관에서 {N}에 도장을 찍어 주었다.
모바일 탑승권에 {N}^과 영문 이름이 보입니다.
사증 신청 번호 옆에 {N}^을 함께 적으세요.
해외여행자 보험 가입 화면에서 {N} 입력 후 다음을 누르세요.
여권번호는{V}입니다 확인해 주세요
새 여권은{V}^로 나왔어요.
여권 {V}, 여권 {V} 두 건을 함께 접수했습니다.
"""

PASSPORT_LOOKALIKE = """
== part or product number
부품번호 A########^을 주문했습니다.
이 나사의 품번은 S########입니다.
품번 R########^은 [재고가 없습니다|내일 들어옵니다].
청소기 필터 G########^을 찾고 있어요. 부품 번호 맞죠?
제품 코드 [D########|K########]^로 검색하세요.
호환 배터리 모델명은 M###B####-X입니다.
== invoice or order
송장 B########^이 세관에 걸려 있다.
주문번호 M######## 건은 취소되었습니다.
견적서 번호 S########^을 회신에 적어 주세요.
거래명세서 [G########|C########]의 금액이 맞지 않습니다.
청구서 D########^은 다음 주에 나갑니다.
운송장 번호 R#########^이 검색되지 않아요.
== weapon or vehicle
[M16A1 소총|M4A1 카빈]은 박물관에 전시되어 있다.
모형 총 M16A####^은 품절이라 못 샀다.
전차 M48A5[K|K1] 모형을 조립했어요.
K2C1 소총과 M203 발사기 [두 정|세 정]이 사라졌다.
모터쇼에서 [M340i|M550d] 신형을 봤습니다.
== aircraft and ships
B737-800 [12|15]대가 같은 점검을 받았다.
A321-200 기종은 좌석이 [194|182]석이다.
함번 [D-991|S-082] 함정이 입항했다.
== model names
[갤럭시 S21|아이폰 13]에 맞는 케이스를 샀다.
노트북 [NT950XDA-X71A|NT930QDB-KC59]^은 무겁지 않다.
카메라 [EOS M50|DSC-RX100M7]^로 찍은 사진이에요.
그래픽 카드 드라이버 [R470.86|R512.15] 판이 안정적이다.
서버 랙 [PE-R740|PE-R640] 세 대를 들였습니다.
== course code
강의 M1234 과목은 [이번|다음] 학기에 폐강된다.
과목 코드 [GEC1024|CSE3081]^은 전공 필수다.
학수번호 S####-##^을 수강 신청 창에 넣으세요.
== colour codes, lots
염색약 색상 번호 [M1234567|R3344112]^은 밝은 갈색이다.
로트 번호 M##A##### 제품을 회수합니다.
제조 번호 S#########1의 유통 기한이 지났습니다.
생산 이력 코드 G##########^은 포장 뒤에 있다.
== chemistry and medicine
비타민 [B12|D3]^과 오메가3를 같이 먹어도 되나요?
질병 코드 [M51.2|S83.5]^은 보험 청구에 쓰입니다.
사료 첨가제 [E330|E471]^이 들어 있다.
== space and science
은하 [M87|M104]의 사진이 공개되었다.
소행성 [S/2003 J 12|S/2004 N 1]의 궤도를 계산했다.
== clubs and size
[M95|L100] 사이즈로 교환하고 싶어요.
회원 등급 [M1|S3]^은 적립률이 높다.
== longer serials with letter
시리얼 번호 M#########12^은 보증이 끝났습니다.
일련번호 [SM##########|RG##########]가 적힌 스티커를 떼지 마세요.
쿠폰 코드 D########99X를 입력하면 천 원을 깎아 줍니다.
장비 자산 번호 M###C####-02^은 [이 층|삼 층] 회의실에 있다.
== passport word without number
여권 사진은 [3.5|3.6]cm에 4.5cm로 찍어 주세요.
여권 발급 건수가 [1,204,500|986,300]건으로 늘었다.
여권 만료 [6|3]개월 전에는 재발급을 권합니다.
대한민국 여권으로 [190|187]개국에 무비자로 간다.
"""

LICENCE_TRUE = """
운전면허번호는 {V}입니다.
면허번호: {V}
운전면허증({V})을 분실하여 재발급을 신청합니다.
[임차인|운전자]의 면허번호 {V}^을 확인하였다.
면허 {V}^로 렌터카를 예약했어요.
경찰은 면허번호 {V}의 운전자를 조사하고 있다.
제 면허가 {V}인데 적성검사 기간이 언제까지예요?
앱에 운전면허 {V}^을 등록하면 바로 탈 수 있습니다.
면허번호{V}^은 조회되지 않습니다.
{V}, 이게 제 운전면허 번호예요.
"면허번호 {V}"라고 적힌 쪽지가 나왔다.
운전면허 [{V}] 정지 처분을 알려 드립니다.
갑은 을의 운전면허증 {V}^을 사본으로 보관한다.
배달 기사 등록 양식 - 면허번호 {V}, 종별 2종 보통
벌점이 쌓여 면허 {V}^이 취소됐다고 하네요.
면허증 번호가 {V}에서 바뀌었나요?
아버지 운전면허는 {V}, 어머니는 면허가 없으세요.
카셰어링 가입할 때 면허번호 {V}^을 잘못 넣었더니 막혔어요.
보험사에 면허번호({V})와 사고 사진을 보냈습니다.
운전면허번호:{V},발급일은 작년 여름.
법원은 면허 {V}의 취소가 지나치다고 보았다.
새로 받은 영문 면허증에도 {V}^이 그대로 적혀 있어요.
1종 대형 면허 소지자 장다온, {V}
면허번호 뒤를 가린 사진 말고 {V} 전체가 보이게 올려 주세요.
지입 기사 모집, 합격자 운전면허 {V} 확인 완료
대리운전 기사님 면허번호가 {V}^로 등록되어 있네요.
국제운전면허를 받으려면 {V}^과 여권이 필요하다.
도로교통공단에 면허 {V}^을 조회해 보았다.
운전면허 갱신 대상: {V}
면허번호 칸에는 '{V}'처럼 띄어 쓰지 마세요.
학원 선생님이 제 면허 {V}^을 수첩에 적어 두셨어요.
{N}
조회한 면허번호는 {V}.
신분증 번호 {N}^로 본인 확인을 마쳤습니다.
신분 확인: {N}, 담당자 [오세빛|유한결]
렌터카 계약서의 운전자란에 {N}^이라 적혀 있다.
{N}^은 1종 보통이고 무사고입니다.
차를 빌릴 때 {N}^과 카드가 필요했다.
제 것은 {N}인데 앞자리가 지역 번호래요.
제2운전자 정보를 {N}^로 추가해 주세요.
음주 단속에 걸린 40대 운전자({N})가 입건됐다.
사진 속 운전자 카드에는 {N}^이라는 번호가 보였다.
화물 기사 명부: 문이든 {N} / 노을찬 {N}
적성검사 안내문이 {N} 앞으로 나왔다.
운전 경력 증명서 발급 대상은{N}입니다.
제 면허번호는{V}^이고 1종입니다.
탁송 기사 {N}^이 오후에 도착합니다.
"""

LICENCE_LOOKALIKE = """
== order or document number with the same shape
품번 11-[17|20]-######-01은 단종되었습니다.
주문번호 21-0§-######-0§^이 배송 중입니다.
문서번호 13-1#-######-1#^을 참고하세요.
도면 번호 25-§#-######-03에 오류가 있다.
부품 코드 12-04-######-#2를 발주했습니다.
예산 과목 14-2#-######-10^은 전액 삭감됐다.
== wrong region code
제품 번호 4§-12-######-78^을 검색하세요.
시리얼 9#-0#-######-1#^은 보증 기간이 지났다.
기자재 번호 5#-19-######-02가 창고에 있다.
좌석 관리 번호 07-1#-######-33^로 찾으시면 됩니다.
== date
[11-17-2020|12-25-2019]에 올라온 사진입니다.
11-[20|27]-26 새벽에 첫눈이 내렸다.
회의는 2020-11-[17|24]에서 일주일 미뤄졌다.
== time stamp of twelve digits
로그 파일 2020111[5|7]1230^을 열어 보세요.
촬영 시각 2019070[3|8]1815 기준으로 정렬했다.
백업 폴더 이름은 2021[0830|1012]2359입니다.
== order number of twelve digits
주문번호 11#########2^은 오늘 발송됩니다.
송장번호 2§########## 조회 결과가 없습니다.
택배 운송장 13##########^을 문 앞에 붙여 두었다.
상품 번호 28##########^로 검색하세요.
== lottery and scores
로또 [11-17-24-33-41-45|12-18-21-30-36-44]가 나왔다.
세트 점수 [25-23-25-19|21-25-25-17] 순으로 적었다.
배드민턴 [21-17, 21-15|21-19, 22-20] 승리.
== region with score or range
서울 [85-82|91-88] 승리, 원정 4연승을 달렸다.
부산 [20-25|22-27]도, 내륙은 더 덥겠습니다.
경기 [90|120]분 내내 비가 내렸다.
대구 [12-3|10-4] 대승으로 순위가 뒤집혔다.
인천 [98-95|77-75] 창원, 버저비터가 승부를 갈랐다.
제주 [10-20|30-50]mm의 비가 예보됐다.
강원 [11-17|12-19]일 대설 주의보가 내려졌다.
== phone labelled as phone
운전면허 학원 전화는 ⟦phone:031-§##-####⟧입니다.
면허 시험 문의는 ⟦phone:010-§###-####⟧^로 주세요.
== licence word without number
면허 시험 합격률은 [54.3|61.7]%였다.
운전면허 필기 [82|94]점으로 붙었어요!
면허 취소 기준은 벌점 [121|201]점이다.
2종 면허 적성검사는 [10|9]년마다 받는다.
면허 따는 데 [78만|92만] 원 들었어요.
운전면허 소지자 [3,319|3,264]만 명 시대가 열렸다.
== short hyphen runs
버스 [11-1|17-2]번이 학교 앞에 섭니다.
[3-11|4-17] 반 학생들이 운동장에 모였다.
시험 범위는 [11-17|12-26]쪽이고 쉬는 날은 없다.
화면 비율 [16-9|21-9]로 맞춰 주세요.
== catalogue
유물 번호 [신수-14-######-05|본관-11-######-12]는 보존 처리 중이다.
악보 [11-17-4|12-26-3]번을 연습하고 있어요.
도서 청구 기호 [811.17-174|813.7-413]-01 자리에 없네요.
"""

BUSINESS_TRUE = """
사업자등록번호는 {V}입니다.
사업자번호: {V}
[세금계산서는|현금영수증은] 사업자 {V}^로 끊어 주세요.
(주)가람소프트 ・ 대표 배온새 ・ 사업자등록번호 {V}
저희 사업자번호가 {V}인데 조회가 안 되나요?
사업자등록번호({V})를 정확히 입력하세요.
사업자 {V}^은 지난달에 폐업 신고를 했다.
사업자번호{V}^로 가입된 계정이 있습니다.
국세청 조회 결과 사업자 {V}^은 일반과세자로 나온다.
{V}, 이게 새 사업자번호예요.
"사업자등록번호 {V}"라고 영수증 위에 찍혀 있어요.
갑(사업자등록번호 {V})과 을은 다음과 같이 계약한다.
하단 표기: 들꽃식당, 사업자 등록 번호 [{V}]
사업자번호:{V},업태 도소매.
유령 회사는 사업자 {V}^을 빌려 물건을 팔았다.
사업자 {V}^이라서 계산서 발행이 됩니다.
쇼핑몰 맨 아래에 사업자번호 {V}^이 있는지 꼭 보세요.
사업자등록증에 {V}^이라고 되어 있는데 지점 번호인가요?
입점 신청서 1번 사업자등록번호 {V} / 2번 상호 새참국수
전자세금계산서를 사업자 {V}에서 받았습니다.
거래처 사업자번호 {V}^과 상호가 다릅니다.
공정거래위원회는 사업자 {V}의 통신판매업 신고를 확인했다.
사장님, 사업자번호 {V} 맞죠? 계산서 보낼게요.
광고주 정보 - 상호 해솔인테리어, 사업자 {V}
사업자등록번호 {X}^은 없는 번호라고 나옵니다.
사업자등록번호: {X}
이 공고의 사업자등록번호 {X}^은 오타로 보입니다.
공고에 적힌 사업자등록번호는 {V}.
상호 미르테크({N}) 대표 남궁솔
공급자 등록번호 {N}, 공급받는 자 등록번호 {N}
{N}
영수증에 찍힌 {N}^은 본점 번호예요.
{N}^로 세금계산서 발행 부탁드립니다.
(주)온빛물류는 {N}^로 등록된 회사다.
가맹점: 노을커피 / {N} / 승인 완료
세무서에서 {N} 앞으로 고지서를 보냈다.
판매자 정보를 눌러 보니 {N}^이 뜨네요.
견적서 머리말에 '{N}'^을 넣어 주세요.
납품 업체는 {N}^과 거래한 적이 없다고 밝혔다.
우리 가게는{N}입니다. 현금영수증 됩니다.
홈택스에서 {N}^을 조회하면 휴업으로 나온다.
상호: 바람개비공방, 등록번호: {N}, 업종: 목공
전표의 공급자 칸에는 {N}에서 발행했다고 적혀 있다.
이용 약관 제1조의 회사는 한울식품({N})을 말한다.
계산서 잘못 왔어요. {N} 말고 다른 번호로 다시 주세요.
인쇄소 "{N}"^로 입찰에 참여했습니다.
계산서는 사업자번호{V}^로 주세요.
과세 당국은 {N} 명의의 매출을 들여다보고 있다.
"""

BUSINESS_LOOKALIKE = """
== wrong check digit, other word
품번 {badbiz}^은 재고가 [없습니다|한 개 남았습니다].
접수번호 {badbiz}^로 [조회|문의]해 주세요.
이 부품은 {badbiz} 규격과 호환됩니다.
모델명 {badbiz}^은 올해 단종됐다.
관리 코드 {badbiz}^을 스티커로 붙였다.
재고표의 {badbiz} 칸이 비어 있어요.
실험 표본 {badbiz}에서 반응이 나타났다.
도면 {badbiz}^을 다시 그려야 합니다.
== ten digits with order word
주문번호 {okbizbare}^이 취소되었습니다.
송장번호 {okbizbare} 배송 조회가 안 돼요.
기사 고유번호 10########^로 검색하면 원문이 나온다.
상품 코드 20########^을 장바구니에 담았어요.
예약번호 {badbizbare}^을 보여 주세요.
티켓 번호 30########^은 현장에서 확인합니다.
== unix time
서버 시각이 160491[2345|8877]^로 멈춰 있었다.
캐시 만료 값은 158[3020800|5699200]입니다.
== isbn of ten digits
옛 책이라 ISBN이 89-364-[3|7]###-§^로 적혀 있다.
ISBN 89-546-####-§인 [초판|개정판]을 구합니다.
== date
[2020-10-11|2019-12-30]에 개업한 가게입니다.
2020-10-1[1|2] 10:30 기준 자료를 쓴다.
점검은 [10-11-2020|12-13-2021]에 끝났다.
기간은 [20-10-11|21-03-02]부터 한 달이다.
== phone labelled as phone
사업자 상담은 ⟦phone:010-§###-####⟧^로 하세요.
가게 번호는 ⟦phone:02-§##-####⟧입니다.
세무 상담 ⟦phone:010§#######⟧
== scores
농구 점수가 [101-81|120-99]까지 벌어졌다.
볼링 점수 [201-86-45|220-81-93] 순으로 적으세요.
최종 [105-02|98-01] 차로 달아났다는 농담이 돌았다.
== amounts with business words
사업자 매출이 [1,234,567,890|2,048,000,000]원을 넘었다.
개인 사업자 [5,512,000|6,143,000]명이 신고 대상이다.
사업자 대출 금리가 [4.35|5.12]%로 올랐다.
세무서는 사업자 [220|304]곳을 조사한다.
사업자등록은 개업 후 [20|30]일 안에 해야 합니다.
== other groupings
도서관 청구 번호 [813-62-1|911-05-3]을 찾아 주세요.
부품 [101-81-123|120-86-44]과 너트 두 개.
우편 관리 번호 [101-811-23456|220-861-00123] 건입니다.
특허 [10-1234567|10-2098765]호가 등록됐다.
문서 2020-81-[00123|00456]호를 시행합니다.
공고 제2021-86-[10234|20345]호를 확인하세요.
== model names
진공 펌프 [VP-101-81|VP-220-86] 모델을 설치했다.
면적은 [101-81|120-86]㎡ 두 종류뿐이다.
[105-02|211-87] 버스는 차고지로 들어갔다.
화분 번호 [101-12-3|214-81-7]에 물을 주세요.
우승 번호는 [3-21-45-11-29|7-15-22-38-41]이었다.
방송 편성 코드 {badbiz}^을 바꿔야 한다.
회로 기판 {badbiz} 판에서 연기가 났다.
"""

HEALTH_TRUE = """
건강보험증 번호는 {V}입니다.
건강보험증 번호: {V}
건보 증번호 {V}^로 조회해 주세요.
건강보험증({V})을 잃어버렸어요.
[수진자|환자]의 건강보험증 번호 {V}^을 적으세요.
보험증 번호 {V}^이 맞는지 창구에서 확인했다.
건강보험 자격득실 확인서에 {V}^이 찍혀 있어요.
우리 가족은 건강보험증 {V} 하나에 같이 올라가 있어요.
건강보험증번호{V}^을 입력하니 오류가 납니다.
{V}, 이게 제 건강보험증 번호예요.
"건강보험증 번호 {V}"라고 처방전에 써 있네요.
건강보험증 [{V}] 재발급이 끝났습니다.
접수대에서 건강보험증 {V}^을 부르게 한 병원이 논란이다.
직장을 옮겨 건강보험증 번호가 {V}^로 바뀌었습니다.
건강보험공단은 보험증 {V}의 부정 사용을 적발했다.
피부양자 등록: 건강보험증 {V}, 관계 모
진료 의뢰서 양식 - 성명 / 건강보험증 번호 {V} / 상병명
건보 번호 {V}^은 아버지 명의로 되어 있어요.
요양급여 신청인은 건강보험증 번호({V})를 기재한다.
건강보험증:{V},가입자 윤슬아.
다른 사람의 건강보험증 {V}^로 진료받은 이가 붙잡혔다.
검진 예약할 때 건강보험증 번호 {V}^을 물어보더라.
약국에서 보험증 {V}^을 조회했더니 자격이 없다고 해요.
지역 가입자 건강보험증 번호는 {V}에서 바뀌지 않았다.
건보 가입 확인: {V}
임신 바우처 신청란에 건강보험증 번호 {V}^과 출산 예정일을 쓰세요.
회사에서 알려 준 건강보험증 번호가 {V}인데 앱에서는 안 떠요.
종이 건강보험증을 펴 보니 {V}^이라 적혀 있었다.
건강보험증 번호 '{V}'^로 본인부담금을 계산했습니다.
장기요양 인정 신청서의 건강보험증 칸은{V}입니다.
틀니 지원은 건강보험증 {V} 기준으로 한 번만 됩니다.
공단 직원이 보험증 번호 {V}^을 다시 불러 달라고 했다.
[학생|직원] 건강검진 명단: 강바다, 건강보험증 {V}
할머니 보험증 번호는 {V}, 병원은 다음 주 화요일이야.
건강보험증 번호가 {V}이라고 했는데 맞나 봐 줄래?
실손 청구할 때 건강보험증 {V}^을 같이 올리세요.
유출된 파일에는 이름과 건강보험증 번호 {V} 따위가 들어 있었다.
임플란트 급여는 건보 증번호 {V} 앞으로 등록되었습니다.
건강보험증은{V}^이고 세대원은 세 명입니다.
보험증 두 장, 건강보험증 {V} 그리고 건강보험증 {V}.
제 건강보험증 번호는 {V}.
증번호 {N}^로 자격을 조회했습니다.
가입자 증번호: {N}
처방전 위쪽의 증번호 {N}^을 [지우고|가리고] 올렸어요.
세대주 증번호가 {N}^로 나와 있네요.
수진자 한별이, 증번호 {N}, 초진
"""

HEALTH_LOOKALIKE = """
== order, product or tracking number
주문번호 1-##########^은 오늘 발송됩니다.
제품 코드 2-##########^을 확인하세요.
운송장 3-##########^이 조회되지 않습니다.
품번 5-##########^은 수입이 끊겼다.
사건 번호 7-##########^로 등록된 문의입니다.
시리얼 [1|6]-##########-A를 적어 보내 주세요.
== eleven digits with other word
송장번호 6##########^이 아직 집하 전이에요.
주문번호 2##########^을 취소해 주세요.
상품 번호 5##########^이 품절되었다.
게시글 번호 1##########^은 삭제된 글입니다.
재고 코드 7##########^을 찾을 수 없다.
== ranges and grades
초등학교 [1-2|3-4]학년이 참가했다.
[1-2|2-3]일이면 도착합니다.
하루 [1-2|2-3]회 식후에 드세요.
[3-1|2-0] 승리로 승점을 챙겼다.
수학 [2-1|1-2] 교과서를 잃어버렸어요.
[5-6|7-8]월에 꽃이 활짝 핀다.
문단 [1-3|2-4]번을 읽고 답하세요.
== year ranges
[1-2020|3-2021]호 소식지가 나왔다.
학기 [1-2021|2-2020] 성적표를 올렸습니다.
== health insurance words with amounts
건강보험 재정은 [52,345,678,901|70,120,334,556]원 흑자를 냈다.
건강보험 급여비가 [71조 6,525억|80조 1,049억] 원에 이른다.
건강보험료율은 [7.09|6.99]%로 정해졌다.
건보 가입자 [5,141|5,138]만 명이 대상이다.
건강보험증은 [2018|2020]년부터 신청한 사람에게만 보낸다.
건보공단 지사 [178|176]곳에서 상담을 받습니다.
건강보험 환급금 [128,400|96,200]원이 들어왔어요.
본인부담금은 [1-2|3-4]만 원쯤 나온대요.
건강보험 적립금이 [23조|28조] 원까지 쌓였다.
== phone labelled as phone
건강보험증 재발급 문의는 ⟦phone:010-§###-####⟧^로 주세요.
건보 상담 담당자 ⟦phone:010§#######⟧입니다.
보험증 분실 신고는 ⟦phone:02-§##-####⟧ 담당자에게 하세요.
== dates near insurance words
건강보험 자격 취득일은 [2020-10-11|2021-03-02]입니다.
건강보험증 발급일 [20.10.11|21.03.02] 이후의 것만 받습니다.
검진일은 [1-25|3-14], 결과는 2주 뒤에 나옵니다.
== lottery and codes
복권 [1조 234567|5조 103482]번이 당첨됐다.
방 번호 [1-203|2-504]에서 소리가 났다.
캐비닛 [3-17|4-22]번을 쓰세요.
질병 분류 [1-23|2-45]번 항목을 보세요.
영상 분류 번호 9-#########-1을 확인하세요.
== phone-like product hotline digits
제조 번호 8-########## [설비|기계]는 점검 대상이다.
기판 번호 9-##########^을 새것으로 갈았다.
서고 위치 [3-1024-7|2-0815-4]에 꽂혀 있다.
계량기 지침은 [12345678901|10293847561]와트시까지 올라갔다.
관측 횟수는 [1-2345|2-1034]회 사이였다.
"""

CARD_TRUE = """
카드번호는 {V}입니다.
카드번호: {V}
결제 카드는 {V}^로 해 주세요.
제 카드 {V}^이 정지됐어요.
분실 카드({V})의 재발급을 요청합니다.
[회원|고객]님의 카드 {V}에서 오만 원이 승인되었습니다.
카드번호{V}^을 입력하고 다음을 누르세요.
카드는{V}^로 결제 부탁드려요.
{V}, 유효기간은 내년 구월이에요.
"{V}" 이 번호로 긁으시면 됩니다.
해커는 {V}^을 비롯한 카드 정보를 빼돌렸다.
법인카드 [{V}]^은 식대에만 쓸 수 있다.
{V}
자동 납부 카드를 {V}에서 다른 카드로 바꿨습니다.
엄마 카드 {V}^로 학원비 결제했어.
예약 보증용 신용카드 {V}^과 영문 이름을 적어 주세요.
영수증에 카드번호 {V}^이 그대로 찍혀 나와 놀랐어요.
신용카드번호:{V},유효기간 미기재.
갑은 을의 카드({V})로 매월 구독료를 청구한다.
정기 후원 신청서 - 성명 한도윤 / 카드 {V} / 매월 5일
체크카드 {V}^이라고 적힌 사진이 퍼졌다.
해외 사이트에 {V}^을 넣었더니 이상한 결제가 떴어요.
경찰은 복제된 카드 {V}^로 금을 산 일당을 붙잡았다.
환불은 결제하신 {V} 카드로 들어갑니다.
카드사에 전화해서 {V} 말했더니 바로 막아 줬다.
호텔 직원이 카드번호 {V}^을 메모지에 적어 두었더군요.
{V} 카드는 한도를 넘었습니다.
선물하기 결제 수단: {V}
새 카드 나왔다! {V}인데 디자인이 예뻐.
정산 파일 셋째 줄의 {V}^은 지워야 합니다.
보이스피싱범이 카드번호 {V}^을 불러 달라고 했대요.
여행자 클럽 카드 '{V}'^을 등록하면 라운지가 무료예요.
법원은 피고가 {V} 카드를 몰래 쓴 사실을 인정했다.
고객 상담 기록: 카드 {V} 사용 정지, 재발급 원함
배송비는 {V}^로 같이 결제해 주시면 됩니다.
가족 카드 두 장은 {V}, {V}입니다.
간편결제에 {V}^이 두 번 등록됐어요.
승인 취소 요청드립니다. {V}, 삼만 이천 원.
주유 할인 카드{V}입니다.
카드번호 {X}^은 잘못된 번호라고 떠요.
카드번호: {X}
카드번호 {X}^을 세 번 넣었는데 다 거절됐습니다.
마지막으로 등록된 카드는 {V}.
이 카드({V})와 신분증을 함께 보여 주세요.
교통비는 {V}에서 빠져나갔고 잔액이 모자랐다.
직원이 {V}^을 화이트보드에 써 놓고 퇴근했다.
"""

CARD_LOOKALIKE = """
== Luhn-valid order or tracking number
주문번호 {okcardbare}^이 확정되었습니다.
송장번호 {okcardbare}^로 배송을 조회하세요.
운송장 번호 {okcard}^이 아직 뜨지 않아요.
주문번호: {okcard}, 상품 [두 개|세 개]
접수번호 {okcardbare} 건은 처리 중입니다.
택배 송장 {okcard}^은 반송되었다.
== Luhn-invalid serial
시리얼 번호 {badcard}^을 등록해 주세요.
일련번호 {badcardbare}^이 스티커에 있습니다.
이 장비는 {badcard}^이라는 자산 번호로 관리한다.
정품 인증 키가 {badcard}^로 시작해요.
상품권 핀 번호 {badcard}^은 이미 썼습니다.
와이파이 공유기 뒤에 {badcardbare}^이 적혀 있다.
쿠폰 {badcard}^을 입력하면 배송비가 없어요.
실험 데이터 {badcardbare} 행을 지웠다.
전자책 열람 코드는 {badcard}입니다.
게임 초대 코드 {badcard}, 먼저 쓰는 사람이 임자!
측정값 {badcardbare}^은 잡음으로 보인다.
== isbn or barcode
ISBN 978-89-[364|546]-####-#^로 주문했어요.
바코드 880[17|94]########^을 찍어 주세요.
책 뒤의 979-11-####-###-#^을 보고 찾았습니다.
== years and dates
연도별 자료는 [2017-2018-2019-2020|2018-2019-2020-2021]^로 나뉜다.
로그는 20201015[0930|1745]1234에서 끊겼다.
파일 이름이 [20201011-20201231|20210101-20210630]입니다.
== amounts
예산은 [4,532,015,112,830,366|5,105,105,105,105,100]원으로 적혀 있었다.
총자산 [4111조|4532조] 원을 넘겼다.
카드 사용액은 [1,234,567|3,210,987]원이었다.
한도가 [4,000|5,500]만 원인 카드를 받았다.
카드 포인트 [12,345|54,321]점이 사라졌어요.
== product and model
그래픽 카드 [4070|4090]^이 품절이다.
메모리 카드 [128|256]기가 두 장 주세요.
트럼프 카드 [52|54]장을 모두 세어 보았다.
카드 단말기 모델은 [KIS-2160|NC-9000]입니다.
== math and science
원주율은 3.14159265358979[32|3]까지 외웠다.
난수 [8273-1|6615-2]^을 씨앗값으로 썼다.
좌표 [4532-0151|5105-1051]에서 만나요.
유전자 서열 번호 [1234-5678|4321-8765] 구간을 잘라 냈다.
== scores and schedule
점수는 [4321-1234|5555-4321]로 게임이 끝났다.
화면 해상도 [3840-2160|2560-1440]까지 지원합니다.
버스 시간 [0930-1030-1130-1250|0815-0915-1015-1120] 순서로 옵니다.
== phone labelled as phone
카드 배송 기사 번호는 ⟦phone:010-§###-####⟧입니다.
카드 상담사 직통 ⟦phone:02-§###-####⟧^로 거세요.
== card word without number
카드 결제 [16|15]자리 번호는 말하지 마세요.
카드 뒷면의 [세|네] 자리 숫자를 가리세요.
새 카드 유효기간은 [5|7]년입니다.
== longer or shorter digits
전자 문서 번호 {badcardbare}-0§^을 확인하세요.
화물 관리 번호 [4532-0151-128|5105-1051-051] 건을 찾습니다.
보고서 식별 번호 4###-####-####-####-####^은 자동으로 붙는다.
"""

PLATE_TRUE = """
차량번호는 {V}입니다.
차량번호: {V}
번호판 {V}^을 단 흰색 승용차가 달아났다.
제 차 {V}인데 주차 등록 부탁드려요.
사고 차량({V})의 블랙박스를 확인 중이다.
[방문|입주민] 차량 {V}^을 등록했습니다.
차량번호{V}^로 조회하니 과태료가 있네요.
차 번호가 {V}^로 바뀌었어요.
매매 계약의 목적물은 차량 {V}^로 한다.
"{V}" 차주분, 차 좀 빼 주세요!
주차장에 세워 둔 차는{V}입니다.
번호판이 {V}인 트럭을 보신 분은 제보해 주세요.
경찰은 차량 {V}의 소유자를 쫓고 있다.
견인된 차량 [{V}]^은 보관소에 있습니다.
택배 차 {V}^이 골목을 막고 있어요.
렌터카 {V}^을 반납했는데 흠집이 있대요.
{V} 차량, 비상등을 켠 채 두 시간째 서 있습니다.
보험 대상 차량은 {V}, 최초 등록은 작년입니다.
중고차 사이트에 올라온 {V} 차량은 침수차였다.
하이패스 미납 안내: 차량 {V}
정기 주차 신청서 - 차량번호 {V} / 차종 경차
차량번호 {V}^과 운전자 이름을 적으세요.
번호판 '{V}'^이 찍힌 사진을 첨부합니다.
고속도로에서 차량 {V}에 받쳐서 수리 중이에요.
아빠 차 번호 {V} 맞지? 정문에 말해 둘게.
운행 일지: 차량 {V}, 출발 9시
택시에 두고 내린 가방을 찾아요. 차 번호는 {V}^이었어요.
자동차등록증에 적힌 번호판은 {V}입니다.
세차 예약 차량 {V}, 오후 두 시.
갑은 차량({V})을 을에게 인도한다.
불법 주차 신고 대상은 차량 {V}이고 위치는 학교 앞입니다.
도난 차량 {V}^이 항구에서 발견됐다.
폐차한 차 번호 {V} 앞으로 세금이 또 나왔어요.
순찰차가 번호판 {V}^을 조회하자 수배 차량으로 떴다.
{N}
가해 차량은 {V}.
{N} 차 빼 주세요
{N}^은 어제부터 소화전 앞에 서 있어요.
지하 삼 층에 주차한 {N}입니다.
{N}^로 등록해 주시면 하루 무료라고 들었어요.
방금 {N}^이 제 앞으로 끼어들었어요.
신고합니다. {N}, 신호 위반.
단속 결과 {N}에 과태료 사만 원이 매겨졌다.
목격자는 {N}^을 똑똑히 기억했다.
오늘 오는 손님은 {N}, 관리실에 얘기해 뒀어요.
제 차는{N}이고 흰색이에요.
은색 세단({N})이 가드레일을 들이받았다.
"{N}"^이라고 적힌 주차권을 주웠습니다.
"""

PLATE_LOOKALIKE = """
== amounts with jo
정부는 [12조 5000억|15조 3000억] 원을 푼다.
매출 [11조 2340억|14조 8650억] 원을 기록했다.
추경 [35조 1000억|28조 4000억] 원이 국회를 넘었다.
== temperature and distance
기온 [20도 1000|25도 1500]m 높이에서 측정했다.
오븐 [180도 1000|200도 1200]W에서 십 분 구우세요.
위도 [37도 1234|35도 1790] 지점이라고 적혀 있다.
== weeks and shares
적금 [10주 2000|26주 1000]원부터 넣을 수 있어요.
주식 [52주 2400|25주 1850]원 선이 무너졌다.
소액 투자자가 [12주 3450|15주 1200]원에 샀다.
== multiples
몸값이 [10배 2000|20배 3000]만 원까지 뛰었다.
이자가 [12배 1500|15배 1800]원으로 불었다.
== counters
두부 [15모 1200|20모 1500]원이면 정말 싸네요.
신문 [10부 2000|30부 6000]원에 팔아요.
글자 [24자 1000|36자 1500]줄을 입력했다.
건전지 [10구 1200|20구 2400]원짜리 상자.
달걀 [30구 7900|15구 4500]원, 오늘만 할인합니다.
작명 [12수 1000|15수 2000]원이라니 농담이겠죠.
하루 [100보 1000|200보 2000]걸음씩 늘려 보세요.
== legal articles
민법 제12조 [3456|1020]면 주석을 읽었다.
조례 [15조 2020|11조 2021]년 개정안을 보라.
형법 제[98조 1953|99조 1954]년 원문을 찾았다.
== court cases
대법원 98다[1234|5678] 판결을 인용했다.
판례 99도[1024|3345]^은 아직도 쓰인다.
대법원 94누[4567|8901] 판결에 따르면 처분은 위법하다.
법원은 95나[2345|7712] 사건에서 원고의 손을 들어 주었다.
서울고등법원 84구[1023|2231] 판결을 뒤집었다.
== issue number
학술지 제[10호 2021|12호 2019]년 겨울 판에 실렸다.
월간지 [15권 11호|24권 12호] 3000부를 찍었다.
태풍 [10호 2020|15호 2019]년 경로와 비슷하다.
== document number
문서번호 2020-가-[1234|5678]^을 보세요.
공고 [2021-나-1023|2022-다-4410]호가 붙었다.
== records
투수 [12승 3456|15승 2345]이닝이라는 표기는 오타다.
팀은 10승 [12무 1003|11무 1240]득점으로 시즌을 마쳤다.
== rooms, buildings and flats
신관 [101호 2019|102호 2020]년 사진을 찾았다.
[84A|59B] 평형이 가장 먼저 팔렸다.
강의실 [12가|21나]에서 보강합니다.
== street names
종로[3가|5가] 2019년 사진을 찾아요.
을지로[2가|4가] 1980년대 풍경.
== time and people
하루 [10시간 1000|12시간 1200]명이 다녀갔다.
참가 [10사 1200|30사 2500]명이 모인 박람회였다.
노래방 [11가|12나] 방이 비었습니다.
== class and seat
[12나|15가] 좌석은 무대가 잘 보인다.
[가 12 3456|나 15 2210] 구역 관람권을 샀어요.
== number lists
군번줄 같은 [12-3456|15-7788] 열쇠고리를 주웠다.
엔진 배기량 [1600|2000]cc에 [120|150]마력이다.
차 [12대 3456|15대 2100]만 원에 넘겼다.
자동차 [12만 3456|20만 1234]대가 팔렸다.
차량 [5부제|2부제]가 다음 달에 시작된다.
"""

# --- from carriers to cases --------------------------------------------------------------------

FORMS = {
    "address": (ADDRESS_FORMS, ADDRESS_FORMS),
    "bank_account": (ACCOUNT_FORMS, ACCOUNT_FORMS),
    "passport": (PASSPORT_FORMS, ("M old", "new")),
    "driver_license": (
        LICENCE_FORMS,
        ("hyphens", "en-dashes", "hyphens", "full-width digits", "hyphens", "full-width hyphens"),
    ),
    "business_number": (
        BUSINESS_FORMS,
        ("hyphens", "hyphens", "hyphens", "en-dashes", "full-width digits"),
    ),
    "health_insurance": (HEALTH_FORMS, ("hyphens",)),
    "card": (CARD_FORMS, CARD_FORMS),
    "vehicle_plate": (PLATE_FORMS, PLATE_CLEAR_FORMS),
}
CARRIERS = {
    "address": (ADDRESS_TRUE, ADDRESS_LOOKALIKE),
    "bank_account": (BANK_TRUE, BANK_LOOKALIKE),
    "passport": (PASSPORT_TRUE, PASSPORT_LOOKALIKE),
    "driver_license": (LICENCE_TRUE, LICENCE_LOOKALIKE),
    "business_number": (BUSINESS_TRUE, BUSINESS_LOOKALIKE),
    "health_insurance": (HEALTH_TRUE, HEALTH_LOOKALIKE),
    "card": (CARD_TRUE, CARD_LOOKALIKE),
    "vehicle_plate": (PLATE_TRUE, PLATE_LOOKALIKE),
}
MAKERS: dict[str, Callable[[Draw, str], str]] = {
    "address": make_address,
    "passport": make_passport,
    "driver_license": make_licence,
    "business_number": make_business,
    "health_insurance": make_health,
    "card": make_card,
    "vehicle_plate": make_plate,
}
WRONG: dict[str, Callable[[Draw], str]] = {
    "card": lambda draw: make_card(draw, draw.pick(["hyphens", "bare", "blanks"]), valid=False),
    "business_number": lambda draw: make_business(draw, "hyphens", valid=False),
}
# Unlabelled numbers for look-alike sentences.
PLAIN: dict[str, Callable[[Draw], str]] = {
    "okcard": lambda draw: make_card(draw, "hyphens"),
    "okcardbare": lambda draw: make_card(draw, "bare"),
    "badcard": lambda draw: make_card(draw, "hyphens", valid=False),
    "badcardbare": lambda draw: make_card(draw, "bare", valid=False),
    "okbizbare": lambda draw: make_business(draw, "bare"),
    "badbiz": lambda draw: make_business(draw, "hyphens", valid=False),
    "badbizbare": lambda draw: make_business(draw, "bare", valid=False),
}
PARTICLES = {
    "은": ("은", "는"),
    "이": ("이", "가"),
    "을": ("을", "를"),
    "과": ("과", "와"),
    "와": ("과", "와"),
    "로": ("으로", "로"),
    "이라": ("이라", "라"),
    "이에요": ("이에요", "예요"),
    "이었": ("이었", "였"),
    "이고": ("이고", "이고"),
    "이며": ("이며", "이며"),
}
PARTICLE = re.compile(r"\^(이에요|이라|이었|이고|이며|은|이|을|과|와|로)")
CLOSERS = "⟧)]\"'”’"
DIGIT_ENDINGS = {0: "ng", 1: "l", 3: "m", 6: "k", 7: "l", 8: "l"}


@dataclass(frozen=True)
class Carrier:
    """One hand-written sentence: its type, true or look-alike, place in the list and tag."""

    type: str
    kind: str
    place: int
    sentence: str
    tag: str = ""


def ending_of(char: str) -> str:
    """Tell how a digit or syllable ends when read: '' for a vowel, 'l' for rieul, else a letter."""
    if char.isdigit():
        return DIGIT_ENDINGS.get(int(char), "")
    final = (ord(char) - 0xAC00) % 28
    return "" if final == 0 else "l" if final == 8 else "k"


def fit_particles(text: str) -> str:
    """Replace every ^particle by the one that fits the last spoken character before it."""
    while match := PARTICLE.search(text):
        name = match.group(1)
        ending = ending_of(text[: match.start()].rstrip(CLOSERS)[-1])
        open_form = ending == "" or (name == "로" and ending == "l")
        text = text[: match.start()] + PARTICLES[name][open_form] + text[match.end() :]
    return text


def choose_wording(sentence: str, carrier: Carrier, variant: int) -> str:
    """Take one of the [a|b] wordings, the next one for the next variant."""

    def choose(match: re.Match[str]) -> str:
        options = match.group(1).split("|")
        return options[(carrier.place + variant) % len(options)]

    return re.sub(r"\[([^\[\]{}]*\|[^\[\]{}]*)\]", choose, sentence)


def fill_slots(sentence: str, carrier: Carrier, variant: int) -> tuple[str, str]:
    """Fill the {slots}; return the marked sentence and the form of its values."""
    draw = Draw(f"{carrier.type}|{carrier.kind}|{carrier.place}|{variant}")
    bank = draw.pick(list(BANKS))
    turn = carrier.place * TRUE_VARIANTS + variant
    any_forms, clear_forms = FORMS[carrier.type]
    used = []

    def value(name: str, asked: str) -> str:
        if name in ("X", "R"):
            used.append("wrong check digit" if name == "X" else "road and number alone")
            return WRONG[carrier.type](draw) if name == "X" else _street(draw, "road")
        forms = clear_forms if name == "N" else any_forms
        if carrier.type == "bank_account":
            used.append(forms[turn % len(forms)])
            return make_account(draw, used[-1], asked or bank)
        used.append(asked or forms[turn % len(forms)])
        return MAKERS[carrier.type](draw, used[-1])

    def fill(match: re.Match[str]) -> str:
        name, asked = match.group(1), match.group(2) or ""
        if name in PLAIN:
            return PLAIN[name](draw)
        if name == "B":
            return draw.pick([bank, BANKS[bank][0]])
        return f"⟦{carrier.type}:{value(name, asked)}⟧"

    filled = re.sub(r"\{(\w+)(?::([^}]+))?\}", fill, sentence)
    filled = re.sub("#", lambda _: draw.digits(1), filled)
    filled = re.sub("§", lambda _: str(draw.between(2, 9)), filled)
    return filled, used[0] if used else ""


def read_markers(marked: str) -> tuple[str, list[dict[str, str | int]]]:
    """Take the ⟦type:...⟧ markers out and return the text with the spans they stood for."""
    text, spans = "", []
    at = 0
    for match in re.finditer(r"⟦(\w+):([^⟧]+)⟧", marked):
        text += marked[at : match.start()]
        start = len(text)
        text += match.group(2)
        spans.append({"type": match.group(1), "start": start, "end": len(text)})
        at = match.end()
    return text + marked[at:], spans


def describe(form: str, text: str, span: dict[str, str | int]) -> str:
    """Name the form of the value and what touches it on both sides."""
    start, end = int(span["start"]), int(span["end"])
    before, after = text[start - 1 : start], text[end : end + 1]
    tags = [form]
    if not before:
        tags.append("start of text")
    elif "가" <= before <= "힣":
        tags.append("glued before")
    elif before != " ":
        tags.append("mark before")
    if not after:
        tags.append("end of text")
    elif "가" <= after <= "힣":
        tags.append("particle after")
    elif after != " ":
        tags.append("mark after")
    return ", ".join(tags)


def carriers_of(type_: str) -> list[Carrier]:
    """Read the two sentence lists of a type; `== tag` lines name the look-alikes that follow."""
    found = []
    for kind, block in zip(("true", "lookalike"), CARRIERS[type_], strict=True):
        tag, place = "", 0
        for line in block.strip().splitlines():
            if line.startswith("== "):
                tag = line[3:]
                continue
            found.append(Carrier(type_, kind, place, line, tag))
            place += 1
    return found


def render(carrier: Carrier, variant: int) -> dict[str, object]:
    """Make one case of a carrier, without its id."""
    wording = choose_wording(carrier.sentence, carrier, variant)
    marked, form = fill_slots(wording, carrier, variant)
    text, spans = read_markers(fit_particles(marked))
    if carrier.kind == "true":
        form = describe(form, text, next(s for s in spans if s["type"] == carrier.type))
    else:
        form = carrier.tag
    return {"type": carrier.type, "kind": carrier.kind, "text": text, "spans": spans, "form": form}


def make_cases(type_: str) -> list[dict[str, object]]:
    """Make the cases of one type: every carrier in its variants, each text once."""
    cases: list[dict[str, object]] = []
    seen: set[object] = set()
    counts = {"true": 0, "lookalike": 0}
    for carrier in carriers_of(type_):
        for variant in range(TRUE_VARIANTS if carrier.kind == "true" else LOOKALIKE_VARIANTS):
            case = render(carrier, variant)
            if case["text"] in seen:
                continue
            seen.add(case["text"])
            counts[carrier.kind] += 1
            cases.append({"id": f"{type_}-{carrier.kind[0]}-{counts[carrier.kind]:03d}", **case})
    return cases


def check_cases(type_: str, cases: list[dict[str, object]]) -> None:
    """Stop when a count is short, a notation mark is left or a look-alike holds its own type."""
    kinds = [case["kind"] for case in cases]
    if kinds.count("true") < LEAST_TRUE or kinds.count("lookalike") < LEAST_LOOKALIKE:
        raise ValueError(
            f"{type_}: {kinds.count('true')} true, {kinds.count('lookalike')} look-alikes: too few"
        )
    for case in cases:
        text, own = str(case["text"]), f"'type': '{type_}'" in str(case["spans"])
        if re.search(r"[\^#§⟦⟧{}|]", text) or own != (case["kind"] == "true"):
            raise ValueError(f"{case['id']}: a mark is left, or the spans do not fit the kind")


def main() -> None:
    """Write one file a type beside this script."""
    for type_ in CARRIERS:
        cases = make_cases(type_)
        check_cases(type_, cases)
        lines = [json.dumps(case, ensure_ascii=False) + "\n" for case in cases]
        (FOLDER / f"{type_}.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
