"""What both clients do alike, without any I/O: requests, errors, when to try again, and the lines of an event stream."""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from .types import Job, Problem

#: Seconds that a request may take; an answer is waited for up to 20 s where that was asked for.
TIMEOUT = httpx.Timeout(30.0, connect=10.0)
#: Seconds without a heartbeat after which a stream is taken for dead.
SILENCE = httpx.Timeout(10.0, read=60.0)
#: How often a request is tried again.
RETRIES = 5
#: Longest pause before that, in seconds.
LONGEST = 60.0
#: How long one request waits for a job, in seconds.
WAIT = 20

#: Media types of files that are taken as they are.
MEDIA_TYPES = {
    ".eml": "message/rfc822",
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".markdown": "text/markdown",
    ".md": "text/markdown",
    ".srt": "application/x-subrip",
    ".txt": "text/plain",
    ".vtt": "text/vtt",
}


class GleanerError(Exception):
    """An answer that is an error.

    `code` is stable; `errors` names the members at fault, each with a JSON pointer; `request_id` is what to quote when
    asking for help.
    """

    def __init__(self, status: int, problem: Problem | None, retry_after: float | None = None) -> None:
        self.status = status
        self.code = problem["code"] if problem else "unexpected-answer"
        self.detail = problem["detail"] if problem else f"the server answered {status}"
        self.errors = problem.get("errors", []) if problem else []
        self.request_id = problem["request_id"] if problem else None
        self.retry_after = retry_after
        named = "; ".join(f"{one['pointer']} {one['detail']}" for one in self.errors)
        super().__init__(f"{self.detail} ({named})" if named else self.detail)


class JobFailed(Exception):
    """A job that was given up; `job["error"]` says why. It can be requeued."""

    def __init__(self, job: Job) -> None:
        self.job = job
        error = job.get("error")
        super().__init__(error["message"] if error else f"job {job['job_id']} failed")


@dataclass(frozen=True)
class Event:
    """What happened: `data` is the job or task. `id` is where to go on after it."""

    id: str
    type: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A request. `safe`: it may be sent again where nobody knows whether it arrived."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    content: bytes | None = None
    safe: bool = False

    def arguments(self) -> dict[str, Any]:
        """The arguments of httpx's ``request``."""
        params = {name: plain(value) for name, value in self.params.items() if value is not None}
        body = {"json": self.json} if self.json is not None else {"content": self.content}
        return {"method": self.method, "url": self.path, "params": params, "headers": dict(self.headers), **body}


def plain(value: Any) -> Any:
    """A value as a parameter of a query has it."""
    return str(value).lower() if isinstance(value, bool) else value


def path(*parts: str) -> str:
    """A path of parts, each escaped: ids of items hold anything."""
    return "/" + "/".join(quote(part, safe="") for part in parts)


def without_nothing(**members: Any) -> dict[str, Any]:
    """A body without the members that were not given."""
    return {name: value for name, value in members.items() if value is not None}


def submission(
    source_type: str,
    external_id: str,
    transcript: str,
    occurred_at: str | None,
    title: str | None,
    metadata: Mapping[str, str] | None,
    idempotency_key: str | None,
) -> Call:
    """The submission of an item. It may be sent twice: its key, or its content, tells that it is the same."""
    body = without_nothing(
        source_type=source_type,
        external_id=external_id,
        transcript=transcript,
        occurred_at=occurred_at,
        title=title,
        metadata=metadata,
    )
    headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
    return Call("POST", "/ingest/items", headers=headers, json=body, safe=True)


def file_submission(
    file: Path, source_type: str | None, external_id: str | None, members: Mapping[str, str | None]
) -> Call:
    """The submission of a file as it is, under its own media type.

    Raises:
        ValueError: where its name tells no media type that the server takes.
    """
    media_type = MEDIA_TYPES.get(file.suffix.lower())
    if media_type is None:
        raise ValueError(f"{file.name}: of these files a media type is known: {', '.join(sorted(MEDIA_TYPES))}")
    mail = media_type == "message/rfc822"
    params = {
        "source_type": source_type or ("email" if mail else "document"),
        # A mail has an id of its own.
        "external_id": external_id or (None if mail else file.name),
        **members,
    }
    return Call(
        "POST", "/ingest/items", params=params, headers={"Content-Type": media_type}, content=file.read_bytes(), safe=True
    )


def error_of(answer: httpx.Response) -> GleanerError:
    """The error that an answer is; its body must have been read."""
    try:
        problem: Problem | None = answer.json()
        if not isinstance(problem, dict) or "code" not in problem:
            problem = None
    except ValueError:
        problem = None
    return GleanerError(answer.status_code, problem, seconds(answer.headers.get("retry-after")))


def seconds(header: str | None) -> float | None:
    """`Retry-After` in seconds; the server never sends a date."""
    return float(header) if header and header.isdigit() else None


def pause(tries: int, error: GleanerError | None) -> float:
    """How long to wait before the next try, in seconds: what the server asks for, or twice as long each time, by chance."""
    asked = error.retry_after if error else None
    doubled = min(LONGEST, 0.5 * 2.0**tries)
    return min(LONGEST, asked) + random.uniform(0, 0.5) if asked is not None else random.uniform(doubled / 2, doubled)


def may_retry(error: GleanerError) -> bool:
    """Whether the server says that nothing was done and asks to come back."""
    return error.status in (429, 503)


class EventLines:
    """Reads the lines of a stream of server-sent events."""

    def __init__(self, last_id: str | None) -> None:
        self.last_id = last_id
        self._type, self._data = "message", list[str]()

    def headers(self) -> dict[str, str]:
        """What tells the server where to go on; half an event of a connection that broke is forgotten."""
        self._type, self._data = "message", []
        return {"Accept": "text/event-stream", **({"Last-Event-ID": self.last_id} if self.last_id else {})}

    def take(self, line: str) -> Iterator[Event]:
        """Takes one line; gives the event that it ends."""
        if not line:
            if self._data:
                yield Event(self.last_id or "", self._type, json.loads("\n".join(self._data)))
            self._type, self._data = "message", []
            return
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "event":
                self._type = value
            case "data":
                self._data.append(value)
            case "id":
                self.last_id = value
