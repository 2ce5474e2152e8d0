"""What libraries of object stores raise, as the errors that users see.

Libraries are known by the names of their classes, so that none is imported here. What a store
says in words is not repeated: it may name accounts. Its code is.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pipeline.core.errors import InputError, KlueError, RetryError, StoreError
from pipeline.core.objects.address import Address

#: Classes of errors of credentials that are not there, or that a profile does not give.
_CREDENTIALS: Final = frozenset(
    {
        *("NoCredentialsError", "PartialCredentialsError", "CredentialRetrievalError"),
        *("ProfileNotFound", "TokenRetrievalError", "SSOError", "DefaultCredentialsError"),
        *("ClientAuthenticationError", "NoAuthTokenError"),
    }
)
#: Classes of errors of a network or store that may answer later.
_NETWORK: Final = frozenset(
    {
        *("HTTPClientError", "ConnectionError", "EndpointConnectionError", "ClientError"),
        *("TimeoutError", "FSTimeoutError", "ResponseParserError", "IncompleteReadError"),
        *("ServiceRequestError", "ServiceResponseError"),
    }
)
#: Codes by which a store says that another one wrote the object before, or just now.
_EXISTS: Final = frozenset({"PreconditionFailed", "412"})
BUSY: Final = frozenset({"ConditionalRequestConflict", "OperationAborted", "409"})
#: What only the file system of this machine says.
_HERE: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE})


def code_of(error: BaseException) -> str:
    """Return the code of a store's answer, '' for an error that is none."""
    response = getattr(error.__cause__ or error, "response", None)
    code = response.get("Error", {}).get("Code", "") if isinstance(response, dict) else ""
    return str(code)


def is_taken(error: Exception) -> bool:
    """Return whether a store refused to create an object because it is there."""
    return isinstance(error, FileExistsError) or code_of(error) in _EXISTS


@contextmanager
def store_errors(address: Address, deed: str) -> Iterator[None]:
    """Turn an error of a store into one of the project: `address` cannot be `deed` (read)."""
    try:
        yield
    except KlueError:
        raise
    except Exception as error:
        raise _failure(error, f"{address}: cannot be {deed}", address) from None


def _failure(error: Exception, what: str, address: Address) -> KlueError:
    code, names = code_of(error), {kind.__name__ for kind in type(error).__mro__}
    name, reason = type(error).__name__, getattr(error, "strerror", None)
    cases: tuple[tuple[object, type[KlueError], str], ...] = (
        (
            getattr(error, "errno", None) in _HERE,
            StoreError,
            f"on this machine: {reason}; mend that and run again",
        ),
        (
            names & _CREDENTIALS,
            InputError,
            f"no credentials were found ({name}); set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
            " or AWS_PROFILE, or what your store asks for",
        ),
        (
            code == "NoSuchBucket",
            InputError,
            f"there is no bucket {address.bucket}; create it, or correct the address",
        ),
        (
            isinstance(error, PermissionError),
            InputError,
            f"the store refuses it ({code or 'no permission'}); check the credentials, and that"
            " they may list, read and write there",
        ),
        (isinstance(error, FileNotFoundError), StoreError, "no such object; check the address"),
        (
            isinstance(error, NotImplementedError | TypeError),
            StoreError,
            f"its library cannot do that ({name})",
        ),
        (
            names & _NETWORK and not code,
            RetryError,
            f"the store cannot be reached ({name}); check AWS_ENDPOINT_URL and the network, and run"
            " the same again: what is done is kept",
        ),
    )
    for holds, kind, advice in cases:
        if holds:
            return kind(f"{what}: {advice}")
    return RetryError(f"{what}: the store answered {code or reason or name}; run the same again")
