"""Write part D of the labelled personal-data set: nine ways of writing that people really use.

Part D asks for values that are spelled, split, shortened or masked, and for values that only their
surroundings tell apart. The cases were written from how people write Korean; no rule of a detector
was read. Everything is fictional. No sentence carries two values in turn: every row has wording of
its own.

    python tests/pii/labelled/make_part_d.py

Notation: ``@@ class type`` opens a class; its true lines stand before ``--``, its look-alikes after
it, all as ``form tag | text``:
    ⟦...⟧         personal data of the class's type;  ⟦type:...⟧  of another type
    # and §       in a phone or an account number: any digit; a digit from 2 to 9
    ㅎ and ㅅ      in a phone number: any digit in Hangul; one from 2 to 9
    <을/를>       the particle that fits the sound before it
"""
# ruff: noqa: E501
# One sentence a line keeps the sentences readable and easy to compare; Korean letters count double.

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from make_part_a import NUMERALS, set_particles, surroundings, unmark
from make_part_c import Draw, full_width, skeleton

FOLDER = Path(__file__).resolve().parent
TRUE, LOOKALIKES = 40, 20
MARK = re.compile(
    r"⟦(?:(phone|rrn|frn|email|mention|address|bank_account|vehicle_plate):(?!:))?([^⟦⟧]+)⟧"
)
#: Signs that stand for a digit in the marks of these types.
DRAWN = {"phone": "#§ㅎㅅ", "bank_account": "#"}
#: A partial resident number is of either type: a look-alike of one holds neither.
KIN = {"rrn": {"rrn", "frn"}, "frn": {"rrn", "frn"}}
Span = dict[str, str | int]
Row = dict[str, Any]

