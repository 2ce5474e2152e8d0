"""Write part E of the labelled personal-data set: the nine classes of part D by another author.

The sentences come from other registers than part D's: second-hand markets, cafes, chats, flyers,
notices of apartments and clubs, recruitment, customer service, petitions and comments, with sloppy
typing left in. No rule of a detector was read. Everything is fictional; every row has wording of its
own. The notation is the one of make_part_d.py.

    python tests/pii/labelled/make_part_e.py
"""
# ruff: noqa: E501
# One sentence a line keeps the sentences readable and easy to compare; Korean letters count double.

from make_part_d import write_part

SENTENCES = """
@@ phone-hangul-digits phone
letter O in the code, blanks | 제습기 쿨거래 원해요~ 평일 저녁만 됩니다 ⟦O1O §### ####⟧ (문자 먼저)
공 in the code, first in the sentence | ⟦공1공-§###-####⟧ 여기로 사진 몇 장만 보내 주실래요? 살게요
Hangul with hyphens, bracketed | [구인] 주방 이모님 급구, 월 6회 휴무, 4대 보험 (⟦공일공-ㅅㅎㅎㅎ-ㅎㅎㅎㅎ⟧)
all Hangul, bare, end | 대출 막히신 분 신용 무관 바로 상담해요 ⟦공일공ㅅㅎㅎㅎㅎㅎㅎㅎ⟧
영 for 0, blanks | 수화기 너머 목소리가 ⟦영일영 ㅅㅎㅎㅎ ㅎㅎㅎㅎ⟧ 하고 또박또박 읽어 줘서 받아 적음
Hangul in the last group | 우리 지회 간사 번호 바뀌었습니다. ⟦010-§###-ㅎㅎㅎㅎ⟧ 단톡에 다시 안 올려요
Hangul in the middle group | 애기 옷 거의 새거 10벌 만오천, ⟦010 ㅅㅎㅎㅎ ####⟧ 역앞에서 봐요
lower o, bare | 캣타워 무료나눔이요 ⟦o1o§#######⟧ 먼저 연락 주신 분께
lower o and lower l | 계정이 또 정지먹어서 여기 남깁니다 ⟦olo-§###-####⟧
Hangul one by one, dots | 링크 누르지 마시고 ⟦공.일.공.ㅅ.ㅎ.ㅎ.ㅎ.ㅎ.ㅎ.ㅎ.ㅎ⟧ 으로만 오세요 형님들
digits and Hangul by turns | 저 ⟦0일0 §삼#칠 #공#구⟧ 인데요 필터에 걸려서 이리 적어요ㅠ
spoken 에 after the code and the middle | 어르신이 ⟦공일공에 ㅅㅎㅎㅎ에 ㅎㅎㅎㅎ⟧ 하시는데 제가 제대로 들은 건지요
하나 and 둘 | ⟦공하나공 구둘하나삼 오육둘둘⟧, 복창 한번 해 주시고 출동 바랍니다
spoken 다시 for the hyphen | 안내 방송으로 ⟦공삼일 다시 ㅅㅎㅎ 다시 ㅎㅎㅎㅎ⟧ 번호가 두 번 나왔다
land line, Hangul with hyphens | 전단지 문구: 누수 탐지 전문 ⟦공이-ㅅㅎㅎㅎ-ㅎㅎㅎㅎ⟧ 못 잡으면 돈 안 받습니다
land line, O in the code | 학원 셔틀 문의는 ⟦O32-§##-####⟧<으로/로> 오후 두 시 이후에
O in all groups, dots | 명함 사진을 글자로 바꿨더니 ⟦O1O.§#O#.#O##⟧ 이렇게 나오네요
capital I in the code | 팩스로 받은 지원서라 ⟦0I0-§###-####⟧ 인지 아닌지 흐릿합니다
O and I, bare | 중고차 수출합니다. 사고차 침수차 다 받아요 ⟦OIO§#######⟧ 김실장
full-width digits and letter O | 연락처란에 ⟦０O０-§###-####⟧ 라고 잘못 적으신 분, 다시 제출하세요
Hangul last digits only | 잃어버린 지갑 찾아 주신 분께 사례합니다 ⟦010-§###-##ㅎㅎ⟧ 꼭 연락 부탁드려요
Hangul with tildes | 밴드에 올리면 짤려서요 ⟦공일공~ㅅㅎㅎㅎ~ㅎㅎㅎㅎ⟧ 복숭아 4kg 2만8천
two numbers | 신랑 ⟦공일공 ㅅㅎㅎㅎ ㅎㅎㅎㅎ⟧, 신부 ⟦O1O-§###-####⟧ 둘 중 아무한테나 오셨다고 전화 주셔
Hangul beside a number in digits | 원래 쓰던 ⟦010-§###-####⟧ 말고 ⟦공1공 §### ####⟧ 요걸로 바꿨대
petition, long | 피해자가 확인한 것만 서른 명이 넘는데도 그 업자는 오늘도 게시판마다 ⟦공일공-ㅅㅎㅎㅎ-ㅎㅎㅎㅎ⟧<이라는/라는> 번호를 글자로 바꿔 올리며 새 손님을 끌어모으고 있습니다
news comment | 기사에 나온 그 사기꾼 번호 ⟦O1O-§###-####⟧ 아님? 나도 당했음
customer service reply | 고객님, 남겨 주신 ⟦공10-§###-####⟧ 번호는 숫자로 다시 등록해 주셔야 알림톡이 발송됩니다.
glued to a word before | 예약은원장님⟦공일공ㅅㅎㅎㅎㅎㅎㅎㅎ⟧
glued to a word after | ⟦O1O-§###-####⟧이고요 카드결제도 되구요 주차도 됩니당
old mobile code, 공 | 삐삐 다음에 처음 개통한 게 ⟦공16-§##-####⟧ 였지 아마
old mobile code, Hangul with hyphens | 연락 두절된 큰외삼촌 마지막 번호는 ⟦공일칠-ㅅㅎㅎ-ㅎㅎㅎㅎ⟧<이었다/였다>고 해요
Hangul, wrong spacing | 요기로 문자 ⟦공일 공ㅅㅎ ㅎㅎㅎ ㅎㅎㅎ⟧ 띄어쓰기는 무시해 주셈
Hangul with slashes | 소모임 총무 ⟦공일공/ㅅㅎㅎㅎ/ㅎㅎㅎㅎ⟧ 신입 환영회 참석 여부 꼭이요
O in the last group | 강아지 임시보호처 구합니다 ⟦010-§###-O#O#⟧ 한 달만 부탁드립니다
parents' cafe, quoted | 선생님이 알림장에 "급한 일은 ⟦공일공 ㅅㅎㅎㅎ ㅎㅎㅎㅎ⟧"이라고 한글로 적어 주심ㅋㅋ
sign before | ☏ ⟦공일공.ㅅㅎㅎㅎ.ㅎㅎㅎㅎ⟧ 굴삭기 공투 공식스 장비 항시 대기
eight after the code with 공 | 수학 과외합니다(공대 재학) ⟦010 §공#공 #공##⟧ 첫 수업 무료
stretched with blanks, letters O | 분양 실장 직통  ⟦O 1 O  § # # #  # # # #⟧  모델하우스 방문 예약
internet phone, Hangul | 회사 번호가 ⟦공칠공 ㅅㅎㅎㅎ ㅎㅎㅎㅎ⟧<이라서/라서> 다들 스팸인 줄 알고 안 받아
end of a long bulletin | 색소폰 동호회 '늘푸른소리' 신입 단원 모집합니다. 초보도 괜찮고 악기는 석 달 동안 빌려드려요. 매주 목요일 7시 반에 모이고요, 궁금한 점은 단장 ⟦공일공-§###-####⟧
--
drinking game | 엠티 가서 공공칠빵 하다가 벌주만 열 잔
television show | 프로듀스 일공일 때가 제일 재밌었는데 조작이었다니
olympics year | 팔팔 올림픽 때 굴렁쇠 굴리던 그 소년은 지금 뭐 할까
terror attack | 구일일 이후로 공항 검색이 이렇게 깐깐해졌다고 배웠어요
idiom of groups | 아이들이 삼삼오오 모여서 딱지치기를 하더군요
youth idiom | 마음만은 이팔청춘이라는 우리 할아버지
girl group | 아이오아이(I.O.I) 재결합 소식에 심장이 쿵
online to offline | O2O 서비스 기획자 뽑습니다, 경력 3년 이상
blanked name of a place | OO시 OO동 주민센터 담당자분 이러시면 안 됩니다
zeros typed as letters in a price | 책상 5OOO원, 의자 1OOOO원에 내놨어요
letters in a date | 개강일이 O3월 O2일로 잘못 찍혀 나왔네요
date read aloud | 이공이사년 삼월 이일 생이라고 발음 연습 중인 아기
truck | 군대에서 육공 트럭 몰던 썰 푼다
score read aloud in a comment | 오대영 별명 붙은 감독님을 여기서 또 소환하네
excavator sizes | 공투 하나 공식스 하나 이렇게 두 대 들어오면 이틀이면 끝나요
digits as wordplay | 빨리빨리라서 팔이팔이, 이사라서 이사 업체 번호에 이사이사가 많은 거래
school grades | 오륙 학년은 수요일, 삼사 학년은 목요일에 급식 검수 참관
game account | lOl 부계정 l0레벨까지 키우는 데 얼마나 걸림?
emergency line in Hangul | 불나면 일일구, 도둑은 일일이 아니냐고 다섯 살이 묻는다
code of a bank branch in Hangul | 전문에는 영업점이 영삼사 지점으로 적혀야 하는데 공삼사로 들어와 반송됐습니다
@@ phone-separators phone
tildes, first in the sentence | ⟦010~§###~####⟧ 반값에 내놓습니다 유모차 상태 좋아요
dots in a signature | 문화센터 수채화반 강사 드림. ⟦010.§###.####⟧
middle dots on a flyer | 못 받은 돈 받아드립니다 ⟦010·§###·####⟧ 비밀 보장
slashes in a list | 3반 안전요원 2명: ⟦010/§###/####⟧, ⟦010/§###/####⟧
em dashes | 저자에게 오탈자를 알려 주실 분은 ⟦010—§###—####⟧ 또는 ⟦email:banjang@saebyeok.kr⟧
en dashes, particle | 기숙사 사감실 ⟦054–§##–####⟧<으로/로> 외박 신청하세요
minus signs | 표를 붙여 넣으니 하이픈이 바뀌네요 ⟦010−§###−####⟧
full-width hyphens | 민원인 휴대폰：⟦010－§###－####⟧
non-breaking hyphens | 회신처는 ⟦031‑§##‑####⟧ 담당 주무관입니다
figure dashes | 연습실 대관 ⟦010‒§###‒####⟧ 시간당 8천 원부터
vowel as a dash, first | ⟦010ㅡ§###ㅡ####⟧ 쌀국수집 알바 구해여 시급 만천
han numeral as a dash | 영덕 대게 직송 ⟦010一§###一####⟧ 선장이 직접 받슴니다
katakana long vowel | 일본어 회화 스터디장 ⟦010ー§###ー####⟧ 레벨테스트 있어요
underscores in a nickname | 대리운전방 닉네임은 지역_이름_⟦010_§###_####⟧ 형식으로 바꿔 주세요
three dots | 그냥...심심한 사람...⟦010...§###...####⟧...
two dots | 아직 안 팔렸나요?? 전 ⟦010..§###..####⟧ 예요
commas in a csv line | 201동,대표,⟦010,§###,####⟧,동의
brackets round the code | 결혼식 사회 봐 드려요 ⟦(010) §### ####⟧
brackets round the code, hyphens after | 구청 위생과 ⟦(051)-§##-####⟧ 점검 일정 확인
corner brackets | 중장비 임대 ⟦【010】§###-####⟧ 전국 어디든
angle brackets | 양봉 벌통 팝니다 ⟦<010>§###-####⟧ 이동 양봉 가능
curly brackets | 템플릿 변수 자리에 그대로 ⟦{010}§###-####⟧<이/가> 찍혀서 발송됐습니다
one bracket after the code | 철거, 폐기물 처리 ⟦010)§###-####⟧ 견적 무료
one bracket, land line | 교무실 ⟦042)§##-####⟧ 상담 주간은 다음 주까지예요
hyphens with blanks | 빨래방 점주입니다 동전 걸리면 ⟦010 - §### - ####⟧ 로 문자 주세요
hyphen before the last group only | 산악회 버스 예약 ⟦010§### - ####⟧ 선착순 45명
hyphen after the code only | 요가매트 두고 가신 분 찾아요 ⟦010-§#######⟧
blank after the code only | 방충망 교체 ⟦010 §#######⟧ 아파트 단체 할인
stars | 하루 3시간 주부 부업 ★⟦010★§###★####⟧★
hearts | 네일 첫방문 30프로 할인 ⟦010♡§###♡####⟧
arrows | 통화 안 되면 ⟦010→§###→####⟧ 순서대로 누르면 된다던 할머니 쪽지
plus signs | ⟦010+§###+####⟧ 이거 그냥 더하기가 아니라 제 번호임ㅋㅋ
colons in a chat | 조장님 번호 알려드림 ⟦010:§###:####⟧
semicolons | 오타가 많아 죄송 ⟦010;§###;####⟧ 로 저나주세요
vertical bars | 신청자 명단 복사본 → ⟦010|§###|####⟧
carets | 오늘 미용 예약 취소자리 나왔어요 ⟦010^§###^####⟧^^
one by one with slashes | 검열 피하기 ⟦0/1/0/§/#/#/#/#/#/#/#⟧ 됐지?
one by one with stars | 소액 급전 필요하신 분 ⟦0*1*0*§*#*#*#*#*#*#*#⟧ 텔보다 빠름
tilde, then blank | 바둑 두실 분, 기원은 멀고 해서 집 근처에서 둡니다. 급수는 3급쯤 되고 시간은 아무 때나 괜찮으니 ⟦010~§### ####⟧ 편하게 연락하세요
petition, slashes with blanks | 시공사는 하자 접수를 ⟦02 / §### / ####⟧ 한 군데로만 받겠다면서 정작 그 번호는 석 달째 아무도 받지 않습니다
--
hours with tildes | 점심 장사 11~14시, 저녁 17~22시, 라스트오더 21시 10분
years with tildes | 연재 기간은 2010~2014~2018 이렇게 세 번 끊겼다가 이어졌죠
amounts with slashes | 보증금/월세/관리비 = 1000/45/7 이고 2000/40도 협의돼요
dimensions with stars | 목재 재단 600*1200*18 두 장, 300*900*18 네 장이요
steps with arrows | 10→23→45→67 이 수열의 규칙 아시는 분
version and build | 앱 버전 v10.12.3456 (빌드 7890) 에서 사진 업로드가 멈춰요
dates with dots, range | 접수 2019.10.14.~2019.11.08. 발표 2019.12.02.
verse numbers | 시편 23:1-6, 요한복음 10:10~11 읽고 나눕니다
song page numbers | 찬송가 010장, 234장, 567장 순서로 준비했습니다
marathon records | 풀코스 03:45:10, 하프 01:38:22, 텐케이는 0:47:59
blanked number | 번호는 010-****-**** 로 가려 놨으니 채팅으로 물어보세요
shape of the field only | 연락처는 010-0000-0000 형식으로 입력하세요라는 문구만 계속 떠요
exponents | 10^23 곱하기 10^-45 계산 좀 도와주세요
statute with middle dots | 「도로교통법」 제10조·제12조·제27조 및 시행령 별표 8·10
serial of a boiler | 보일러 명판에 GB-010_2345_18K 라고 적혀 있어요
room list with commas | 청소 완료 호실: 1010,1023,1045,1078 (복도 포함)
test scores with slashes | 토익 RC/LC 410/455, 오픽 IH, 한능검 2급/88점
seat numbers with dots | 좌석이 010.F구역.12열.34번으로 나오는데 이런 구역이 있나요
mixing ratio | 시멘트 1 : 모래 3 : 물 0.5~0.6, 양생 10~14일
match results in a long line | 1세트 25-23, 2세트 18-25, 3세트 31-29, 4세트 25-20으로 이겼는데 서브 득점만 10-2였다는 게 믿기지 않는다
@@ phone-lost-zero phone
mobile, hyphens, after 연락처 | 명부에 적힌 연락처 ⟦10-§###-####⟧ 로 걸면 없는 번호래요
mobile, bare, after 폰 | 신입회원 폰 ⟦10§#######⟧ 단톡 초대 부탁
mobile, blanks | 휴대폰번호 ⟦10 §### ####⟧ 앞자리 영은 알아서 붙여주세요
mobile, dots | Mobile ⟦10.§###.####⟧ 대한지부 사무국장
mobile in a table with tabs of blanks | 5   참석   핸드폰 ⟦10-§###-####⟧   채식
mobile, quoted cell | 셀 서식이 숫자라 전화번호가 "⟦10§#######⟧" 로 바뀝니다 방법 없나요
mobile, after H.P | H.P ⟦10-§###-####⟧ 이삿짐 2.5톤 당일 가능
two mobiles | 예약자 연락처 ⟦10-§###-####⟧, 동반인 연락처 ⟦10-§###-####⟧ 맞으시죠?
+82, hyphens | 교민회 긴급전화는 ⟦+82-10-§###-####⟧<이니/니> 저장해 두십시오
+82, blanks, first | ⟦+82 10 §### ####⟧ is my Korean number, 카톡도 이걸로 돼요
+82 glued | 로밍이라 ⟦+8210§#######⟧<으로/로> 뜰 거예요 받아 주세요
+82 then hyphen | 해외배송 서류에는 ⟦+82 10-§###-####⟧ 이렇게 적어야 통관이 빨라요
+82 with zero kept | 호텔 예약 메일에 제 번호가 ⟦+82 010-§###-####⟧ 라고 적혔네요
+82 with zero in brackets | 명함 뒷면 Cell ⟦+82 (0)10 §### ####⟧
82) before a mobile | 수취인 전화 ⟦82)10-§###-####⟧ / 부재 시 경비실
(82) before a mobile | 통역 요청하신 분 ⟦(82)10-§###-####⟧ 금요일 오전에 연락하래요
(+82) before a mobile | 유학생 상담 ⟦(+82)10-§###-####⟧ 위챗도 같은 번호
+82) before a mobile | 국제택배 보내는 사람 ⟦+82)10-§###-####⟧
82 with hyphens, no plus | 바이어한테 넘긴 번호가 ⟦82-10-§###-####⟧ 인데 괜찮을까요
82 bare, no plus | 문자 발신 로그에 수신번호 ⟦8210§#######⟧ 로 찍혔습니다
+82 with dots | Tel. ⟦+82.10.§###.####⟧ 스튜디오 방문은 예약제
+82 and Seoul | 대사관 영사과 ⟦+82-2-§###-####⟧ 여권 분실하신 분
+82 and a region, blanks | 공장 전화 ⟦+82 55 §## ####⟧ 통화 가능한 시간은 한국 기준 9시부터
+82 and internet phone | 고객센터 해외에서 거실 때 ⟦+82-70-§###-####⟧ 국제요금이 붙습니다
(82) and a region | Fax 말고 전화 ⟦(82)41-§##-####⟧ 로 달라고 하네요
Seoul without zero | 출판사 대표번호 ⟦2-§##-####⟧, 엑셀에서 영이 빠졌어요
Seoul, bracketed code | 전화 : ⟦(2)§###-####⟧ 총무과
region without zero, first in the line | ⟦33-§##-####⟧ 펜션 전화번호 맞죠? 앞에 0이 짤린 듯
region without zero, bare | 거래처 전화 ⟦51§#######⟧ 로 입력돼 있는데 수정 부탁드려요
region without zero, dots | 연수원 전화번호 ⟦43.§##.####⟧ (식당은 별도)
region and mobile in one line | 담당 조합 전화 ⟦61-§##-####⟧ 휴대전화 ⟦10-§###-####⟧
internet phone without zero | 인터넷전화라 전화번호가 ⟦70-§###-####⟧ 로 시작해요
old mobile without zero | 호적 정리하다 나온 수첩에 핸드폰 ⟦16-§##-####⟧ 라고 적혀 있더라
petition | 가해 학생의 부모는 학교에 제출한 서류에 휴대폰 ⟦10-§###-####⟧ 하나만 적어 놓고 석 달 동안 한 번도 받지 않았습니다
after 문자 | 당첨되신 분은 폰번호 확인 후 문자 갑니다: ⟦10§###-####⟧
brackets, particle | 보호자 휴대폰(⟦10-§###-####⟧)으로 하원 알림이 안 와요
slash and tag | 이름/휴대폰/차종 → 하늘결/⟦10-§###-####⟧/레이
full-width plus | 국제전화 표기 ⟦＋82-10-§###-####⟧ 전각 기호라서 인식이 안 된답니다
tilde | 전화 ⟦10~§###~####⟧ 고구마 줄기 손질한 거 팔아요
long customer reply | 고객님께서 주문서에 적어 주신 휴대폰 ⟦10-§###-####⟧ 번호는 맨 앞의 0이 빠져 있어 기사님이 통화하지 못하셨고, 그래서 상품이 물류센터로 되돌아왔습니다
--
head-to-head | 통산 전적 10-23이면 천적 맞지
receipt number | 접수증 10-4521-33 들고 3번 창구로 오세요
country code question | 82가 우리나라 국번이고 81이 일본, 86이 중국 맞죠?
rise of an index | 코스피 +82포인트, 코스닥 +10.2포인트로 마감
bus number | 82-10번 버스 증차 요청드립니다 출근길이 지옥이에요
form of a part | 볼트 규격 10-24 UNC, 길이 82mm 있나요
bank interest | 연 10.82프로 적금이라니 월 한도가 너무 작아
people born in a year | 82년 10월생 동창 모임 나만 빼고 했더라
price of a phone | 휴대폰 1045000원 완납폰인데 개봉만 했습니다
ranges of days | 연락은 10-12일 사이에 드릴 예정이며 개별 통보합니다
phone model number | 핸드폰 기종 SM-1023456 호환되는 케이스 찾아요
temperature | 폰 배터리 온도 +82도까지 올라가서 꺼졌어
weight of a set | 원판 10-20-25kg 한 세트로만 판매, 택배 불가
size of an image | 10x1234 px 배너로 82장 뽑아 주세요
phone number of digits only talked of | 전화번호 앞에 0이 빠지면 10으로 시작해서 열 자리가 되니 텍스트로 바꾸세요
order code | 구매번호 10-20191104-77 반품 접수 완료했습니다
law number | 법률 제10823호 부칙 제2조에 따르면 소급이 안 된다
flight | KE082편 10시 23분 출발 지연 안내
rank and count | 연락처 10~20개만 옮기는 데도 한참 걸린다
weekly stats in a long line | 이번 주 상담 전화는 1,045건으로 지난주보다 82건 늘었고 10건은 아직 답을 못 드렸습니다
@@ phone-local phone
전화 and blank | 떡국떡 뽑으실 분 방앗간 전화 ⟦§##-####⟧
전화 and colon | ■ 이불 빨래 수거 전화: ⟦§##-####⟧ (월~토)
전화번호 | 경로당 전화번호 ⟦§##-####⟧ 이장님이 받으십니다
TEL, blank | 신장개업 돼지국밥 TEL ⟦§##-####⟧ 단체석 완비
Tel with dot and blank | Tel. ⟦§###-####⟧ 광고 문의 환영
tel in lower case, bracketed | 우리동네 열쇠 (tel.⟦§##-####⟧) 밤샘 출장
T with colon | T: ⟦§###-####⟧ / F: ⟦§###-####⟧
T with bracket | 한복 대여 T)⟦§##-####⟧ 폐백음식도 합니다
sign ☎ glued, bracketed | 자세한 것은 농협 구매계(☎⟦§##-####⟧)로 문의 바랍니다.
sign ☏ | 재활용 가구 수거 ☏⟦§##-####⟧
sign ☏ with blank, particle | 고장 신고는 ☏ ⟦§##-####⟧<으로/로> 해 주시기 바랍니다
sign 📞 | 🍗치킨 나와라 뚝딱 📞 ⟦§##-####⟧ 포장 2천 원 할인
sign ✆ | 사진관 ✆⟦§##-####⟧ 여권사진 10분
문의 | 아파트 헬스장 회원 모집, 문의 ⟦§##-####⟧
문의전화 | 김장 담그기 봉사자 모집 (문의전화 ⟦§##-####⟧)
문의처 | 문의처: 면사무소 산업계 ⟦§##-####⟧
연락처 | 재능기부 이발 봉사 갑니다. 연락처는 ⟦§##-####⟧ 복지관이에요
연락 바랍니다 after | 유실물 보관 중, ⟦§##-####⟧ 역무실로 연락 바랍니다
전화 주세요 after | 현수막 걸 자리 필요하심 ⟦§##-####⟧ 전화주세여
예약 | 스크린골프 예약 ⟦§##-####⟧ 새벽 타임 반값
신고 | 가로등 고장 신고 ⟦§##-####⟧ 읍사무소 민원팀
배달 | 족발 배달 ⟦§##-####⟧ 막국수 서비스
상담 | 어르신 임플란트 상담 ⟦§###-####⟧ 월수금 야간 진료
접수 | 수강 접수 ⟦§##-####⟧, 재료비 따로 냅니다
관리사무소 | 엘리베이터 멈추면 관리사무소 ⟦§##-####⟧ 로 즉시 알려 주십시오.
경비실 | 정문 경비실 전화는 ⟦§##-####⟧ 후문은 없음
대표전화, eight digits | 병원 대표전화가 ⟦§###-####⟧<으로/로> 바뀐 걸 아무도 모름
집 전화 | 우리 집 전화 ⟦§##-####⟧ 이사 온 날부터 한 번도 안 바꿨다
two numbers with slash | 중화반점 전화 ⟦§##-####⟧/⟦§##-####⟧ 일요일도 엽니다
two numbers with 또는 | 보건지소 전화 ⟦§##-####⟧ 또는 ⟦§##-####⟧ 예방접종 문의
extension after | 학과 사무실 전화 ⟦§###-####⟧ 내선 214
fax beside | 전화 ⟦§##-####⟧ 팩스 ⟦§##-####⟧ 우편번호는 아래를 참고하세요
area code apart | 지역번호 눌러야 되고 전화 ⟦§##-####⟧ 라고 적힌 간판이 아직 남아 있음
dot between | 참기름 짜는 집 전화 ⟦§##.####⟧
blank between | 분식집 전화 ⟦§## ####⟧ 떡볶이 2인분 이상 배달
bare seven digits | 콜택시 전화 ⟦§######⟧ 면 단위까지 갑니다
dash with blanks | 펌프 수리 ☎ ⟦§## - ####⟧
full-width hyphen | 전화 ⟦§##－####⟧ 마을문고 운영 시간 안내
petition | 민원을 넣으려고 표지판에 적힌 공사 현장 전화 ⟦§##-####⟧ 번으로 열 번 넘게 걸었지만 신호음만 울릴 뿐이었고 시청은 시공사에 물어보라는 말만 되풀이했습니다
apartment notice, long | 주민 여러분께 알립니다. 물탱크 청소로 14일 오전 9시부터 오후 3시까지 단수되오니 미리 물을 받아 두시고 급한 일은 기전실 전화 ⟦§##-####⟧<을/를> 이용해 주세요.
--
emergency numbers | 전화는 112나 119로 먼저 하고 그 다음에 관리실에 알려라
call length | 통화 45-50분 했더니 귀가 뜨끈뜨끈
fees | 문의하신 수강료는 150-180만 원 사이입니다
model of a phone set | 사무용 전화기 LIP-9030 여섯 대 일괄 처분합니다
document number | 문의하신 공문은 총무-2451호로 이미 나갔어요
ticket number | 상담번호 5521-33 건 담당자가 바뀌었습니다
book shelf mark | 예약하신 책 청구기호는 813-2451ㄱ 입니다
bus numbers | 신고 버스 720-1번, 차량은 흰색 저상이었어요
page numbers | 문의하신 문제 해설은 324-3301번까지 다음 주에 올라갑니다
hot line of a city | 전화로 120 누르면 다산콜이 받고 1366은 여성긴급전화
extension alone | 내선 4521로 돌려 주시면 바로 받습니다
answering rate | 전화 응답률 234건 중 198건, 평균 대기 3분 12초
price of delivery | 배달비 3500-4500원 받으면서 단무지도 안 줘
queue | 접수 대기 231번까지 왔고 4502번 서류는 반려됐음
date after 예약 | 예약 가능일은 1203-1207, 크리스마스 주는 마감
address of a pole | 신고하실 때 가로등 번호판 245-나-3311을 읽어 주세요
room and building | 상담실 302-1호에서 집단상담 8회기 진행합니다
score of a survey | 연락 만족도 451점 만점에 320점은 대체 어떻게 계산한 거죠
stock after 문의 | 문의 폭주로 재고 2,340-1,200 남은 수량 다시 세는 중
paragraph in a long article | 전화 여론조사에서는 응답자 1,002명 가운데 345명이 찬성했고 2018-2019년 조사보다 4.1포인트 올랐다고 합니다
@@ rrn-partial rrn
six stars, after 주민번호 | 원천징수 때문에 주민번호 ⟦871103-2******⟧ 확인되시나요 강사님
six stars, first in the sentence | ⟦640219-1******⟧ 세대주 분리 완료
six stars, brackets | 원고 노시우(⟦720815-1******⟧) 소송대리인 변호사 탁은결
six stars, two people | 공동명의: ⟦830407-2******⟧ 1/2, ⟦810926-1******⟧ 1/2
first digit only | 생년월일 일곱 자리는 ⟦950612-2⟧<으로/로> 적었어요
first digit only, end | 보험 설계 필요하시면 이거 넣으세요 ⟦780130-1⟧
first digit only, after a slash | 방과후 지원자 / 반달 / ⟦041117-4⟧ / 자격증 2개
first digit only, quoted | 인증 화면에 "⟦000825-3⟧" 치면 자꾸 형식 오류라 함
circles, white | 위 사람(주민등록번호 ⟦561204-1○○○○○○⟧)은 본 조합의 조합원임을 증명함
circles, black | 수료증에는 ⟦910714-2●●●●●●⟧ 처럼 점으로 가려 인쇄해 주십시오
large circles | 진단서 사본 ⟦690302-2◯◯◯◯◯◯⟧ 가림 처리 확인
lower x | 계약서 2조 임차인 ⟦880920-1xxxxxx⟧ 전입일 협의
upper X | 급여명세 하단에 ⟦760511-2XXXXXX⟧<이/가> 그대로 보입니다
multiplication signs | 신분증 제출본은 ⟦930228-1××××××⟧ 식으로 뒷자리를 지우고 올리세요
full-width stars | 가족관계증명서상 모 ⟦６２０９１７-2＊＊＊＊＊＊⟧
stars, particle after | 조회해 보니 ⟦850606-1******⟧<이/가> 이미 가입되어 있다고 떠요ㅠㅠ
five stars, sloppy | 위임장에 ⟦740323-2*****⟧ 요래 적어도 되나
seven stars, sloppy | 환자번호 옆에 ⟦011009-3*******⟧ 찍혀 있네 별이 하나 많다
three stars, sloppy | ⟦900418-1***⟧ 이 정도만 공개할게요 사기 이력 조회 부탁
blanks around the hyphen | 주민등록번호 ⟦681125 - 1******⟧ 성명 감우물
en dash | 졸업생 명부 ⟦970803–2******⟧ 편입학
full-width hyphen | 세금계산서 발행용 ⟦840116－1******⟧
blank for the hyphen | 동의서 양식이 이상해서 ⟦790527 2******⟧ 이렇게밖에 안 적혀요
no hyphen | 접속기록: 사용자 ⟦8205141******⟧ 로그인 실패 3회
no hyphen, x | 엑셀에서 마스킹 돌린 값이 ⟦9912312xxxxxx⟧ 맞는지 봐 주세요
foreigner, six stars | 외국인등록번호 ⟦frn:880203-5******⟧ 체류기간 연장 신청합니다
foreigner, first digit only | 교환학생 등록 때 ⟦frn:010430-7⟧ 까지만 쓰래요
foreigner, born 2000 or later, stars | 다문화 자녀 ⟦frn:050921-8******⟧ 학비 지원 대상 여부 문의
foreigner, circles | 근로계약서 을: 응우옌 ⟦frn:920711-6○○○○○○⟧
foreigner, x, particle | 통장 만들려는데 ⟦frn:860105-5xxxxxx⟧<으로/로> 조회가 안 된답니다
one of each type | 남편 ⟦frn:750812-5******⟧ 아내 ⟦771020-2******⟧ 건강보험 피부양자 등록
glued to a name | 표고은⟦660704-2******⟧ 님의 진료비 내역입니다
glued to 생 | ⟦731228-1⟧생 남편 사주 좀 봐주실 분
beside a phone | 대리 수령자 ⟦940505-1******⟧ ⟦phone:010-4417-2093⟧ 신분증 지참
beside an address | 피고 어진솔 ⟦590318-2******⟧ 주소 ⟦address:전주시 덕진구 물레길 18⟧
chat | 총무님 제꺼 ⟦020214-4******⟧ 여행자보험 넣어 주셔요 영문은 여권이랑 똑같이
news | 인터넷 카페에 유출된 파일에는 '⟦701009-1******⟧' 같은 번호가 2만 건 넘게 담겨 있었다
petition, long | 저는 신분증을 잃어버린 적도 없는데 어느 날 갑자기 ⟦811130-2******⟧ 앞으로 휴대전화 세 대가 개통되었다는 통보를 받았고 통신사는 본인이 아님을 제가 증명하라고 합니다
customer service reply | 남겨 주신 ⟦960607-1******⟧ 정보로는 가입 이력이 조회되지 않습니다, 고객님. 개명하셨다면 초본을 보내 주세요.
flyer of a missing person | 사람을 찾습니다. 강누리, ⟦490822-1⟧, 키 168, 회색 점퍼, 왼손 손등에 흉터가 있고 말수가 적으며 본인 이름은 말할 수 있습니다
--
first digit hidden too | 주민번호는 성별까지 안 보이게 880101-******* 로 내 주세요
all hidden | ******-******* 로 나오면 마스킹 설정이 걸린 겁니다
shape only, letters | 주민등록번호 칸은 YYMMDD-GXXXXXX 형식을 따릅니다
only the birth date | 생년월일 여섯 자리 970415 만 넣어도 조회돼요
card shape masked | 결제 카드 5521-****-****-3304 승인 취소되었습니다
order number with masked tail | 주문번호 201104-1**** 는 개인정보라 가렸어요 아니 근데 이게 왜 개인정보야
receipt number of a competition | 공모전 접수번호 190830-2 심사 중
version by date | 펌웨어 200117-1 적용 후 재부팅 반복
lot number of food | 제조번호 210305-3 A라인, 유통기한 6개월
no such month | 품목 코드 961745-2 단종된 거 맞나요
two dates | 161203-161210 주간 근무표 올립니다
drawing number | 도면 850912-1A 개정판으로 교체 부탁드립니다
meeting record by date | 회의록_201015-2.hwp 이게 두 번째 안건이에요
issue of a newsletter | 소식지 191101-4호 4면 오탈자 정정합니다
masked account-like number | 계약 300412-1** 건 담당자가 퇴사했대요
game serial masked | 쿠폰 774512-9xxxxxx 이미 사용된 번호라는데요
rule about the digits | 뒷자리 첫 숫자는 1과 2가 1900년대, 3과 4가 2000년대 출생이고 5부터 8은 외국인입니다
parcel of land | 소재지번 220-1, 330412-2 필지는 대장에 없습니다
subtraction | 잔액이 910000-1500이면 908500원 아님?
long notice | 주민등록번호 뒷자리 수집은 2014년 8월 7일부터 법령 근거가 없으면 금지되었으니 앞으로 회원 가입서에는 생년월일만 적어 주시고 이미 받은 서류는 파기해 주시기 바랍니다
@@ email-blanks email
blanks around the sign | 대본 지원은 ⟦gureum.film @ naver.com⟧ 제목에 배역 이름
blank before the sign | 후원 영수증 필요하시면 ⟦dungji_fund @hanmail.net⟧
blank after the sign | 레포트 제출 ⟦ta.botany@ saebyeok.ac.kr⟧ 오늘 자정까지
blank before the last dot | 과월호 문의 ⟦jageun.chaek@naver .com⟧
blank after the last dot | 이력서 접수합니다 ⟦hr@mirae-saem. co.kr⟧ 면접은 개별 안내
blanks around the dot | 악보 필요하심 ⟦piri1987@nate . com⟧ 로 메일 줘요
blanks everywhere | ⟦n a b i @ d a u m . n e t⟧ 스팸 방지로 띄웠으니 붙여서 보내세요
blanks around sign and dots | 기고는 ⟦toji.news @ gmail . com⟧<으로/로>
two-part ending, blanks | 전산 장애 접수 ⟦help @ gaon-sys . co . kr⟧
골뱅이 with blanks | 제 메일 ⟦solbaram88 골뱅이 naver.com⟧ 이에요 ppt 원본 부탁드려요
골뱅이 glued | 셀카 아니고 작업물만 ⟦linedraw골뱅이gmail.com⟧
골뱅이 in brackets | 제보 받습니다 ⟦dongne.eyes(골뱅이)gmail.com⟧ 익명 보장
골뱅이 in square brackets | ⟦ggotgil[골뱅이]hanmail.net⟧ 꽃꽂이 수업 일정표 보내드림
골뱅이 and 점 | ⟦saessak 골뱅이 네이버 점 컴⟧ 이라고 불러 드렸는데 자꾸 반송된대요
골뱅이 and 닷 | 엄마 메일 ⟦okja1959 골뱅이 다음 닷 넷⟧ 비번은 나도 몰라
all Hangul glued | 초등생 대상 무료 강의 신청 ⟦byulmaru골뱅이네이버닷컴⟧
Hangul provider, sign kept | 반주 음원 필요하면 ⟦chorus_arirang@네이버닷컴⟧
Hangul ending only | 하숙생 모집 문의 ⟦hasuk.house@naver닷컴⟧
at in brackets | contact: ⟦mirinae(at)studiogaram.kr⟧ 협업 제안 환영
at in square brackets, dot in square brackets | 버그 리포트는 ⟦dev[at]narae[dot]io⟧
AT in capitals, blanks | 개발자 메일 ⟦onbit AT gmail DOT com⟧ 크롤링 방지
at and dot in lower case, blanks | 논문 원문 요청 ⟦s.k.ban at haneulbit dot ac dot kr⟧
at in angle brackets | 라이선스 문의 <⟦typeface<at>moeum.kr⟧>
앳 and 닷 | 발음 그대로 쓰면 ⟦dasompapa 앳 지메일 닷컴⟧ 인가요 영어로 좀
앳 glued | 웨딩 DVD 찾으실 분 ⟦memoryfilm앳naver.com⟧
full-width sign | 양식 회신처 ⟦jibu04＠hanmail.net⟧
full-width sign and dot | 수기 공모 ⟦sugi2020＠daum．net⟧ 분량 제한 없음
comma for the dot | 오타 났네 ⟦bomnal77@naver,com⟧ 컴마 말고 점이에요
blank and particle | 견적서는 ⟦sign_house @ daum.net⟧으로 받아 볼 수 있을까요?
two addresses | 1차는 ⟦edit1 @ nuri.kr⟧ 안 되면 ⟦edit2 골뱅이 nuri.kr⟧ 로 재발송
beside a phone | 통역 알바 이력서 ⟦woori.lang @ gmail.com⟧ 급하면 ⟦phone:010-8824-3157⟧
no last part | 필요하신 분 ⟦taxi9912 골뱅이 네이버⟧ 로 주소 주시면 파일 쏴드려요
no last part, hotmail | 옛날 주소라 ⟦sunsu_77 골뱅이 핫메일⟧ 인데 휴면 풀리려나
chat, glued before | 메일은⟦moonbam_03 @ naver.com⟧임
brackets | 신인 작가 투고(⟦bandi.book @ kakao.com⟧) 검토는 두 달 걸립니다
colon and blank | E-mail : ⟦pungmul @ sarang.or.kr⟧
한메일 | 동기회보 실을 글 있으면 ⟦dungbul67 골뱅이 한메일 점 넷⟧
hyphen in the local part | 직구 대행 견적 ⟦buy-global 골뱅이 nate 닷 com⟧ 24시간 내 답장
news comment | 기자 양반 ⟦ki.ja.daero @ ilbo-narae.com⟧ 이 주소 살아 있는 거 맞소? 세 번 보냈소
petition, long | 협회에 낸 이의 신청이 두 번이나 사라져서 담당자가 알려 준 ⟦judge.appeal 골뱅이 hyeophoe.or.kr⟧ 주소로 다시 보냈지만 수신 확인조차 되지 않은 채 대회가 끝났습니다
--
price for each | 마카롱 2,500원 @ 12개면 얼마죠
snail dish | 골뱅이 무침에 소면 추가하고 생맥 둘
snail can | 골뱅이 캔 400g 세 개 만원 점보마트
at in English | see you at cafe dot, 6pm 영어 공지 이거 뭔 뜻
place after at | 버스킹 @ 호수공원 . 비 오면 취소
hashtag and place | 오늘 라이딩 @ 남한강 . com 아니고 컴백홈
mail word without address | 이메일 주소 뒤에 점 컴을 빼먹는 분이 너무 많아요
provider only | 네이버 닷컴 들어가서 메일함부터 비우세요
provider with at | 메일은 @naver.com 만 가입됩니다, 학교 계정은 안 돼요
local part only | 아이디 부분만 영문으로 쓰고 골뱅이는 빼고 입력
keyboard | 노트북에서 골뱅이 키가 2번이랑 같이 눌려요 점도 안 찍히고
recipe | 골뱅이 200g 점도 조절은 전분 반 스푼
decorator in code | 파이썬에서 @ property . setter 순서가 헷갈립니다
cost per area | 도배 18,000 @ 평 . 장판은 따로
schedule of a band | 공연 안내: 밴드 새벽 @ 클럽 파도 . 8시
game away | 원정 @ 부산 . 홈 경기는 다음 달
spiral | 모기향처럼 생긴 골뱅이 모양 닷지 스티커
matrix product | 넘파이 a @ b . T 하면 차원 오류 나요
hidden address | 회원 정보에 ab***@***.com 으로만 나와서 무슨 메일인지 모르겠어요
rule in a long notice | 메일 제목에는 학번과 이름을 쓰고 본문 첫 줄에 분반을 적어 주세요. 골뱅이 앞뒤를 띄면 전송되지 않으니 주의하고 닷컴인지 닷넷인지도 다시 확인하세요
@@ account-holder bank_account
예금주 with a colon | 동문회비 ⟦110-###-######⟧ 예금주: 봉하늬
예금주 before the number | 예금주 설나래 ⟦352-####-####-##⟧ 으로 반반 부탁해요
holder in brackets, name | 수련회비 6만원 ⟦3333-##-#######⟧(길새봄)
입금자명 | ⟦1002-###-######⟧ 보내실 때 입금자명은 자녀 이름으로 써 주세요
입금 부탁 | 생강청 두 병 ⟦3333-##-#######⟧ 입금 부탁드려요 택배비 포함이에요
송금 | 송금은 ⟦110#########⟧ 제갈누리 앞으로요
이체 | 월세 45 이체처 ⟦###-######-#####⟧ 임대인 편바름
환불 | 환불 받으실 ⟦352-####-####-##⟧ 예금주 국가람 님이 맞으신지요
후원 | 유기묘 병원비 후원 ⟦301-####-####-##⟧ (사)길냥이쉼터
회비, group name | 배드민턴 콕값 ⟦100-###-######⟧ 새벽클럽
조의금 | 마음 전하실 곳 ⟦###-##-######⟧ 상주 명노을
축의금, two | 신랑 혼주 ⟦302-####-####-##⟧ 방철수 / 신부 혼주 ⟦110-###-######⟧ 선우진
wedding, holder first | 혼주 옹달샘: ⟦356-####-####-##⟧
first in the sentence | ⟦3333-##-#######⟧ 추솔 15000 쏘면 됨ㅇㅇ
names with masks | ⟦###-######-#####⟧ (예금주 ㅂㅎㅅ) 사기 조심하세요 두 번 당함
Latin name | ⟦1002-###-######⟧ JANG DAON 해외 송금 아님
firm | 잔금 ⟦140-###-######⟧ 예금주 (주)너른들목공
firm with 주식회사 | 중도금은 ⟦100-###-######⟧ 주식회사 가온누리 명의로 받습니다
church | 선교 헌금 ⟦301-####-####-##⟧ 예금주 샘물교회
school | 급식비 미납분 ⟦###-##-######⟧ 예금주 들꽃유치원
bare digits with 계좌 apart | 계좌번호는 이겁니다. ⟦3333#########⟧ 예금주는 같아요
bare digits, holder after | 택포 3만원 ⟦1002#########⟧ 류바다
bare digits, fourteen, particle | ⟦352###########⟧<으로/로> 보내시고 캡처 주세요, 예금주 함초롬
blanks as separators | 곗돈 모으는 데 ⟦3333 ## #######⟧ 계주 나비야
dots as separators | 레슨비 ⟦110.###.######⟧ 예금주 엄지나
tildes as separators | ⟦100~###~######⟧ 예금주 피어나 꿀 두 병 값
en dashes | 인지대 포함 ⟦356–####–####–##⟧ 예금주 법무사 도한결
full-width hyphens | 교재비 선입금：⟦302－####－####－##⟧ 예금주 열린책방
slash holder | 3만5천/⟦3333-##-#######⟧/고운별/오늘 7시까지
particle after | 정산은 ⟦1000-####-####⟧<으로/로> 해줘 내 본명 진솔비
glued to a name before | 총무감나무⟦110-###-######⟧
glued to 원 after | 참가비 보낼 데 ⟦352-####-####-##⟧<이고/고> 2만원씩 예금주 오름지기
holder's title | 차량 유류비는 ⟦100-###-######⟧ 한가람 집사님께 드리면 됩니다
refund in a customer reply | 고객님 명의(마**)의 ⟦###-######-#####⟧ 환급 처리 완료되었습니다
beside a phone | ⟦3333-##-#######⟧ 예금주 곽도란, 입금 후 ⟦phone:010-9936-7240⟧ 문자
emoji | 💰⟦1002-###-######⟧💰 예금주 하람 공구 마감 임박
quoted holder | 중고나라에서 ⟦110-###-######⟧ "최ㅇㅇ" 한테 사기 당하신 분 모여요
news comment | 댓글에 후원하라며 ⟦302-####-####-##⟧ 예금주 본인 이름까지 올린 용기는 인정
petition, long | 분양 대행사는 신탁사 지정 통장이 아니라 ⟦140-###-######⟧, 예금주가 대표 개인인 곳으로 계약금을 넣게 했고 피해자 마흔일곱 명은 아직도 한 푼도 돌려받지 못했습니다
apartment notice | 입주자대표회의 알림. 조경 분담금 세대당 12,000원을 이번 달 말까지 ⟦301-####-####-##⟧ 예금주 느티나무마을입대의, 동호수를 적어 보내 주시고 확인이 안 되면 관리실로 오세요
--
order number and buyer | 주문 110-334-102938 구매자 배시내 출고 지연 안내
parcel and receiver | 운송장 3333-0412-7765 받는분 진달래 문앞 배송
case number | 2019가합110234 원고 우람건설 변론기일 변경
bid number | 입찰 301-2020-0041-01 예정가 비공개
license of a course | 수료번호 352-2019-0417 성명 구슬 이수시간 30
petition number | 청원 1002-334-118 답변 대기
customer number for gas | 도시가스 고객번호 1000-3344-21 이사 정산 부탁합니다
electricity number | 전기 고객번호 03-1128-4471 명의 변경, 나도현
shop stock code | 상품코드 110-203-334455 재입고 언제 되나요 담당 이슬
insurance case | 보험 접수 352-0417-88 담당자 소담 010 말고 콜백으로
exam seat and name | 수험표 3333-01-204 옥구슬 고사장 2층
library card | 대출증 1002 334 5566 명새롬 연체 3일
amounts and names | 빛나 110,000 솔이 352,000 보람 301,500 이렇게 냈음
entry number | 참가번호 100-21 예금주 아님 주의ㅋㅋ 마라톤 배번임
contract number | 렌탈 계약 302-18-0071245 명의자 반소희 해지 위약금 조회
phone beside 예금주 | 예금주 연락처는 ⟦phone:010-2216-8843⟧ 하나뿐이고 문자만 돼요
points number | 멤버십 3333 0091 2245 7710 포인트 이체 신청 완료
warranty number | 보증서 1002-20190304-11 구매인 감초 무상 수리 기간 지남
school number | 학번 20110334 예금주 학부모 이름과 다르면 장학금 지급이 늦어집니다
tax bill number in a long notice | 지방세 고지서의 납세번호 11014-3-10-20-7-0334821-5 를 확인하시고 예금주가 납세자와 다르더라도 납부가 되니 기한을 넘기지 말아 주시기 바랍니다
@@ address-low address
road and number, particle | 번개 모임은 ⟦느티로 52⟧에서 해요 지하 말고 1층 왼쪽 집
road and number, first | ⟦솔바람길 7⟧ 담벼락에 낙서하신 분 지워 주세요
road, number with branch | 퀵 도착지 ⟦해오름로 118-3⟧ 사장님 찾으시면 됩니다
road and floor | 필라테스 이전 안내 ⟦보름달로 66, 3층⟧ 엘베 있음
road, floor without comma | 미용실 면접 오실 곳 ⟦가람대로 240 2층⟧
road, basement | 합주실 ⟦물안개길 31 지하1층⟧ 드럼 앰프 구비
road, building and flat | 반품 주소 ⟦은하수로 19, 402동 1701호⟧ 착불 보내지 마세요
road, flat only | 세대주 변경: ⟦하늘채로 8, 305호⟧
번길 and number | 고양이 밥자리 ⟦돌담로 45번길 12⟧ 뒤편에 있어요
번길 glued | 원룸 내놨어요 ⟦학여울로24번길 9-1⟧ 풀옵션 300에 38
길 glued to a number | 하차하실 때 ⟦별빛로3길 17⟧ 앞이라고 말씀하세요
road and number glued | 카페 위치 ⟦산들로88⟧ 주차는 골목에
가길 | 문패가 ⟦옥수로 12가길 4⟧ 로 새로 달렸던데
dong and lot | 폐업 처분합니다 ⟦누리동 331-9⟧ 냉장고 두 대
dong, lot with 번지, particle | 어제 ⟦풀잎동 76번지⟧로 배달 갔다가 개한테 쫓김
dong, bare lot, 번지 with branch | 공가 철거 예정 ⟦샛강동 205번지 14호⟧ 쓰레기 좀 치워 주세요
ri and lot | 밤 주우러 오세요 ⟦두물리 480⟧, 파란 지붕 집이요
ri, mountain lot | 송이 채취 금지 구역 ⟦가래울리 산 117-2⟧
myeon and ri | 굼벵이 농장 ⟦칠성면 외사리 263-1⟧ 견학 신청받아요
eup, ri and 번지 | 돈사 악취 민원 ⟦홍농읍 칠곡리 92번지⟧ 일대
eup and road | 오일장 주차는 ⟦화순읍 벌고길 15⟧ 공터에
gun, eup and road | 펜션 예약금 넣었어요 ⟦양양군 양양읍 솔섬길 203⟧ 맞죠
gu and road | 장례식장 ⟦수성구 달빛로 410⟧ 발인 모레 아침
gu, dong and lot | 보도블록 꺼짐 ⟦계양구 효성동 77-18⟧ 유모차 지나가다 빠졌습니다
city and road | 면접장 ⟦춘천시 소양로 96⟧, 복장 자율
city, dong and lot, first | ⟦논산시 취암동 540-2⟧ 비닐하우스 임대합니다
apartment, building and flat | 정수기 코디님 ⟦도담마을아파트 506동 204호⟧ 화요일 가능하세요?
apartment without 아파트, hyphen | ⟦새빛타운 102-1105⟧ 이불 나눔 문고리에 걸어 둘게요
apartment with 차 | 층간소음 항의 ⟦미리내3차 207동 1502호⟧ 발망치 그만
apartment with 단지 | 방문 차량 등록 ⟦온누리5단지 511동 803호⟧ ⟦vehicle_plate:34라7718⟧
apartment in capital letters | 입주청소 ⟦NB하이츠 2동 1004호⟧ 오전 8시 시작
villa | 주인이 전화를 안 받네요 ⟦꽃다지빌라 B동 101호⟧ 보증금 못 받으신 분
one-room building | 집배원님 ⟦청담채 407호⟧ 우편함 번호 바뀌었습니다
officetel, floor | 경리 구함 ⟦마루오피스텔 9층 912호⟧ 오전 근무
dong, apartment, building and flat | 새 주소로 보내 주세요 ⟦노을동 바람꽃아파트 1203동 602호⟧
road, apartment, building and flat | 수리 기사 배정 ⟦여울목로 35 참나무아파트 7동 508호⟧ 14시
legal dong in brackets, phone beside | 받는곳 ⟦한울로 21-6 (서리동)⟧ ⟦phone:010-7705-3168⟧
legal dong in brackets, flat | ⟦돌샘길 90, 1동 302호 (가온동)⟧ 전입자 우편물 쌓여 있음
two places | 짐 싣는 데 ⟦늘봄로 14⟧ 내리는 데 ⟦갯마을동 58-11⟧ 사다리차 필요없음
petition, long | 아이들이 다니는 통학로인 ⟦자작나무로 163⟧ 앞에는 신호등도 방지턱도 없어 올해만 세 건의 사고가 났고, 저희 학부모들은 2년 전부터 시에 대책을 요구해 왔습니다
--
adverb with number | 따로 2개씩 포장해 주실 수 있나요 선물용이에요
adverb with period | 그대로 30분 두면 반죽이 두 배로 부풉니다
route of a bus | 간선 360번은 올림픽대로 3킬로 구간에서 늘 막혀
building and flat without a name | 101동 1203호 사시는 분 차 좀 빼 주세요
floor only | 3층 화장실 물 안 내려가요 2층은 괜찮음
lanes | 왕복 8차로 중 5차로가 통제됐다고 합니다
course | 올레길 10코스 완주하고 고기국수 먹고 옴
national road | 국도 7호선 타고 쭉 올라가면 바다만 두 시간
subway line | 신분당선 강남 방향 3번 칸 2번 문이 환승 빠름
apartment share | 래미안 5억 떨어졌다는 기사 보고 놀람 84타입이요
member of a group | 박하동 1번, 김누리 2번 이렇게 순서대로 발표
dong as animal action | 생활동 3개 프로그램동 2개 준공 예정입니다
rice brand | 임금님표 쌀 10kg 두 포대랑 영동 포도 5kg 주세요
satellites | 다누리 1호, 나로 2호, 아리랑 3호 순서 맞나
lottery store talk | 복권 명당 소문난 가게라더니 5만 원 날림 제대로 3등도 못 함
article number | 조례 제12조 3호에 따라 별도로 45일 안에 고시한다
exit | 홍대입구역 9번 출구 나와서 오른쪽으로 200미터
size of land | 임야 2,314평 도로 4미터 접함 평당 7만
stage talk | 오로지 12곡만으로 2시간 40분 달리는 콘서트
news of redevelopment | 재개발 5구역은 관리처분까지 3년, 6구역은 조합 설립부터 다시 해야 해서 이대로 7년은 더 걸린다는 말이 나온다
@@ handle mention
카톡 아이디 | 중고 피아노 보실 분 카톡 아이디 ⟦noeul_88keys⟧
카톡 with a colon | 레슨 문의 카톡: ⟦cello.darae⟧
카카오톡 with blank | 여름캠프 카카오톡 ⟦campnuri2019⟧ 추가해 주세요
ㅋㅌ, sloppy | 쪽지 못 봐요 ㅋㅌ ⟦moonrabbit07⟧
카톡id with colon glued | 카톡id:⟦sogon_tea⟧ 다기 세트 예약중 아님
카톡아이디는, particle | 제 카톡아이디는 ⟦mallang92⟧<이에요/예요> 프사 고양이
톡 | 쿨거래시 천원 빼드림 톡 ⟦byeol_market⟧
친추 after | ⟦dorandoran33⟧ 카톡 친추하고 사이즈 말해주세여
인스타 | 인스타 ⟦haru.bread_⟧ 디엠 주시면 당일 예약 알려드려요
인스타그램 with at-sign | 작업실 소식은 인스타그램 ⟦@on_the_maru⟧ 에서 봐요
instagram in Latin | Instagram: ⟦woodpaper_kr⟧ 팔로우하면 엽서 증정
insta id | insta id ⟦yes_im_saebom⟧ 모델 구해요 촬영비 무료
인별 | 울 아들 인별 ⟦tiny_dooly⟧ 놀러 오세용
at-sign, first | ⟦@jeju_galchi⟧ 님 계정 해킹당한 듯 이상한 디엠 옴
at-sign in brackets | 사진 출처(⟦@film_dalgona⟧) 밝혀 주세요
two at-signs | 협찬 태그는 ⟦@mugeoun.cup⟧ ⟦@gabyeoun.cup⟧ 둘 다 걸기
트위터 | 그림 커미션 열었어요 트위터 ⟦@raincho_art⟧
트위터 계정, particle | 트위터 계정 ⟦@gosim_bot⟧<이/가> 갑자기 잠겼다는데 아시는 분
트친 | 제 트친 ⟦@sirius_kkot⟧ 님이 만든 굿즈 예쁘죠
페북 | 페북 ⟦dangol.cook⟧ 페이지 관리자 구함
텔레그램 | 텔레그램 ⟦@coin_seonsaeng⟧ 고수익 보장한다고 초대받음
텔 | 작업대출 텔 ⟦goldbridge77⟧ 24시 대기
텔레 id with colon | 텔레id : ⟦whitefox_24h⟧ 사칭 주의
라인 | 라인 아이디 ⟦hiro.hanok⟧ 일본인 친구 소개해 드림
라인 in Latin | LINE ⟦tteok_hanip⟧ 해외 교민 주문 받아요
위챗 | 위챗 ⟦jangmi_beijing⟧ 환전 사기범입니다 조심
디스코드 with number | 디스코드 ⟦오리너구리#4821⟧ 레이드 힐러 구해요
디코 in Latin with number | 디코 ⟦mintchoco#0917⟧ 듀오 ㄱ 다이아 이상
discord with colon | Discord: ⟦neodori_dev⟧ 모드 번역 도와주실 분
유튜브 | 유튜브 ⟦@noinjung_gayo⟧ 구독 부탁드립니다 트로트 강사예요
틱톡 | 틱톡 ⟦danbi_moves⟧ 안무 따라 하기 챌린지
스냅챗 | 스냅챗 ⟦soft.sky01⟧ 이라면서 애들한테 접근합니다 부모님들 확인
아이디 in a game | 사기꾼 넥슨 아이디 ⟦redmaple_king⟧ 템 먹튀함
네이버 아이디 | 네이버 아이디 ⟦sarang4567⟧ 로 가입했는데 등업이 안 돼요
아이디 in a customer reply | 안녕하세요 고객님, 문의하신 아이디 ⟦hyodo_son88⟧ 계정은 휴면 상태로 확인됩니다.
slash list | 카톡 ⟦garosu_01⟧ / 인스타 ⟦@garosu.flower⟧ / 당일 꽃배달
underscore end, particle | 문의는 카톡 ⟦kkamang_⟧<으로/로> 주시고 전화는 사양할게요
quoted | 이벤트 당첨자 "⟦@pado_soap⟧" 님 주소 남겨 주세요!!
news | 검찰은 텔레그램에서 닉네임 ⟦@darkpool_no1⟧<을/를> 쓰던 총책을 구속 기소했다
petition, long | 딸의 사진을 훔쳐다가 인스타 ⟦@real_seah_daily⟧ 계정을 만든 사람이 친구들에게 돈을 빌리고 다니는데 신고를 열 번 넣어도 가이드라인 위반이 아니라는 답만 옵니다
--
chat app talk | 카톡 프사 바꾼 거 보니까 헤어졌나 봄
idea | 좋은 아이디어 idea 노트에 적어 두면 언젠가 쓰더라
app version | 카톡 v9.2.1 업데이트하고 알림음이 사라짐
at-sign in a price | 양말 5켤레 @1000 원씩 드려요
at-sign and time | 내일 만나 @7시 분수대 앞
telegraph | 텔레비전 LG OLED 65인치 벽걸이 뜯어 가실 분
line of a dress | 에이라인 skirt 허리 26 새 상품
line in coding | 라인 number 342에서 에러 난대요 파이썬 초보
insta feature | 인스타 story 조회수가 왜 반토막이지
facebook group talk | 페북 marketplace 한국에선 안 쓰나
profile rule | 아이디는 5~20자의 영문 소문자와 특수기호(_),(-)만 사용 가능합니다.
identity card | 아이디 card 사진은 6개월 이내 촬영본으로
lost id | 아이디 찾기 눌러도 email 인증번호가 안 와요
discord talk | 디코 bot 초대했는데 music 재생이 끊긴다
hashtag only | #카톡 #daily #ootd_kr 해시태그 노출 잘 되는 시간
masked handle list | 당첨 아이디: do***12, sk****9, li**y 축하드립니다
telegram news | 텔레그램 server 위치가 해외라 수사 협조가 어렵다는 답변
youtube term | 유튜브 premium 가족 요금제 4명 모아요
at-sign as a decorator | 자바에서 @ Override 안 붙여도 돌아가긴 하던데
column in a long article | 트위터 timeline이 시간순에서 추천순으로 바뀐 뒤로 사람들은 텔레그램 channel이나 카카오톡 open chat으로 옮겨 가고 있지만 그곳의 대화는 검색되지 않는다
"""


if __name__ == "__main__":
    write_part("e", SENTENCES)
