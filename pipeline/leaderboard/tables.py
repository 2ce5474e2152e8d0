"""What a board stores, for SQLite and PostgreSQL.

Times are whole seconds since 1970 (UTC). Quotas are counted from `submissions`, never kept beside
them: a submission is charged if and only if its row has `accepted_at` and its state is not failed.
Rows are marked, not removed.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA: Final = MetaData()

#: One row for each version of the board: 1 at first, one more when examples are withdrawn or a
#: metric is corrected. `closed_at` is when the final half was opened.
VERSIONS: Final = Table(
    "versions",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("release_name", String(200), nullable=False),
    Column("release_version", String(50), nullable=False),
    Column("release_hash", String(64), nullable=False),
    Column("scorer_version", String(64), nullable=False),
    Column("reason", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
)

SUBMITTERS: Final = Table(
    "submitters",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(80), nullable=False, unique=True),
    Column("created_at", BigInteger, nullable=False),
)

#: `digest` is the SHA-256 of the token; `hint` its first characters, so that it can be told apart.
TOKENS: Final = Table(
    "tokens",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("submitter", ForeignKey("submitters.id"), nullable=False, index=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("hint", String(16), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger),
    Column("revoked_at", BigInteger),
)

#: A browser that gave a token. `digest` is the SHA-256 of the cookie.
SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("token", ForeignKey("tokens.id"), nullable=False),
    Column("csrf", String(64), nullable=False),
    Column("expires_at", BigInteger, nullable=False),
)

#: A model of a submitter; what is said of it at first stays, so that no model changes its class.
MODELS: Final = Table(
    "models",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("key", String(32), nullable=False, unique=True),
    Column("submitter", ForeignKey("submitters.id"), nullable=False),
    Column("name", String(80), nullable=False),
    Column("parameters", BigInteger),
    Column("size_class", String(20), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("link", String(500)),
    Column("description", Text),
    UniqueConstraint("submitter", "name"),
)

#: `key` is the public name of a submission; its files are SUBMISSIONS/KEY.ENDING (and KEY.dev.*).
#: `reason` says why it was refused or failed, or why its score is not shown; `lease_until` is set
#: while a process works on it. `mark`: withdrawn or disqualified.
SUBMISSIONS: Final = Table(
    "submissions",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("key", String(32), nullable=False, unique=True),
    Column("submitter", ForeignKey("submitters.id"), nullable=False),
    Column("model", ForeignKey("models.id"), nullable=False),
    Column("task", String(40), nullable=False),
    Column("state", String(10), nullable=False),
    Column("reason", Text),
    Column("file", String(80), nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("dev_file", String(80)),
    Column("dev_digest", String(64)),
    Column("received_at", BigInteger, nullable=False),
    Column("accepted_at", BigInteger),
    Column("finished_at", BigInteger),
    Column("attempts", Integer, nullable=False, default=0),
    Column("lease_until", BigInteger),
    Column("mark", String(15)),
    Column("mark_reason", Text),
    Column("marked_at", BigInteger),
    CheckConstraint("state in ('received', 'refused', 'accepted', 'scored', 'failed')"),
    CheckConstraint("mark is null or mark in ('withdrawn', 'disqualified')"),
    Index("submissions_by_submitter", "submitter", "task"),
    Index("submissions_by_state", "state", "id"),
)

#: Scores of a submission under a version of the board. `part`: public (the half that ranks), final
#: (the hidden half, after the board is closed) or dev. `metrics` holds numbers by metric (null with
#: a reason in `reasons`); of a public score that is not shown both are empty: the number itself
#: never leaves the scorer. `best` is 1 for the submission whose score its ladder shows now.
SCORES: Final = Table(
    "scores",
    METADATA,
    Column("submission", ForeignKey("submissions.id"), primary_key=True),
    Column("version", ForeignKey("versions.number"), primary_key=True),
    Column("part", String(6), primary_key=True),
    Column("scorer_version", String(64), nullable=False),
    Column("release_hash", String(64), nullable=False),
    Column("examples", Integer, nullable=False),
    Column("shown", Boolean, nullable=False),
    Column("best", Boolean, nullable=False),
    Column("metrics", JSON, nullable=False),
    Column("reasons", JSON, nullable=False),
    Column("scored_at", BigInteger, nullable=False),
    CheckConstraint("part in ('public', 'final', 'dev')"),
)

#: Ranks of what is shown: from 1 + the systems that are surely better to the last rank that the
#: paired bootstrap leaves open; `low` and `high` are the interval of the score.
STANDINGS: Final = Table(
    "standings",
    METADATA,
    Column("version", ForeignKey("versions.number"), primary_key=True),
    Column("part", String(6), primary_key=True),
    Column("metric", String(40), primary_key=True),
    Column("submission", ForeignKey("submissions.id"), primary_key=True),
    Column("task", String(40), primary_key=True),
    Column("rank_low", Integer, nullable=False),
    Column("rank_high", Integer, nullable=False),
    Column("low", Float),
    Column("high", Float),
)

#: Who did what, when; rows are only added. `detail` holds no token and no answer.
AUDIT_LOG: Final = Table(
    "audit_log",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("actor", String(120), nullable=False),
    Column("action", String(40), nullable=False),
    Column("subject", String(120), nullable=False),
    Column("detail", JSON, nullable=False),
)