SENTENCES = """
@@ phone-hangul-digits phone
letter O for both zeros | 자전거 아직 안 팔렸어요, 관심 있으시면 ⟦O1O-§###-####⟧ 문자 주세요
공 for 0 | 채팅은 잘 안 봐서 번호 남깁니다 ⟦공1공-§###-####⟧
all Hangul, blanks | 오픈톡 막혔네요... ⟦공일공 ㅅㅎㅎㅎ ㅎㅎㅎㅎ⟧ 저장해 두세요
all Hangul, bare | 무직자도 당일 상담 ⟦공일공ㅅㅎㅎㅎㅎㅎㅎㅎ⟧ 박팀장 찾으세요
영 for 0 | 할머니가 불러 주신 번호는 ⟦영일영-§###-####⟧<이었습니다/였습니다>
lower l for 1 | 현수막 시안에 휴대폰이 ⟦0l0-§###-####⟧<으로/로> 찍혀 있어요, 인쇄 전에 고쳐 주세요
I and O | 급매 오피스텔, 부동산 사절하고 직거래만 받아요 ⟦OIO §### ####⟧
공 in the first group only, particle after | 물건 확인하고 싶으시면 ⟦공10-§###-####⟧<으로/로> 전화 주시면 동영상 보내 드릴게요
all Hangul, hyphens | (스팸) 코인 무료 리딩 ⟦공일공-ㅅㅎㅎㅎ-ㅎㅎㅎㅎ⟧ 선착순 20명만 모십니다
letter O in every group | 사과 10kg 한 상자 35,000원, 주문은 ⟦O1O-§O##-#OO#⟧ 과수원 안주인에게
lower o for 0 | 번호 안 뜨게 이렇게 쓸게요ㅋㅋ ⟦o1o-§###-####⟧
Hangul first group, digits after | 과외 선생님 구합니다. 중2 수학이고 주 2회예요. ⟦공일공 §### ####⟧ 어머니 번호예요
digits first, Hangul after | 저한테 직접 주세요 ⟦010-ㅅㅎㅎㅎ-ㅎㅎㅎㅎ⟧ 사이트에서 자꾸 가려서 한글로 씁니다
하나/둘 as read aloud | 무전으로 받은 신고자 번호는 ⟦공하나공 삼둘칠팔 둘공하나오⟧, 다시 확인 바람
하나 for 1 only | 잘 안 들리신대서 천천히 불러 드렸어요. ⟦공하나공에 오사이구에 팔팔삼공⟧ 맞죠?
공, bare, no separators | 톡 안 되면 ⟦공1공§#######⟧
land line, all Hangul | 동사무소 번호가 ⟦공이 ㅅㅎㅎ ㅎㅎㅎㅎ⟧<이었던/였던> 것 같은데 지금은 안 받네요
land line, letter O | 마을회관 ⟦O31-§##-####⟧ 오전에만 사람이 있어요
land line, 공 in the code | 가게로 거시려면 ⟦공53-§##-####⟧, 월요일은 쉽니다
digits mixed at random | 글 지워지기 전에 적으세요 ⟦0일0-§#팔#-#이##⟧ 빨리요
digits mixed at random, bare | 중고폰 매입합니다 액정 나간 것도 OK ⟦공1O§#오#사###⟧ 24시간 상담
육 as 륙 | 교환수가 받아 적은 종이에는 '⟦공일공 이오륙사 칠륙삼일⟧'이라고만 쓰여 있었다.
영 and digits | 어르신이 "⟦영10에 §###에 ####⟧"라고 하셔서 그대로 적었습니다
Hangul digits with commas | 받아쓰기: ⟦공,일,공,ㅅ,ㅎ,ㅎ,ㅎ,ㅎ,ㅎ,ㅎ,ㅎ⟧ 이렇게 부르시더라고요
Hangul digits one by one, blanks | 차단 우회하려고 ⟦공 일 공 ㅅ ㅎ ㅎ ㅎ ㅎ ㅎ ㅎ ㅎ⟧ 라고 쓰는 업자 신고합니다
letters l and O, bare | 택배 기사님이 적어 놓고 가신 번호 ⟦OlO§#######⟧ 이거 맞나요 글씨가 헷갈려서
capital I for 1 | OCR 결과가 ⟦0I0-§###-####⟧<으로/로> 나오는데 실제 문서에는 숫자 일입니다. 후처리 규칙을 추가해 주세요.
공, dots | 팬클럽 총무 연락처는 ⟦공1공.§###.####⟧이고요 입금 확인은 저녁에 합니다
all Hangul, particle after | 혹시 ⟦공일공ㅅㅎㅎㅎㅎㅎㅎㅎ⟧번으로 온 문자 받으신 분 계세요? 저도 받았는데 사기 같아요
Hangul last group only | 안녕하세요 청소업체입니다. 입주 청소 평당 만 원, 견적은 ⟦010-§###-ㅎㅎㅎㅎ⟧에서 받습니다. 사진 보내 주시면 10분 안에 답 드려요. 주말 예약은 이미 다음 달까지 찼으니 평일로 부탁드립니다^^
old mobile code, Hangul | 아버지 옛날 번호 ⟦공일일 ㅅㅎㅎ ㅎㅎㅎㅎ⟧, 아직도 외우고 있다
070 in Hangul | 자꾸 ⟦공칠공-ㅅㅎㅎㅎ-ㅎㅎㅎㅎ⟧에서 보험 들라고 전화 와요 짜증
letter O, brackets | 강아지 찾습니다 (보호자 ⟦O1O-§##O-##O#⟧) 사례금 100만 원
공 and blank groups | 반찬 나눔해요 오늘 저녁까지 ⟦공1공 §### ####⟧ 선착순 두 분
Hangul and emoticon | 심심하면 연락해ㅎㅎ ⟦공일공 ㅅㅎㅎㅎ에 ㅎㅎㅎㅎ⟧ㅋㅋ
letter O after a word without blank | 문의는폰⟦O1O§#######⟧ 카톡도됨
영 as read, bare | 자동응답이 등록 번호를 '⟦영일영ㅅㅎㅎㅎㅎㅎㅎㅎ⟧'이라고 읽어 줍니다.
mixed letters in a petition | 청원인은 지난해부터 불법 사채업자에게 시달리고 있습니다. 업자는 전단지에 ⟦0lO-§###-####⟧처럼 숫자를 섞어 적어 단속을 피하고, 하루에도 서른 번씩 가족에게 연락합니다. 제발 수사해 주십시오.
공 with digits, colon before | 연락처:⟦공1공-§##공-#공##⟧(저녁 7시 이후)
Hangul digits on a notice | 층간소음 건으로 드릴 말씀이 있습니다. 602호 ⟦공일공 ㅅㅎㅎㅎ ㅎㅎㅎㅎ⟧
--
prefix alone | 공일일 쓰던 시절이 그립다, 그땐 안테나도 뽑았는데
prefix alone, letters | 신청서 휴대폰 칸은 O1O부터 찍혀 있어서 뒤만 쓰면 됩니다
memorial day | 육이오 때 헤어진 형님을 아직도 찾고 계십니다
movement names | 사일구와 오일팔을 한 단원에서 같이 가르치더라고요
briefcase | 공칠가방 하나 들고 나타난 사채업자 연기 대박ㅋㅋ
year read aloud | 이공이공년에 취업해서 벌써 칠 년 차라니
coal | 연탄 말고 구공탄이라고 부르던 시절 얘기임
product code with O and l | 부품 라벨에 LO1-2O19-OO45l 이라고 적혀 있는데 재고 있나요
error code with O | 세탁기에 에러 OE O1 뜨고 물이 안 빠져요
interface | 라즈베리파이 I/O 핀 17번이랑 27번이 안 먹혀요
counting aloud | 자 다 같이 일이삼사 오륙칠팔, 둘둘삼사 오륙칠팔!
bus line read aloud | 칠공이번 타고 오다가 영영삼 정류장에서 내리면 돼
gas | 산소포화도는 O2 센서 101번, CO 센서는 110번 채널입니다
a short time in Hangul | 영점일초 차이로 은메달이라니 보던 내가 다 억울하다
score read aloud | 후반 추가시간에 삼대이로 뒤집을 줄은 아무도 몰랐지
start of a serial number | 시리얼은 01O으로 시작하고 끝 네 자리만 지웠습니다, 정품 맞아요
pi in Hangul | 원주율을 삼점일사일오구이육오까지 외우는 다섯 살 조카
room and time in Hangul | 삼공일호에서 일곱 시 삼십 분까지 기다렸는데 아무도 안 오던데요?
lottery numbers in Hangul | 꿈에서 할아버지가 칠, 십이, 이십삼, 삼십사, 사십, 사십오를 불러 주셔서 그대로 샀는데 하나도 안 맞았습니다. 조상님도 로또는 모르시나 봐요 ㅠㅠ
password hint | 현관 비번 힌트: 공이 두 번, 팔이 한 번, 별표는 마지막
@@ phone-separators phone
tilde | 물김치 한 통 2만 원이에요 ⟦010~§###~####⟧ 동네 배달 가능
dots, one after the number | 원고 관련 문의는 ⟦010.§###.####⟧. 늦은 시간은 피해 주세요.
middle dot | 세탁소 사장님 ⟦010·§###·####⟧ (일요일 휴무)
slashes | 동창회 연락망 - 기수 대표 ⟦010/§###/####⟧
em dash | 수강 신청은 담당 조교 ⟦010—§###—####⟧에게 문자로 해 주십시오.
underscore | 파일명에 번호 넣어 주세요 예를 들면 제 번호 ⟦010_§###_####⟧ 이렇게요
two blanks | 엑셀에서 복사했더니 ⟦010  §###  ####⟧ 사이가 벌어지네요
brackets round the middle | 비계공 구함 ⟦010(§###)####⟧ 숙식 제공
digits one by one | 자동 차단되길래 띄어 씁니다 ⟦0 1 0 § # # # # # # #⟧
Hangul vowel as a dash | 애호박 한 박스 만 원!! ⟦010ㅡ§###ㅡ####⟧ 이장네
Hangul vowel as a dash, particle | 손주 봐 주실 분은 ⟦010ㅡ§###ㅡ####⟧<으로/로> 연락 바람니다
tildes with blanks | 장롱 가져가실 분만 ⟦010 ~ §### ~ ####⟧
araea as a middle dot | 대종회 총무부 ⟦010ㆍ§###ㆍ####⟧ 회비 납부 확인
slashes, land line | 시청 녹지과 ⟦031/§##/####⟧ 가로수 민원은 여기로 하래요
dots, land line | Tel ⟦02.§###.####⟧ Fax 없음, 방문 전 예약 필수
full-width tilde | 김장 배추 예약받습니다 ⟦010～§###～####⟧ 11월 20일 마감
square brackets | 기사 배차 완료 ⟦[010]§###-####⟧ 흰색 스타렉스
mixed hyphen and tilde | 이모 번호 바뀜 ⟦010-§###~####⟧ 저장해
mixed dot and hyphen | 반장 ⟦010.§###-####⟧, 부반장은 아직 안 정해졌어요
digits one by one with hyphens | 스팸 필터 피하려고 ⟦0-1-0-§-#-#-#-#-#-#-#⟧<이라고/라고> 써 놨네
digits one by one with dots | 연락은 ⟦0.1.0.§.#.#.#.#.#.#.#⟧ 문자만 받아요~
horizontal bar | 별첨 2 비상연락망: 현장소장 ⟦010―§###―####⟧
double hyphens | 피아노 조율합니다 ⟦010--§###--####⟧ 경력 30년
brackets, then dots | 한옥 민박 ⟦(033)§##.####⟧ 바비큐 숯 별도
two blanks, land line | 노인회관 ⟦041  §##  ####⟧ 점심 드시러 오세요
wave dash | 꽃집이에요 개업 화분 당일 배송 ⟦010〜§###〜####⟧
equals signs | 번호=⟦010=§###=####⟧ 오타 아님 일부러 이렇게 씀
commas | 용달 불러 주세요 ⟦010,§###,####⟧ 1톤 탑차
underscore, bare word before | 판매자연락처_⟦010_§###_####⟧_새상품
asterisks as separators | 벼룩시장에 내놨어요 ⟦010*§###*####⟧ 네고 사절
one by one, wider gaps between groups | 블로그 댓글이 자꾸 지워져서요. 이사 견적 궁금하신 분은 ⟦0 1 0  § # # #  # # # #⟧ 여기로 편하게 연락 주시고, 평수랑 층수, 엘리베이터 유무, 이사 날짜만 알려 주시면 바로 계산해 드립니다 :)
slashes with blanks | 주간 당직 ⟦010 / §### / ####⟧ 야간은 경비실
middle dots, particle after | 불편 사항은 ⟦010·§###·####⟧<을/를> 통해 알려 주시면 바로 조치하겠습니다
hyphen and blank | 약수터 물통 분실하신 분 ⟦010- §###- ####⟧
colons | 명함 스캔본 : 휴대전화 ⟦010:§###:####⟧
bullet | 부녀회장님 ⟦010•§###•####⟧ 고춧가루 공구 받으심
two brackets | 농기계 수리 ⟦010)§###)####⟧ 출장비 없음
katakana dot | 통역 봉사자 ⟦010・§###・####⟧, 베트남어 가능
box drawing dash | 입찰 담당자(⟦02─§##─####⟧)가 자리를 비운 탓에 접수 시각을 확인받지 못한 채 돌아왔고, 다음 날 마감이 지났다는 이유로 서류를 받아 줄 수 없다는 답변을 들었습니다.
dashes with blanks | 분양사무실 ⟦031 — §### — ####⟧ 상담 예약제
--
years with tilde | 2010~2019년 강수량 통계 어디서 받나요
page range | 교재 010~034쪽 풀어 오고 5678번 문제는 빼도 됨
date with dots | 접수일은 2010. 3. 4. 처럼 점 뒤를 한 칸씩 띄어 적으셔야 합니다
date and time with slashes | 2020/10/23 18:05/재측정/정상
coordinates with dots | 분화구 위치는 33.3617/126.5292 근처로 나옵니다
versions with dots | 펌웨어 10.2345.6789로 올렸더니 블루투스가 끊겨요
scores with middle dots | 국어·수학·영어 1·2·1등급이면 어디까지 되나요
price range | 예산 250~300만 원, 200~230도 괜찮으면 연락 갈게요
file name with underscores | 최종본은 report_0102_v34_5678.pdf 이고 나머지는 지우세요
temperature range | 오븐 180~200도에서 10~12분, 두께에 따라 가감하세요
statute articles | 제10조·제23조·제45조의2를 함께 읽어야 뜻이 통한다
digits one by one, a countdown | 10 9 8 7 6 5 4 3 2 1 발사! 다들 창밖 보고 있죠?
binary digits | 0 1 0 1 1 0 0 1 이진수로 바꾸면 아스키 무슨 글자예요
jersey numbers with slashes | 등번호 7/10/23/45번 유니폼만 남았습니다
blood pressure series | 어제 128/84, 오늘 아침 131/86, 약 먹고 119/75 나왔어요
ratio with colons | 반죽 물:밀가루:설탕 = 10:23:4 로 섞는다
chapter and verse | 출애굽기 20:1~17, 신명기 5:6~21 교독합니다
tyre size | 타이어 245/45/18 네 짝 교체, 공임 포함 견적이요
stock codes | 종목 005930 / 000660 / 035720 셋 다 물렸다
opening hours | 평일 09~18, 토 10~14, 점심 12~13시는 창구 하나만 엽니다. 지난번처럼 점심시간에 맞춰 오시면 번호표 뽑고도 한 시간 넘게 기다리실 수 있으니 되도록 오전 일찍 방문해 주시면 고맙겠습니다.
@@ phone-lost-zero phone
mobile without zero, hyphens | 담당자 휴대폰 ⟦10-§###-####⟧ (문자 가능)
mobile without zero, bare | 명단 올렸는데 전화번호가 ⟦10§#######⟧처럼 앞의 0이 다 날아갔어요
first group short, blank | 핸드폰 ⟦10§### ####⟧ 로 연락부탁드립니다
+82) with hyphens | 해외에서 거실 땐 ⟦+82)10-§###-####⟧
82) with hyphens | Mobile ⟦82)10-§###-####⟧ 영업1팀 대리 고은찬
+82 with dots | 명함 뒷면: M. ⟦+82.10.§###.####⟧
+82 keeping the zero | 왓츠앱은 ⟦+82 010-§###-####⟧<으로/로> 등록돼 있어요
+82 keeping the zero, hyphen | 현지 가이드가 저한테 걸 때 ⟦+82-010-§###-####⟧ 누르면 되나요
82 without plus, blanks | 유학생 학부모님 연락처 ⟦82 10 §### ####⟧
bracketed 82 | 주한 지사 ⟦(82)10-§###-####⟧, 시차 8시간 참고하세요
bracketed +82, blank | 숙소 호스트 번호 ⟦(+82) 10 §### ####⟧<이에요/예요> 새벽 도착도 괜찮대요
+82 with one blank after | 비자 신청서 전화 칸에 ⟦+82 10§#######⟧ 이렇게 써도 되나요
0082 | 독일에서 엄마한테 걸 땐 ⟦0082 10 §### ####⟧
Seoul number without zero | 본사 대표전화 ⟦2-§###-####⟧ 로 되어 있네요, 엑셀 오류인 듯
regional number without zero | 보건소 전화번호: ⟦31-§##-####⟧
regional number without zero, particle | 학원 전화가 ⟦53-§##-####⟧인데 원장님은 잘 안 받으세요
070 without zero | 인터넷전화 ⟦70-§###-####⟧ 해지 신청합니다
+82 regional | Tel ⟦+82-31-§##-####⟧ ext. 12
+82 Seoul with dots | Office ⟦+82.2.§###.####⟧ / 오전만 근무
82) regional | 공장 ⟦82)55-§##-####⟧ 경비실로 연결됩니다
mobile without zero, dots | 접수자 전화 ⟦10.§###.####⟧ 라고 출력되는데 버그 맞죠
mobile without zero, blanks | 배송 메모에 폰번호 ⟦10 §### ####⟧ 만 달랑 적혀 있음
plus set apart | 한국 번호는 ⟦+ 82 10 §### ####⟧<이고/고> 대만 유심은 곧 해지해요
+82 bare in a chat | 라인 안 돼? 그럼 ⟦+8210§#######⟧ 이걸로 추가해
+82 with a zero in brackets | 논문 교신저자 전화 ⟦+82-(0)10-§###-####⟧
82 bare | 국제전화 발신 기록 ⟦8210§#######⟧, 통화 3분 12초
without zero in a table row | 홍보부|차장|휴대전화|⟦10-§###-####⟧|재직
without zero, colon before | HP:⟦10-§###-####⟧
without zero, bare, particle after | 연락처가 ⟦10§#######⟧<으로/로> 등록되어 본인 인증이 안 됩니다. 앞에 0을 붙여 수정 부탁드립니다.
+82 with en dashes | 컨퍼런스 사무국(⟦+82–2–§###–####⟧)으로 회신 바랍니다
without zero, petition | 저희 아파트 관리소장 휴대폰이 ⟦10-§###-####⟧<이라고/라고> 공고문에 붙어 있는데, 몇 번을 눌러도 없는 번호라고만 나옵니다. 알고 보니 앞자리 0을 빼고 인쇄한 것이었고, 그 때문에 누수 신고가 사흘이나 늦어졌습니다.
+82 with underscore | 프로필 사진 아래 ⟦+82_10_§###_####⟧ 적어 둔 사람 누구야
082 mistaken for the code | 팩스 말고 휴대폰 ⟦082-10-§###-####⟧ 로 주세요
without zero, in a chat | 내 번호 ⟦10-§###-####⟧ 저장ㄱㄱ
regional, first group joined | 농기센터 전화 ⟦63§## ####⟧ 맞나? 앞에 0 빼고 적어 놨어
+82 glued to a word | 휴대폰⟦+82-10-§###-####⟧입니다
82-10 in a signature | 고은비 드림 | 해외사업팀 과장 | 휴대폰 ⟦82-10-§###-####⟧ | 재택 근무 중
mobile without zero, long dash | 통신사에서 받은 자료에는 가입자 번호 ⟦10—§###—####⟧<이/가> 두 번 나온다
old mobile without zero | 예전 휴대폰 ⟦11-§##-####⟧ 쓰던 사람인데 문자 복구되나요
+82 with slashes | 신청인 전화 ⟦+82/10/§###/####⟧ 해외 체류 중이라 카톡이 편합니다
--
score | 상대전적 10-2로 밀리다가 10-7까지 쫓아갔는데 아쉽다
order number | 주문번호 10-2345-678 건 취소해 주세요
flat sizes | 31-45-59타입 세 가지뿐이고 84는 없대요
country code alone | 국가번호는 +82, 국제번호는 통신사마다 달라요
country code rule | 해외에서는 82를 누르고 앞의 0을 빼라고 안내하세요
share price | 종가 82,100원 +1.2%, 거래량 1023만 주
temperature | 오늘 체감 -10도, 내일 +2도, 모레 +5도
resolution in a bug report | 창 크기가 1024x768일 때 +82px 만큼 밀려요
dice notation | 공격력 10-23, 방어력 45-67, 체력 8910인 카드
bus number | 10-1번이랑 82-1번 둘 다 우리 동네 안 와요
chapter number | 별책 31-2-04 도표는 부록으로 옮겼다
recipe | 강력분 102g, 우유 345ml, 소금 6g, 이스트 7g
ISBN part | 979-11-82 로 시작하는 책들이 그 출판사 거예요
age of a building | 82년생이 지은 10층 건물이라니 표현이 이상하잖아
match time | 전반 10분, 후반 23분, 82분에 교체 투입
notice number | 공고 제31-245-6789호에 따라 유찰되었음을 알립니다
parcel tracking | 송장번호 1023456789 조회가 안 떠요 기사님 연락처도 없고
rank | +82계단 상승이면 거의 로켓인데 순위표 오류 아님?
amount without commas | 관리비가 1045230원 나왔어요. 혼자 사는 집에서 이게 말이 되나요? 관리소에 물어보니 난방 계량기가 고장 나서 석 달 치가 한꺼번에 청구된 거라고만 하고 사과도 없습니다.
model number | 케이블은 82-10-RX 규격 말고 신형으로 주세요, 구형은 단자가 안 맞아요
@@ phone-local phone
전화, seven digits | 쌀 배달 전화 ⟦§##-####⟧ 20kg부터
tel. glued, eight digits | 명인 떡방앗간 tel.⟦§###-####⟧
TEL: glued | 부고 알림... 장례식장 TEL:⟦§##-####⟧ 주차 무료
phone sign | 짜장면 탕수육 ☎⟦§##-####⟧ 두 그릇부터 배달
phone sign, blank | 수도 동파 신고 ☎ ⟦§##-####⟧
문의 | 텃밭 분양 문의 ⟦§##-####⟧ (면사무소 산업계)
문의, colon | 문의: ⟦§###-####⟧, 점심시간 12~1시
연락처 | 열쇠 주워서 경비실에 맡겼어요 경비실 연락처 ⟦§##-####⟧
연락처, colon, bracket | 읍내 세차장 쿠폰 주웠어요 (연락처: ⟦§##-####⟧)
전화번호, particle after | 우리 동네 철물점 전화번호는 ⟦§##-####⟧<이에요/예요>
전화는 | 예약 안 하면 못 앉아요 전화는 ⟦§##-####⟧
particle 로 after | 미납 요금은 사무실 전화 ⟦§##-####⟧<으로/로> 확인해 주세요
Tel, blank | 소망의원 Tel ⟦§##-####⟧ 토요일 1시까지 진료
Tel) | Tel)⟦§###-####⟧ Fax 별도
T. | 미용실 이전했어요 T.⟦§##-####⟧ 농협 옆 2층
two numbers | 구내전화 고장으로 당분간 전화 ⟦§##-####⟧, ⟦§##-####⟧ 두 대만 씁니다
local number with dot | 약국 전화 ⟦§##.####⟧ 밤 10시까지 한대요
local number with blank | 119 말고 소방파출소 전화 ⟦§## ####⟧ 여기가 더 빨라요
local number bare | 다방 전화 ⟦§######⟧ 커피 두 잔요
local number with tilde | 방역 문의 ⟦§##~####⟧ 축산계
전화 glued to the number | 고장신고전화⟦§##-####⟧
eight digits in a petition | 버스 회사에 항의하려고 차 안에 적힌 불편신고 전화 ⟦§###-####⟧에 열 번도 넘게 걸었지만 통화 중 신호만 들렸습니다. 시에서 직접 나서서 배차 간격을 점검해 주시길 청원합니다.
사무실 전화 | 동대표 사무실 전화 ⟦§##-####⟧ 화·목 오후에만 사람 있음
집 전화 | 우리 집 전화 ⟦§##-####⟧ 아직도 안 끊었다ㅋㅋ
전화 주세요 after | 곗날 바뀐 거 못 들은 사람은 총무 집 ☎⟦§##-####⟧ 전화 주세요
TEL in brackets | 성심떡집(TEL ⟦§##-####⟧) 이바지 음식 전문
문의전화 | 수강료 월 3만 원, 문의전화 ⟦§###-####⟧
문의 및 접수 | 게이트볼 대회 문의 및 접수 ⟦§##-####⟧ 체육회
tel with colon and blank | 굴비 선물세트 tel : ⟦§##-####⟧
대표전화 | 대표전화 ⟦§###-####⟧ 내선 204
당직실 전화 | 밤에는 당직실 전화 ⟦§##-####⟧밖에 안 받습니다
phone sign in brackets | 콩나물국밥 (☎⟦§##-####⟧)
교무실 | 결석 알림은 교무실 전화 ⟦§##-####⟧ 8시 30분까지요
phone emoji | 📞⟦§##-####⟧ 통닭 한 마리 9,900원 전화 주문만
전화 with a slash | 전화/⟦§##-####⟧ 위치/터미널 건너편
연락은 | 방 있어요 보증금 없이 월 20 연락은 주인집 전화 ⟦§##-####⟧<으로/로>
문의처 | 벌초 대행 문의처 ⟦§##-####⟧, 사진 찍어 보내 드림
TEL. glued | 보일러 TEL.⟦§###-####⟧ 출장 수리 당일
old letter | 혹시 길을 잃으시거든 터미널 공중전화에서 저희 집 전화 ⟦§##-####⟧<을/를> 눌러 주세요. 아이들 아버지가 경운기를 몰고 마중을 나가겠습니다. 요즘은 해가 짧아 여섯 시면 깜깜하니 조심해서 오시고요.
next to an extension | 병동 간호사실 전화 ⟦§###-####⟧(교환 0번)
--
emergency number | 휴대전화로 119에 신고했는데 위치를 못 찾더라고요
service word alone | 1588 서비스 전화는 왜 다 유료인가요
service word alone | 1644, 1577 같은 대표번호도 요금제에 포함해 주세요
how often | 전화 3-4번 걸었는데 안 받네
how long | 전화 상담 120-150분이면 상담사도 지칩니다
phone model | 유선전화 GS-461 모델 팝니다 미개봉
counts | 문의 2345건 중 678건만 답변됨
article number | 문의 게시판 4521번 글 비밀글로 바꿔 주세요
year after contact | 연락 끊긴 지 2003-2023 딱 이십 년
version after tel | tel 3.2-1045 빌드에서 통화 녹음이 깨짐
petition receipt number | 문의하신 민원 1AB-2003-451207 건은 처리 중입니다
emergency numbers in a list | 간첩신고 113, 범죄신고 112, 학교폭력 117 스티커 붙여 놨어요
petition hot line | 다산콜 120 전화해도 구청으로 돌려요
date after 연락 | 연락 달라고 한 게 0305-0307 사이였나?
price after 전화 | 전화 요금 3450원에 부가세 345원이 또 붙었네요
extension only | 전화 주실 때 내선 3012 누르시면 저한테 와요
utility pole number | 전화선 늘어진 전신주 2451-183 옆에 불법 현수막 있음
score in phone voting | 전화 투표 345대 678로 2번 후보가 이겼다
articles of a law | 전화권유판매는 방문판매법 제2조 3-4호에 나오고 과태료는 제66조, 신고 절차는 시행규칙 별지를 보셔야 하니 단순히 소비자원에 물어봐서는 답을 못 들으실 거예요
old operator story | 전화 교환수 시절엔 73국에 25번 대 달라고 하면 이어 줬지
@@ rrn-partial rrn
six stars, after 주민번호 | 주민번호 ⟦870914-2******⟧ 김하늬 님 본인 맞으시죠?
first digit only | 주민등록 앞자리랑 성별 ⟦930227-1⟧ 여기까지만 받습니다
six x | 출력된 등본에는 ⟦790518-2xxxxxx⟧<으로/로> 나와 있어요
capital X | 환자: 오다솜 (⟦640803-2XXXXXX⟧), 내과 3진료실
in brackets after a name | 피고인 표○○(⟦810122-1******⟧), 무직
black circles | 위임인 남궁솔 ⟦720630-2●●●●●●⟧ 도장 날인
white circles | 상속인 차남 ⟦880411-1○○○○○○⟧ 서울 거주
asterisks, 2000s boy | 우리 애 ⟦050716-3******⟧ 인데 청소년증 되나요
first digit, 2000s girl, particle | 동생이 ⟦021108-4⟧<이라/라> 아직 미성년자로 뜬대요
five stars by mistake | 확인서에 ⟦910305-1*****⟧ 별이 하나 모자라게 찍혔습니다
blanks round the hyphen | 대리 신청인 윤슬찬 / 주민등록번호 : ⟦760920 - 2******⟧
en dash | 주민번호 뒷자리 가려 주세요 → ⟦830507–1******⟧ 이런 식으로
foreigner, stars | 외국인등록번호 ⟦frn:950812-5******⟧ 체류지 변경 신고 건
foreigner, first digit only | 외국인 직원 ⟦frn:890301-6⟧ 고용보험 취득 신고가 반려됐어요
foreigner, x | 고용주가 준 명세서엔 ⟦frn:920615-5xxxxxx⟧, 이름은 영문
foreigner born after 2000 | 유학생 ⟦frn:030924-7******⟧ 건강보험 가입 문의드립니다
foreigner, girl born after 2000, particle | 다문화 가정 자녀 ⟦frn:121005-8******⟧<이/가> 명단에서 빠졌습니다
foreigner, circles | 응우옌 씨 등록증 사본에 ⟦frn:870226-6●●●●●●⟧ 처리돼 있음
stars, chat | 제 민번 ⟦980413-2******⟧ 요 뒤는 전화로 불러 드릴게요
first digit only in a list | 근로자 명부: 1) 유가람 ⟦691212-1⟧ 2) 채보라 ⟦740106-2⟧
stars at the start of the text | ⟦550828-1******⟧ 어르신 기초연금 신청 누락 건 재확인 요청
hyphen and stars, full stop | 고소인의 주민등록번호는 ⟦860719-2******⟧. 이하 생략함.
stars in a table row | 성명|선우결|주민번호|⟦780404-1******⟧|관계|본인
long petition | 저는 올해로 예순둘이 된 요양보호사입니다. 자격증에 적힌 주민등록번호 ⟦580914-2******⟧ 중 생년이 실제와 두 해 차이가 나서, 정정 신청을 세 번이나 냈는데도 매번 출생 당시 서류가 없다는 이유로 돌려보내졌습니다.
first digit after 생년월일/성별 | 생년월일-성별: ⟦010629-3⟧
quotation marks | 문자로 "⟦940217-1******⟧ 명의 휴대폰이 개통되었습니다"라고 왔는데 저 개통한 적 없어요
glued to a word | 주민번호⟦820310-2******⟧로조회하니없다고나옴
masked, the other one only told | 증명서 비교해 보니 한쪽은 ⟦900906-1******⟧, 다른 쪽은 뒷자리까지 다 보임
small x and a name | 박이랑 ⟦820125-1xxxxxx⟧ 예비군 아니고 민방위입니다
seven stars by mistake | 세대주 ⟦710802-1*******⟧ (별표 일곱 개로 출력됨)
first digit only, 까지만 | 보험 가입할 때 ⟦991130-2⟧ 까지만 물어보던데 그걸로 조회가 되나요?
mail to an office | 인사팀입니다. 연말정산 부양가족 중 모친(⟦480315-2******⟧)의 소득 자료가 중복 공제로 확인되어 알려 드립니다.
first digit with parenthesis after | 응시자 ⟦000117-4⟧(여) 수험표 사진 교체
stars, particle 로 | 판결문에는 ⟦730921-1******⟧로 가려져 있지만 사건 내용만 봐도 누군지 다 안다
court list | 채무자 하도담, ⟦840606-1******⟧, 등록기준지 생략
capital X in padded brackets | 민방위 통지서 수령인 ( ⟦850117-1XXXXXX⟧ )
first digit only, question | 주민번호 ⟦061225-3⟧ 이면 몇 학년이에요?
full-width stars | 수급자 봉만길 ⟦520407-1＊＊＊＊＊＊⟧ 방문 조사 완료
news quote | 유출된 파일에는 '⟦770813-2******⟧' 형태로 앞 일곱 자리가 그대로 담겨 있었던 것으로 드러났다. 업체 측은 "뒷자리를 가렸으니 문제없다"고 해명했지만 전문가들은 생일과 성별만으로도 피해자를 특정할 수 있다고 지적했다.
two masked numbers | 가족관계증명서 부 ⟦630930-1******⟧ 모 ⟦651014-2******⟧ 이렇게 가리고 내면 된대요~
--
file number with a date | 녹취 파일 190315-1.wav 랑 190315-2.wav 둘 다 올렸습니다
document number | 감사담당관-190604-2호 공문에 대한 회신입니다
date with hyphens and a digit | 2019-03-1 로 저장돼서 정렬이 엉망이에요
masked all over | 주민번호는 ******-******* 로만 보이게 해 주세요
format only | YYMMDD-1 이나 YYMMDD-2 형식으로 입력하십시오
lot number, labelled | ⟦address:전곡리 1234-1번지⟧ 일대 토지거래 허가구역 지정 해제
product code | 품번 731045-2 재입고 언제 되나요 사이즈는 90
month out of range | 재고 코드 801345-1xxxxxx 는 폐기 대상 자재입니다
coupon mask | 쿠폰번호 776655-4****** 는 이미 사용된 번호라고 떠요
review stars | 방문일 190720 - 1인 세트 ★★★★☆ 재방문 의사 있음
stock code | 다담제지 우선주 종목코드는 007195-2가 아니라 007197이래요
phone masked | 부재중 010-2***-1****** 이런 번호는 국제전화인가요
range of rooms | 호실 배정은 1201-1, 1201-2 순으로 합니다
day and shift | 근무표 8/14-1조, 8/15-2조, 8/16-1조
version with build | 패치 200401-3 적용하고 나서 튕김 현상 사라짐
exam code | 문제지 유형 220611-1형과 220611-2형은 문항 순서만 다릅니다
only the word | 주민번호 뒷자리 첫째 숫자는 왜 남자가 1이고 여자가 2인가요
birthday only | 생년월일 여섯 자리만 적고 뒤는 비워 두시면 돼요
code on eggs | 난각번호 맨 끝이 1이면 방사, 0823M3FDS2 는 2번이니까 평사라는 뜻입니다
minutes of a meeting | 본 회의록(191127-4차)은 위원 전원의 서명을 받아 보관하며, 열람을 원하는 조합원은 사무국에 신청서를 제출한 뒤 사흘 안에 열람할 수 있습니다. 복사는 총회 의결이 있어야 합니다.
@@ email-blanks email
blanks round the at sign | 지원서는 ⟦narae.recruit @ hanbyeol.co.kr⟧ 로 보내 주세요
blanks everywhere | 스팸 때문에 이렇게 적어요 ⟦sorabi77 @ naver . com⟧
blank after the at sign | 사진 원본은 ⟦photo_minari@ gmail.com⟧ 에 올려 주시면 됩니다
blank before the at sign | 메일 주소가 ⟦bomnal82 @daum.net⟧<이에요/예요>
blank before the last dot | 세금계산서 ⟦tax@dallae-mart .com⟧ 앞으로 부탁
blank after the dot | 가정통신문 회신: ⟦ban3teacher@saebom. es.kr⟧
골뱅이 and 닷 | 제 주소는 ⟦tokki09 골뱅이 네이버 닷컴⟧이요
골뱅이 and 닷, all glued | 디자인 외주 받아요 ⟦ondolart골뱅이네이버닷컴⟧으로 견적 문의
골뱅이 with 점 | 불러 드릴게요 ⟦gyeoul88 골뱅이 한메일 점 넷⟧
골뱅이, Latin domain with blanks | 기사 제보 ⟦jebo_haneul 골뱅이 daum . net⟧
at sign, 닷컴 | 문의는 ⟦moru.cafe@지메일닷컴⟧ 으로만 받습니다 DM 안 봐요
닷 for the dot | 크롤러 방지용 ⟦dev.narsha@gmail닷com⟧
골뱅이 and dot word | 봉사 신청은 ⟦with_dongne 골뱅이 gmail dot com⟧ 입니다
blanks, particle after | 영수증 ⟦haru.office @ nate.com⟧으로 받을게요
blanks in a company domain | 본사 감사실 ⟦audit @ cheongun-chem . co . kr⟧
full-width at sign with blanks | 원고 접수처 ⟦munye ＠ sodam.or.kr⟧ 매년 9월 말 마감
two blanks round the at sign | 이력서 접수  ⟦job  @  gaonsoft.com⟧  경력직만
brackets round the at sign | 스터디 지원 ⟦lib.yeoul (@) gmail.com⟧
(골뱅이) in brackets | 저자 연락처 ⟦mjlim(골뱅이)byeolbit.ac.kr⟧
[골뱅이] and blanks | ⟦aram.dev [골뱅이] naver [닷] com⟧ 채용 문의 아니면 답장 안 해요
at written 앳 | 외국인 친구 메일이라 들은 대로 적음 ⟦daniel.k 앳 gmail 닷 com⟧
blank on both sides, in brackets | 조교(⟦ta_stat @ dasan.ac.kr⟧)에게 과제 제출
blanks, start of text | ⟦mongdol @ hanmail.net⟧ 이 계정 해킹당했습니다 여기서 온 메일 열지 마세요
OCR result | 스캔 결과 : E-mail ⟦jinwoo.seol@ narae-law. com⟧ 사이에 빈칸이 들어감
골뱅이 with dots in local part | 논문 파일 필요하신 분 ⟦paper.share.kr 골뱅이 gmail.com⟧
골뱅이 in a chat | 파일 여기로 ㄱㄱ ⟦pilgi_note골뱅이 naver.com⟧
blanks, colon before, end | 광고 제휴:⟦ad @ bibimtv . kr⟧
blank before the dot and plus sign | 테스트 계정은 ⟦qa+login @ gaebi .io⟧ 입니다 비번은 위키 참조
(at) and (dot) with blanks | 수집 방지를 위해 ⟦nuri.lab ( at ) snowdata ( dot ) kr⟧ 로 표기합니다
닷케이알 | 교회 사무실 ⟦office골뱅이haesol닷오알닷케이알⟧ 주보 광고 접수
long mail | 안녕하세요, 지난주 박람회에서 명함을 주고받았던 다온물산 구매팀입니다. 말씀하신 샘플 견적서를 아직 받지 못하여 다시 연락드립니다. 번거로우시겠지만 ⟦purchase @ daonmulsan . com⟧ 으로 금주 내에 보내 주시면 내부 검토 후 바로 회신드리겠습니다.
blanks and slash after | 팬레터는 ⟦fan_ssuk @ kakao.com⟧/우편은 받지 않습니다
골뱅이, particle 한테 | ⟦yuna.plan골뱅이네이버점컴⟧한테 보내면 총무님이 확인하심
골뱅이 and 다음 | 회원 명부 수정은 ⟦sanak2004 골뱅이 다음 닷넷⟧ 총무 앞
petition | 민원 답변을 문자가 아니라 ⟦minwon.iyagi @ naver. com⟧ 으로 보내 달라고 세 번이나 적었습니다
numbers in local part, blanks | 대리점 개설 ⟦1004dosirak @ gmail . com⟧
hyphen in domain, blank | 산악회 회비 내역은 ⟦treasurer @san-sarang.kr⟧ 로 요청
골뱅이 with emoticon | 협찬 제안 언제나 환영💌 ⟦lovely_dubu골뱅이gmail.com⟧
upper case with blanks | 연구윤리위원회 IRB 제출 ⟦IRB @ HANSOL-MED.OR.KR⟧
blank, quotation marks | 자동 응답이 "⟦noreply @ oneulpay.kr⟧에서 보낸 메일입니다"라고 뜨는데 믿어도 되나요
--
unit price | 지우개 3개 @ 5,000원, 공책 10권 @ 1,200원
decorator with blank | 함수 위에 @ property 라고 띄어 쓰면 문법 오류예요
place | 불금 모임 7시 @ 합정역 5번 출구
snail dish | 골뱅이 소면 닷새 전에 먹고 또 생각남
shop name | 골뱅이 닷컴이라는 안주 가게 새로 생겼던데 가 본 분?
keyboard question | 골뱅이 표시는 어느 자판에 있나요? 시프트 누르고 숫자 2인가요
handle, labelled | 공구 일정은 ⟦mention:@yeoreum.table⟧ 에서 공지합니다
handle with blank before a dot | 사진은 ⟦mention:@byeol_film⟧ . 출처 표기 부탁드려요
face | 과제 밤새우는 중 @ . @ 눈이 안 떠진다
domain words only | 네이버 닷컴이랑 다음 닷넷 중에 뭐가 더 오래됐어요
masked | 가입된 메일은 do**** @ na***.com 입니다
template | 아이디 @ 도메인 . com 순서로 빈칸을 채우시오
matrix | y = W @ x + b 에서 @ 는 행렬곱입니다
event slogan | 북페어 @ 성수 . 올해도 전석 매진
word 닷 alone | 닷 찌르기 동작에서 왼발을 먼저 빼세요
game rank | 랭크전 3승 2패 @ 시즌 12
excel function | 엑셀에 =@A1 . B2 이렇게 뜨는데 왜 골뱅이가 붙나요
email rule | 아이디와 골뱅이 사이에 빈칸을 넣지 마세요, 가입이 안 됩니다
sports schedule | 다음 주 일정 : LA @ 보스턴 . 화요일 / 시카고 @ 덴버 . 목요일
long complaint | 이메일 인증이 끝났다는데 로그인 화면에서는 골뱅이 뒤에 올 주소가 빠졌다는 안내만 되풀이됩니다. 브라우저를 바꿔 보고 휴대폰으로도 해 봤지만 똑같아요. 고객센터는 사흘째 상담원 연결이 안 되고 있습니다.
@@ account-holder bank_account
number, then name | 회비 3만 원 ⟦352-####-####-##⟧ 유하늘
예금주 after | ⟦110-###-######⟧ 예금주 김솔빛
입금은, masked name | 입금은 ⟦110-###-######⟧ 박OO로 부탁해요
name before number | 총무 이다온 ⟦3333-##-#######⟧ 오늘까지 보내 주세요
brackets round the holder | 공연 티켓값 ⟦1002-###-######⟧ (노을빛)
예금주 before | 예금주 표은찬 ⟦356-####-####-##⟧
bare digits, 예금주 | 환불받을 곳 ⟦110#########⟧ 예금주 본인
holder is a firm | 물품 대금은 ⟦######-##-######⟧ (주)다솔유통 앞으로 이체 바랍니다
holder is a club | 연회비 5만 원: ⟦301-####-####-##⟧ 청솔산악회
blanks as separators | 축의금 보내실 분 ⟦110 ### ######⟧ 신부 모친 조가을
slash before the holder | ⟦1000-####-####⟧/한비/송금 후 톡 남겨 줘
particle after the number | ⟦3333-##-#######⟧<으로/로> 15,000원씩 쏴 주세요 예금주는 나지움
앞으로 | 부의금 ⟦302-####-####-##⟧ 상주 백한결 앞으로 모으고 있습니다
masked name with a star | 보내실 곳 ⟦100-###-######⟧ 임*솔, 금액은 27,500원
holder in English | 입금처 ⟦###-######-#####⟧ 예금주 KIM HANUL
명의 | 사기꾼이 알려 준 ⟦1002-###-######⟧ 은 '추○○' 명의였습니다
받는 분 | 받는 분: 목아람 / 보낼 번호: ⟦352-####-####-##⟧ / 금액: 82,000원
예금주 with a colon | 예금주:서이든 ⟦1010-####-####⟧ 입금자명은 동호수로
dots as separators | 곗돈 이번 달은 ⟦352.####.####.##⟧ 강미르
bare digits, fourteen | 숙박비 ⟦##############⟧ 예금주 펜션 노루목
en dashes | 강사료 지급처 ⟦110–###–######⟧ 예금주 위새롬
full-width digits | 찬조금 받는 곳: ⟦３５６-####-####-##⟧ 예금주 부녀회
송금 | 더치페이 인당 18,400원 송금ㄱㄱ ⟦1000-####-####⟧ 도윤슬
emoji | 펀딩 참여💛 ⟦3333-##-#######⟧ 천누리 (닉네임으로 입금)
holder and comma | 중고책 세 권 2만 원, ⟦100-###-######⟧, 구예솔, 확인되면 운송장 드려요
glued to the name | ⟦110-###-######⟧맹가온 입금요
title after the name | 교재비는 ⟦302-####-####-##⟧ 변도담 선생님께 보내시면 돼요
petition with a loan shark | 업자는 하루만 늦어도 욕설을 퍼부었고, 이자를 꼭 ⟦1002-###-######⟧ 예금주 '금○상사'로 넣으라고 했습니다. 원금 300만 원을 빌렸는데 지금까지 갚은 돈이 이미 900만 원을 넘었습니다.
헌금 | 선교 헌금 ⟦###-######-##-###⟧ 예금주 해솔교회
two accounts | 신랑측 ⟦110-###-######⟧ 소한울, 신부측 ⟦352-####-####-##⟧ 은봄
holder is an office | 분실 열쇠 변상금 4만 원 ⟦301-####-####-##⟧ 예금주 관리단
chat, 이름 | 회비 아까 거 말고 ⟦3333-##-#######⟧ 여기로 보내! 이름 여우비
standing order | 매달 5일 자동이체 ⟦###-##-######⟧ 예금주 임대인 옥여름
advance payment | 김장 절임배추 20kg 38,000원, 선입금 순서대로 발송합니다 ⟦356-####-####-##⟧ 두레농원
split bill | 반반 내자ㅋ ⟦1000-####-####⟧ 내 이름 알지? 주나래
company signature | 계약금 송금처는 아래와 같습니다. ⟦###-######-#####⟧, 예금주 온새미건설 주식회사
새마을 style | 마을 공동 기금 ⟦9002-####-####-#⟧ 이장 방그루
holder in quotes | 신고합니다 ⟦302-####-####-##⟧ "피○○" 돈 받고 잠수 탔어요
refund notice, name before | 참가비 환급 대상자: 현보람 ⟦110-###-######⟧ 5월 말 지급
long post office style | 모금은 이달 말까지이며 ⟦######-##-######⟧ 예금주 산불피해대책위로 보내 주시면 됩니다. 만 원도 괜찮고 천 원도 괜찮습니다. 보내 주신 돈은 한 푼도 빠짐없이 이웃들 새집 짓는 데 쓰고, 쓴 내역은 매주 월요일 게시판에 올리겠습니다.
--
petition office number | 국민신문고 1AA-2004-318852 민원인 김○○ 처리 기한 연장
petition number beside a name | 신청번호 2BA-1911-204731 홍솔 담당자 배정 전입니다
case number | 2020고단1234 피고인 최모 씨 선고 공판
case number with hyphens | 사건 2019-형제-45012 박○○ 기소유예 통지받음
parcel tracking | 송장 6452-1034-7781 받는 분 류하람, 경비실 보관
order number next to a name | 주문번호 20200415-0031827 이슬아 님 상품 준비 중
order number in account shape | 주문 352-2004-118-27 구매자 전도담 환불 요청
reservation | 예약번호 110-204-771 성함 마루, 2박 조식 포함
exam number | 수험번호 110-234567 김새벽 합격을 축하합니다
member number | 회원번호 1002-334-51 오로라 님 포인트 1,200점 소멸 예정
parcel of land | 필지번호 4413110100-1-0234-0007 소유자 변○○
insurance policy | 증권번호 301-9912-4403 피보험자 안다미 보험금 청구
employee number | 사번 3333-012 조이레 대리 휴가 승인 바람
registered letter | 등기번호 11024-0387-2216 수취인 부재로 반송, 발송인 감나무집
phone, labelled | 입금 확인 전화 ⟦phone:010-2748-9915⟧ 총무 고담희
amount beside a name | 입금 내역 352,000원 남은별, 110,500원 심온, 78,000원 라온
student number | 학번 2004-110-523 반소리 졸업 유예 신청
seat and name | 좌석 B-110-23 예매자 강바다, 현장 수령
bid number | 공고번호 20200302345-00 낙찰자 (주)미래누리토건
long report of an accident | 사고접수번호 302-20-441187 로 접수하셨고 피해 차량 운전자는 지○○ 씨, 보상 담당자는 아직 지정되지 않았습니다. 지정되는 대로 문자로 알려 드릴 예정이오니 수리는 공업사에 입고만 하신 상태에서 기다려 주십시오.
@@ address-low address
road and number, building and flat | 택배는 ⟦은행나무로 27, 103동 502호⟧에 놓아 주세요
road with branch road split by blanks | 면접 장소는 ⟦테헤란 로 12 길 5⟧ 별관입니다
apartment, building and flat | ⟦햇살마을아파트 204동 1103호⟧ 누수 때문에 아랫집에서 내려왔어요
apartment without the word 아파트 | ⟦다솜리버뷰 101동 1802호⟧ 이사 나갑니다 엘리베이터 예약 부탁해요
dong and lot number | 건물 철거 예정지: ⟦가람동 112-7⟧
dong, lot number and 번지 | ⟦솔미동 45-12번지⟧ 골목에 가로등이 석 달째 꺼져 있습니다
lot with 번지, no hyphen | 옛날 주소로는 ⟦봉래동 318번지⟧<이었어요/였어요>
ri and lot | 밭은 ⟦새터리 214-3⟧, 경운기 들어갑니다
ri, mountain lot | 산불 났던 ⟦갈마리 산 52-1⟧ 임야 매매합니다
myeon, ri and lot | 이장님, ⟦동산면 원창리 88-4⟧ 수도관 터졌어요
eup, road and number | 농기계는 ⟦진영읍 서부로 151⟧에서 빌려줍니다
gu and road | 점심 모임 ⟦유성구 온천북로 33⟧ 안쪽 방으로 예약함
gu, dong and lot | 폐기물 무단 투기 신고 ⟦남동구 만수동 1021-14⟧
city, road, flat | 세입자 주소지: ⟦원주시 늘품로 60, 가동 301호⟧
road and number, floor | 동물병원 옮겼어요 ⟦느릅나무길 14, 2층⟧
road, basement | 연습실 월 대여 ⟦한빛로8길 21, 지하 1층⟧ 드럼 있음
road with 번길 | 전입신고 ⟦솔밭로 38번길 6⟧ 세대주 동의 필요한가요
road with 번길 split by blanks | 배달 위치 ⟦무지개로 112 번길 9⟧ 초록 대문
villa and number | 반려견 잃어버린 곳은 ⟦노을빌라 나동 402호⟧ 앞 공터입니다
officetel | 퀵 보낼게요 ⟦별하오피스텔 1207호⟧ 맞죠?
apartment, building and flat with hyphen | 도배 견적 요청 ⟦푸른들아파트 105-1404호⟧ 24평
apartment shortened | ⟦한솔2차 308동 201호⟧ 사는 사람인데요 새벽마다 피아노 소리가 납니다
dong, apartment, building and flat | 배송지 : ⟦은하동 큰숲아파트 112동 906호⟧ (문 앞)
road, number, apartment, flat | 정수기 필터 교체 ⟦달맞이길 77 바다숲아파트 3동 1501호⟧ 오전 방문 요청
blank before 번지 | 사당 자리 ⟦옥계리 77 번지⟧ 에 표지석 세웁시다
blanks between all parts | 마을회관 주소가 ⟦샛별 로 3 길 18⟧ 이라는데 내비에 안 나와요
legal dong in brackets | 우편물 수령 주소 ⟦꽃담로 25-8 (해담동)⟧ 변경 희망
particle after the lot | 신고자는 ⟦송현동 66-20⟧에서 연기가 난다고 했다
particle after the flat | 위층 ⟦가온빌 502호⟧로 항의하러 갔다가 오히려 욕만 들었어요
ga and lot | 인쇄소 자리 ⟦초동3가 24-1⟧ 권리금 협의
mountain lot with 번지 | 조상 묘가 ⟦매화리 산14번지⟧에 있는데 길이 없어졌습니다
city and dong | 화물 하차지 ⟦여주시 점봉동 201-5⟧ 지게차 있음
road only with house number, chat | 나 지금 ⟦버들로 9길 3⟧ 도착 근데 문 잠김
apartment in upper case letters | ⟦LK시티 1단지 107동 1604호⟧ 인터넷 이전 설치요
dong, lot, floor and flat | 임차인은 ⟦사근동 190-3 2층 201호⟧를 인도하라
dormitory style | 중고 책상 나눔 ⟦단풍길 40, 205호⟧ 복도에 내놨어요 선착순
petition | 저희 어머니가 40년을 사신 ⟦연화동 302-15번지⟧ 일대가 재개발 구역으로 묶이면서, 보상금이라고 나온 돈으로는 이 동네 반지하 전세도 구할 수 없게 되었습니다. 평생 낸 세금이 아깝다는 말씀만 하십니다.
slash after | 현장: ⟦호수로 201⟧/공정률 63%/비산먼지 민원 2건
gun, myeon, gil | 꿀 사실 분 ⟦산청군 시천면 남대길 55⟧ 오시면 시식 가능
flat after a complex number | 분리수거 위반 세대 ⟦새온마을 3단지 311동 704호⟧ 과태료 부과 안내
--
service number | 휴대전화로 119에 신고했지만 위치 추적이 늦었다
adverb | 이대로 10년이 더 가면 시골 학교는 다 없어집니다
adverb | 텐트에서 홀로 3일을 버텼다는 등산객 인터뷰 봤어?
adverb | 한길로 20년째 떡만 빚어 온 장인을 만났습니다
adverb | 앞으로 5개월 안에 결론을 내 주십시오
heading of a ship | 침로 270, 속력 12노트로 항해 중이었다
soju brand | 진로 3병이랑 파전 하나 추가요
railway line | 출근길 2호선 역삼 방향 신호 장애래요
trail sections | 둘레길 7구간에서 8구간으로 넘어가는 길이 제일 예쁨
brand without number | 한솔아파트 사는데 주차장 물이 또 새요
missile | 노동 1호와 대포동 2호 발사 당시 사진을 비교한 기사
bus number | 마을버스 01번 타고 큰길 3정거장 가서 내리면 보여
volume of a journal | 민주화운동 2호 회보 어디서 구하나요
way to go | 설문에 대학 진학이 갈 길 1순위라고 적어 냈어요
road width | 도로 6차로 중 2차로를 막고 공사하네 진짜
road numbers | 국도 77호선 확장 공사, 지방도 604호선은 내년 착공
adverb | 서로 3점씩 깎였으니 비긴 걸로 하자
apartment talk | 요즘 브랜드 아파트는 동 간 거리 50m도 안 나온다더라
name with dong | 김영동 3호 홈런, 이기동 2호 도움
long column | 법으로 200번을 고쳐도 현장이 바뀌지 않으면 소용이 없습니다. 제대로 3년만 단속해도 절반은 줄어든다는 연구가 있는데, 왜 해마다 새로 12가지 대책만 내놓고 그대로 5월이면 흐지부지되는지 묻고 싶습니다.
@@ handle mention
카톡 아이디 | 카톡 아이디 ⟦happy_bori77⟧ 친추 주세요
카톡 only | 톡 주세요 카톡 ⟦dalbit0915⟧
카톡 with colon | 카톡:⟦namu_lux⟧ 상담 24시간
카카오톡 아이디 | 카카오톡 아이디 ⟦moonbang9⟧<으로/로> 사진 보내 드릴게요
카톡id | 카톡id ⟦jjanga2020⟧ 으로 직거래 문의
ㅋㅌ style | ㅋㅌ 말고 라인 ⟦hoya.line⟧ 추가해 줘
카톡 아이디는 | 제 카톡 아이디는 ⟦ssukssuk_e⟧<이에요/예요> 프사는 고양이
텔레 with at sign | 판매자가 텔레 ⟦@sky_dori88⟧ 로 오래요 이거 사기죠?
텔레그램 without at sign | 텔레그램 ⟦coinbada_vip⟧ 로 유도하는 리딩방 신고합니다
텔레 glued | 빠른 상담은 텔레⟦@gold_nara⟧
인스타 with colon, dot inside | 인스타: ⟦blue.gaeul⟧
인스타 with at sign and particle | 인스타 ⟦@ondal_kitchen⟧에 레시피 올렸어요
인스타 no at sign | 인스타 ⟦haneul.ceramic⟧ 팔로우하고 댓글 달면 추첨
인스타그램 아이디 | 인스타그램 아이디 ⟦_dubu_mom_⟧ 강아지 옷 만들어요
인스타 DM | 주문은 인스타 ⟦bori_bakery⟧ 디엠으로만 받습니다
insta in Latin | insta ⟦yeon.photo⟧ 스냅 예약 받아요
ig in Latin | 작가님 IG ⟦@dotori.draws⟧ 그림체 미쳤다
트위터 | 트위터 ⟦@namsan_cat⟧ 님이 실시간으로 중계해 주심
트위터 no at sign | 표 양도합니다 트위터 ⟦ticket_nabi⟧ 멘션 주세요
디스코드 with number | 디스코드 ⟦mandu#4821⟧ 친추 ㄱㄱ 티어 골드
디코 | 길드 가입은 디코 ⟦raon_knight⟧ 한테 말하세요
디스코드 아이디 | 디스코드 아이디가 ⟦nokcha.exe⟧<이에요/예요> 마이크 필수
라인 아이디 | 라인 아이디 ⟦sora_jp01⟧, 한국 오면 연락해
라인 ID colon | LINE ID: ⟦minji.tour⟧ 대만 현지 가이드
게임 아이디 | 롤 아이디 ⟦gomdori_top⟧ 듀오 구해요
아이디 after a forum name | 이 글 쓴 아이디 ⟦truth_saja⟧, 다른 게시판에서도 똑같이 도배함
아이디 in quotes | 신고 대상 아이디 '⟦kimbab_king3⟧'의 댓글 캡처 첨부합니다
bracketed | (카톡 ⟦hana_flower⟧)
slash after | 문의 카톡 ⟦lapin_nail⟧/전화 안 받음
위챗 아이디 | 위챗 아이디 ⟦haohao_mi⟧ 중국 배송대행 됩니다
스카이프 | 화상 영어 스카이프 아이디 ⟦teacher_yeoul⟧
two handles | 언니 카톡 ⟦nabi_first⟧, 동생 인스타 ⟦@nabi_second⟧
틱톡 | 틱톡 ⟦@jeomsim_meokja⟧ 영상에 우리 가게 나왔어요
네이버 아이디 | 블로그 이웃이자 네이버 아이디 ⟦pulip_0304⟧ 쓰시던 분을 찾습니다
petition | 성착취물을 사고파는 텔레그램 방의 운영자는 아이디 ⟦black_gureum⟧<을/를> 쓰며, 하루에도 몇 번씩 방을 옮겨 다닙니다. 피해자 가족으로서 더는 기다릴 수 없습니다. 수사 인력을 늘려 하루빨리 잡아 주시기를 간절히 청원합니다.
news | 경찰에 따르면 피의자는 트위터에서 '⟦@sunset_dambi⟧'라는 계정으로 구매자를 모았다
에스크 | 궁금한 건 에스크 ⟦@mungge_2gi⟧ 로 남겨 줘~
유튜브 채널 handle | 유튜브 ⟦@halmeoni_bapsang⟧ 구독자 만 명 돌파 감사합니다🙏
with hyphen | 텔레 ⟦deal-maker24⟧ 이 사람 조심하세요 선입금 받고 튐
long bulletin post | 원룸 룸메이트 구해요. 학교까지 걸어서 7분, 월세는 반반이고 관리비 따로 3만 원 있습니다. 흡연자랑 반려동물은 어렵고요, 방 사진이나 계약 조건 궁금하신 분은 카톡 아이디 ⟦room_dasom22⟧ 로 성별이랑 학년 적어서 연락 주세요.
--
아이디 as a thing | 아이디 하나 새로 만들어 주세요, 예전 건 잊어버렸어요
chat room | 카톡 방 200명 넘으니까 알림 감당이 안 된다
카톡 feature | 카톡 PC 버전 3.1.9 업데이트하고 자꾸 꺼져요
인스타 restaurant | 인스타 맛집이라고 갔다가 두 시간 줄 서고 실망만
텔레그램 case | 텔레그램 n번방 가담자 전원 신상 공개를 청원합니다
at before time | 회의 @ 3pm, 늦으면 커피 쏘기
at before place | 벚꽃 @ 여의도, 사람에 치여 죽는 줄
hashtags | #인스타그램 #selfie #daily_look 태그 좀 그만 달자
placeholder | 아이디@비밀번호 칸이 바뀐 거 같은데요
line of a subway | 라인 7호선 연장 언제 되나요 경전철은 무산이라던데
production line | 라인 B2 정지, 자재 투입 대기 중
beauty line | 턱선 라인 filler 맞고 한 달 차 후기
id card | 사원증 아이디 카드 분실하면 재발급비 5천 원
twitter trend | 트위터 실트 1위가 또 그 드라마더라
discord server | 디스코드 서버 부스트 level 3 찍으려면 몇 명 필요해?
rule for nicknames | 아이디는 영문 소문자 4~12자, 숫자 포함, 밑줄 불가
instagram feature | 인스타 reels 편집할 때 자막 폰트 뭐 쓰세요
masked handle | 당첨자: 카톡 아이디 ha****7, so*****2 님
question about id | 아이디 패스워드 둘 다 모르면 어떻게 찾아요? 본인 인증도 막혔는데
long article | 카톡 이모티콘을 선물받으면 답례를 해야 하느냐를 두고 회사 단체방에서 한바탕 토론이 벌어졌다. 인스타 스토리까지 번진 이 논쟁은 결국 부장님이 트위터 하던 시절 이야기를 꺼내면서 흐지부지 끝났고, 텔레그램으로 옮기자는 말은 아무도 꺼내지 않았다.
"""


