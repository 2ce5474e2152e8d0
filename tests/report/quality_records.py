"""Quality-control records made up for the page: an ordinary one, and one that is full of markup."""

from __future__ import annotations

import base64
import hashlib
from html.parser import HTMLParser

from pipeline.report.record import Cell, Chart, Column, Fact, Report, Section, Series, Table

EVIL = "</script><script>document.title='ran'</script>"
#: Texts that break pages, templates or charts which take them for more than text.
ODD = (
    EVIL,
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "{{7*7}}{% raw %}",
    "<b>굵게</b> & &lt;",
    "%{x} $y^2$ __proto__",
    '" onmouseover="alert(1)',
    "</style><!--]]>",
)
SPLITS = ("train", "dev", "test")
TOPICS = ("정치", "경제", "사회", "생활문화", "세계", "IT과학", "스포츠")


def ordinary() -> Report:
    """Return a record with every kind of table and chart, and Korean names."""
    parts = [
        Section("tc", "Topic classification", "By `date`.", [topics(), words()], charts()),
        Section("dst", "Dialogue state tracking", "This release has no dialogues."),
    ]
    facts = [Fact("Examples", 12345, "in eight tasks"), Fact("Licence", "CC BY-SA 4.0")]
    return Report("A release 1.0.0", "Eight tasks.", facts, [Section("one", "One", parts=parts)])


def topics() -> Table:
    """Return a table with the paper's numbers: equal but for one, and one that the paper lacks."""
    rows: list[list[Cell]] = [[name, 1000 + i, 0.125, None] for i, name in enumerate(TOPICS)]
    published: list[list[Cell] | None] = [[row[0], row[1], None, None] for row in rows]
    published[2] = ["사회", 1234, None, None]
    published[3] = None
    columns = [Column("topic", "text"), Column("train"), Column("share", "share"), Column("none")]
    return Table(
        "topics", "Topics by split", columns, rows, paper="Table 3", published=published, note="A"
    )


def words() -> Table:
    """Return a long table of 40 rows, whose numbers are not in order and partly absent."""
    rows = [(f"낱말{i}", None if i == 7 else (i * 7) % 40, -i / 100) for i in range(40)]
    columns = [Column("word", "text"), Column("times"), Column("PMI", "two")]
    return Table("words", "Words", columns, rows, long=True)


def charts() -> list[Chart]:
    """Return a chart of every kind, with one series and with three."""
    bins = [round(i / 10, 1) for i in range(51)]
    return [
        Chart("one", "One", "bars", "topic", "n", [Series("n", TOPICS, range(7))]),
        Chart(
            *("split", "By split", "bars", "topic", "n"),
            [
                Series(name, TOPICS, [100 * i + n for n in range(7)])
                for i, name in enumerate(SPLITS)
            ],
        ),
        Chart("bins", "Bins", "histogram", "score", "n", [Series("n", bins, range(51))], 0.1),
        Chart(
            *("steps", "Steps", "histogram", "score", "n"),
            [Series(name, bins, [i + 1] * 51) for i, name in enumerate(SPLITS)],
            width=0.1,
            paper="Figure 2",
        ),
        Chart("line", "Line", "line", "place", "n", [Series("n", [0.5, 1], [None, 2])]),
        Chart(
            *("months", "Months", "line", "month", "n"),
            [Series("train", ["2016-01", "2016-02"], [1, 2]), Series("dev", ["2016-02"], [5])],
        ),
    ]


def odd() -> Report:
    """Return a record in which every text is markup or worse."""
    columns = [Column(name, "text") for name in ODD]
    rows = [ODD, ODD[::-1], ODD]
    table = Table("odd", ODD[0], columns, rows, paper=ODD[1], published=rows[::-1], note=ODD[2])
    places = list(ODD)
    charts = [
        Chart(f"odd-{i}", name, "line" if i % 2 else "bars", name, name, _series(places), note=name)
        for i, name in enumerate(ODD)
    ]
    parts = [Section(f"part-{i}", name, name) for i, name in enumerate(ODD)]
    section = Section("odd", ODD[0], ODD[1], [table], charts, parts)
    return Report(ODD[0], ODD[2], [Fact(name, name, name) for name in ODD], [section])


def _series(places: list[str]) -> list[Series]:
    return [Series(name, places, range(len(places))) for name in ODD]


class Read(HTMLParser):
    """A page as it is read in English: its elements, scripts, and the cells of its tables by id."""

    def __init__(self, html: str) -> None:
        """Read the page."""
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.tables: dict[str, list[list[tuple[str, str]]]] = {}
        self.text = ""
        self._into: str | None = None
        self._outer: str | None = None
        self._table = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element."""
        own = dict(attrs)
        self.elements.append((tag, own))
        if tag == "script":
            self._into = "data" if own.get("type") == "application/json" else "script"
            self.scripts += [""] * (self._into == "script")
        elif tag == "table":
            self._table = own.get("aria-labelledby") or ""
            self.tables[self._table] = []
        elif tag == "tr":
            self.tables[self._table].append([])
        elif tag in ("td", "th"):
            self._into = "cell"
            self.tables[self._table][-1].append(("", own.get("class") or ""))
        elif tag == "style" or (tag in ("span", "tspan") and own.get("lang") == "ko"):
            self._outer, self._into = self._into, "data"

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        if tag in ("td", "th", "script", "style"):
            self._into = None
        elif tag in ("span", "tspan") and self._into == "data":
            self._into = self._outer

    def handle_data(self, data: str) -> None:
        """Take text."""
        if self._into == "script":
            self.scripts[-1] += data
        elif self._into == "cell":
            text, kind = self.tables[self._table][-1].pop()
            self.tables[self._table][-1].append((text + data, kind))
        if self._into in (None, "cell"):
            self.text += data

    def cells(self, name: str) -> list[list[str]]:
        """Return the rows of a record's table, without its heads."""
        return [[text for text, _ in row] for row in self.tables[f"table-{name}-title"][1:]]

    def policy(self) -> str:
        """Return the content security policy."""
        return next(own["content"] or "" for _, own in self.elements if own.get("http-equiv"))

    def digests(self) -> list[str]:
        """Return the digests of the scripts, as the policy has them."""
        made = [hashlib.sha256(script.encode()).digest() for script in self.scripts]
        return [f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in made]