def blocks(sentences: str) -> Iterator[tuple[str, str, list[str], list[str]]]:
    """Give each class with its type, its true lines and its look-alike lines."""
    for block in sentences.strip().removeprefix("@@ ").split("\n@@ "):
        title, _, body = block.partition("\n")
        name, _, kind = title.partition(" ")
        true, _, lookalike = body.partition("\n--\n")
        yield name, kind, true.splitlines(), lookalike.splitlines()


def value(pattern: str, kind: str, draw: Draw) -> str:
    """Draw the digits of a value; what begins full-width goes on full-width."""
    text = ""
    for sign in pattern:
        if sign not in DRAWN.get(kind, ""):
            text += sign
            continue
        digit = draw.between(2 if sign in "§ㅅ" else 0, 9)
        text += NUMERALS[digit] if sign in "ㅎㅅ" else str(digit)
    if re.match("[０-９]", text):
        text = re.sub("[0-9]", lambda digit: full_width(digit[0]), text)
    return text


def fill(sentence: str, kind: str, key: str) -> str:
    """Draw the values of a sentence and name the types of its marks."""

    def mark(match: re.Match[str]) -> str:
        type_ = match[1] or kind
        drawn = value(match[2], type_, Draw(f"{key}|{match.start()}"))
        if drawn != drawn.strip():
            raise ValueError(f"{key}: a blank stands at an end of a value")
        return f"⟦{type_}:{drawn}⟧"

    return set_particles(MARK.sub(mark, sentence))


def cases(
    part: str, name: str, kind: str, label: str, lines: list[str], taken: Counter[str]
) -> Iterator[Row]:
    """Make the rows of one class and kind of a part, in the order of the lines."""
    for number, line in enumerate(lines, start=1):
        tag, separator, sentence = line.partition(" | ")
        text, spans = unmark(fill(sentence, kind, f"part-{part}-1|{name}|{label}|{number}"))
        type_, form = kind, f"{name}: {tag}"
        if label == "true":
            first = next((span for span in spans if span["type"] in KIN.get(kind, {kind})), None)
            if first is None:
                raise ValueError(f"{name}, true line {number}: no value of the class's type")
            type_ = str(first["type"])
            form += f"; {surroundings(text, int(first['start']), int(first['end']))}"
        stem = f"{type_}-{part}-{label[0]}"
        taken[stem] += 1
        identity = f"{stem}-{taken[stem]:03d}"
        if not separator:
            raise ValueError(f"{identity}: no tag")
        yield {
            "id": identity,
            "type": type_,
            "kind": label,
            "text": text,
            "spans": spans,
            "form": form,
        }


def wordings_beside(file: Path) -> set[str]:
    """Give the wordings of the other parts' rows."""
    files = [path for path in FOLDER.glob("*.jsonl") if path != file]
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    return {skeleton(json.loads(line)["text"]) for line in lines}


def values_apart(text: str, spans: list[Span]) -> tuple[str, list[tuple[str, str]]]:
    """Give a text without its values, and the type and text of each value."""
    values = []
    for span in sorted(spans, key=lambda span: -int(span["start"])):
        start, end = int(span["start"]), int(span["end"])
        values.append((str(span["type"]), text[start:end]))
        text = text[:start] + text[end:]
    return text, values


def check(rows: list[Row], elsewhere: set[str]) -> None:
    """Stop when a wording comes twice, a mark is left, or a look-alike holds its own type."""
    seen = set[str]()
    for row in rows:
        text, type_ = str(row["text"]), str(row["type"])
        outside, values = values_apart(text, row["spans"])
        own = {kind for kind, _ in values} & KIN.get(type_, {type_})
        if bool(own) != (row["kind"] == "true"):
            raise ValueError(f"{row['id']}: the spans do not fit the kind")
        words = skeleton(outside)
        if words and (words in seen or skeleton(text) in elsewhere):
            raise ValueError(f"{row['id']}: another row has the same wording")
        seen.add(words)
        left = [value for kind, value in values if set(DRAWN.get(kind, "")) & set(value)]
        if left or re.search(r"[§⟦⟧]|<[가-힣]*/[가-힣]*>", text):
            raise ValueError(f"{row['id']}: a mark of the notation is left")


def write_part(part: str, sentences: str) -> None:
    """Write the rows of a part, named by its letter, to its file beside this script."""
    file = FOLDER / f"part_{part}.jsonl"
    rows: list[Row] = []
    taken = Counter[str]()
    for name, kind, true, lookalike in blocks(sentences):
        if (len(true), len(lookalike)) != (TRUE, LOOKALIKES):
            raise ValueError(f"{name}: {len(true)} true, {len(lookalike)} look-alikes")
        rows += cases(part, name, kind, "true", true, taken)
        rows += cases(part, name, kind, "lookalike", lookalike, taken)
    check(rows, wordings_beside(file))
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    file.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write_part("d", SENTENCES)
