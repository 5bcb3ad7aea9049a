"""The async client."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, cast

import httpx

from . import _protocol as protocol
from ._protocol import Call, Event, EventLines, GleanerError, JobFailed, path
from .types import (
    CreatedToken,
    DeliveryInfo,
    EventKind,
    Explanation,
    FeedbackReceipt,
    Job,
    JobStatus,
    Learning,
    PayloadForm,
    Rating,
    Receipt,
    Scope,
    SignatureVersion,
    Task,
    TaskStatus,
    TokenInfo,
    WebhookInfo,
    WebhookWithSecret,
)


class AsyncGleaner:
    """A server, and a token for it. Every method raises `GleanerError` where the server refuses.

    Requests that can be repeated are repeated where the connection fails, and all are where the server has no room
    (429, 503), when it says to come back.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        retries: int = protocol.RETRIES,
        transport: Any = None,
    ) -> None:
        """`url` and `token` are those of the environment (GLEANER_URL, GLEANER_TOKEN) where they are not given."""
        url, token = url or os.environ.get("GLEANER_URL"), token or os.environ.get("GLEANER_TOKEN")
        if not url or not token:
            raise ValueError("give url and token, or set GLEANER_URL and GLEANER_TOKEN")
        headers = {"Authorization": f"Bearer {token}", "User-Agent": "gleaner-client/0.1.0 python"}
        self._http = httpx.AsyncClient(
            base_url=url.rstrip("/"), headers=headers, timeout=protocol.TIMEOUT, transport=transport
        )
        self._retries = retries

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes its connections."""
        await self._http.aclose()

    async def _do(self, call: Call) -> Any:
        """The JSON of an answer; None where it has no body."""
        tries = 0
        while True:
            error: GleanerError | None = None
            try:
                answer = await self._http.request(**call.arguments())
                if answer.is_success:
                    return answer.json() if answer.content else None
                error = protocol.error_of(answer)
                if tries >= self._retries or not protocol.may_retry(error):
                    raise error
            except httpx.TransportError:
                if tries >= self._retries or not call.safe:
                    raise
            await asyncio.sleep(protocol.pause(tries, error))
            tries += 1

    async def _pages(self, where: str, params: Mapping[str, Any]) -> AsyncIterator[Any]:
        cursor: str | None = None
        while True:
            page = await self._do(Call("GET", where, params={**params, "cursor": cursor}, safe=True))
            for item in page["items"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return

    # Content

    async def submit(
        self,
        source_type: str,
        external_id: str,
        transcript: str,
        *,
        occurred_at: str | None = None,
        title: str | None = None,
        metadata: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> Receipt:
        """Submits an item; it is stored when this returns, and its tasks are found soon after.

        `occurred_at` is RFC 3339. Without `idempotency_key`, the same item with the same content is the same job.
        """
        call = protocol.submission(source_type, external_id, transcript, occurred_at, title, metadata, idempotency_key)
        return cast(Receipt, await self._do(call))

    async def submit_file(
        self,
        file: str | Path,
        *,
        source_type: str | None = None,
        external_id: str | None = None,
        occurred_at: str | None = None,
        title: str | None = None,
    ) -> Receipt:
        """Submits a file as it is: .txt, .md, .vtt, .srt, .eml."""
        members = {"occurred_at": occurred_at, "title": title}
        return cast(Receipt, await self._do(protocol.file_submission(Path(file), source_type, external_id, members)))

    async def wait(self, job_id: str) -> Job:
        """Waits until a job has ended.

        Raises:
            JobFailed: where it was given up.
        """
        while True:
            job = await self.job(job_id, wait=protocol.WAIT)
            if job["status"] == "failed":
                raise JobFailed(job)
            if job["status"] == "succeeded":
                return job

    async def submit_and_wait(
        self,
        source_type: str,
        external_id: str,
        transcript: str,
        *,
        occurred_at: str | None = None,
        title: str | None = None,
        metadata: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> list[Task]:
        """Submits an item and gives its tasks once they are found.

        Raises:
            JobFailed: where it was given up.
        """
        receipt = await self.submit(
            source_type,
            external_id,
            transcript,
            occurred_at=occurred_at,
            title=title,
            metadata=metadata,
            idempotency_key=idempotency_key,
        )
        job = await self.wait(receipt["job_id"])
        return [await self.task(task_id) for task_id in job["task_ids"]]

    async def erase_item(self, source_type: str, external_id: str) -> None:
        """Erases an item with all that was found in it alone."""
        await self._do(Call("DELETE", path("ingest", "items", source_type, external_id), safe=True))

    async def missed(
        self,
        source_type: str,
        external_id: str,
        title: str,
        quote: str,
        *,
        owner: str | None = None,
        due: str | None = None,
    ) -> Task:
        """Reports a task that was overlooked in an item; `quote` is from its transcript."""
        body = protocol.without_nothing(title=title, quote=quote, owner=owner, due=due)
        return cast(Task, await self._do(Call("POST", path("ingest", "items", source_type, external_id, "missed"), json=body)))

    async def job(self, job_id: str, *, wait: int | None = None) -> Job:
        """A job; with `wait`, the answer comes when it has ended or after so many seconds."""
        headers = {"Prefer": f"wait={wait}"} if wait else {}
        return cast(Job, await self._do(Call("GET", path("ingest", "jobs", job_id), headers=headers, safe=True)))

    async def jobs(self, *, status: JobStatus | None = None) -> AsyncIterator[Job]:
        """All jobs, latest first."""
        async for job in self._pages("/ingest/jobs", {"status": status, "limit": 200}):
            yield job

    async def requeue(self, job_id: str) -> Job:
        """Queues a failed job anew."""
        return cast(Job, await self._do(Call("POST", path("ingest", "jobs", job_id, "requeue"))))

    # Tasks

    async def tasks(
        self,
        *,
        status: TaskStatus | None = None,
        waiting_on: bool | None = None,
        q: str | None = None,
        sort: Literal["recent", "priority"] | None = None,
        owner: str | None = None,
        due_before: str | None = None,
        source_type: str | None = None,
        external_id: str | None = None,
    ) -> AsyncIterator[Task]:
        """All tasks that fit, page by page as they are asked for; without `status`, the open ones."""
        params = {"status": status, "waiting_on": waiting_on, "q": q, "sort": sort, "owner": owner}
        params |= {"due_before": due_before, "source_type": source_type, "external_id": external_id}
        async for task in self._pages("/tasks", {**params, "limit": 200}):
            yield task

    async def task(self, task_id: str) -> Task:
        """A task."""
        return cast(Task, await self._do(Call("GET", path("tasks", task_id), safe=True)))

    async def explain(self, task_id: str) -> Explanation:
        """Why it is a task, and why it stands where it does."""
        return cast(Explanation, await self._do(Call("GET", path("tasks", task_id, "explain"), safe=True)))

    async def edit(self, task_id: str, **members: Any) -> Task:
        """Edits a task: `title`, `status`, `owner`, `due`, `waiting_on`; None removes what may be absent."""
        headers = {"Content-Type": "application/merge-patch+json"}
        return cast(Task, await self._do(Call("PATCH", path("tasks", task_id), headers=headers, json=members)))

    async def complete(self, task_id: str) -> Task:
        """Marks a task as completed."""
        return await self.edit(task_id, status="completed")

    async def rate(
        self,
        task_id: str,
        rating: Rating,
        *,
        reason: str | None = None,
        comment: str | None = None,
        correction: Mapping[str, Any] | None = None,
    ) -> FeedbackReceipt:
        """Rates a task "up" or "down", so that the next ones come out better."""
        body = protocol.without_nothing(rating=rating, reason=reason, comment=comment, correction=correction)
        return cast(FeedbackReceipt, await self._do(Call("POST", path("tasks", task_id, "feedback"), json=body)))

    async def unrate(self, task_id: str) -> None:
        """Takes the ratings of a task back."""
        await self._do(Call("DELETE", path("tasks", task_id, "feedback"), safe=True))

    async def learning(self) -> Learning:
        """What feedback has taught."""
        return cast(Learning, await self._do(Call("GET", "/learning", safe=True)))

    async def forget_learning(self) -> None:
        """Forgets it."""
        await self._do(Call("DELETE", "/learning", safe=True))

    async def events(self, last_event_id: str | None = None) -> AsyncIterator[Event]:
        """What happens from now on, or after an event; goes on where it was when the connection breaks.

        `last_event_id="0"` begins at the oldest event that is kept.
        """
        lines, failures = EventLines(last_event_id), 0
        while True:
            error: GleanerError | None = None
            try:
                headers = lines.headers()
                async with self._http.stream("GET", "/events", headers=headers, timeout=protocol.SILENCE) as answer:
                    if not answer.is_success:
                        await answer.aread()
                        error = protocol.error_of(answer)
                        if failures >= self._retries or not protocol.may_retry(error):
                            raise error
                    else:
                        async for line in answer.aiter_lines():
                            failures = 0
                            for event in lines.take(line):
                                yield event
            except httpx.TransportError:
                if failures >= self._retries:
                    raise
            await asyncio.sleep(protocol.pause(failures, error))
            failures += 1

    # Tokens and webhooks

    async def own_token(self) -> TokenInfo:
        """What this client's token is and may."""
        return cast(TokenInfo, await self._do(Call("GET", "/tokens/me", safe=True)))

    async def tokens(self) -> AsyncIterator[TokenInfo]:
        """All tokens of the tenant."""
        async for token in self._pages("/tokens", {}):
            yield token

    async def create_token(self, name: str, scopes: list[Scope], *, expires_at: str | None = None) -> CreatedToken:
        """Makes a token, which is shown this once."""
        body = protocol.without_nothing(name=name, scopes=scopes, expires_at=expires_at)
        return cast(CreatedToken, await self._do(Call("POST", "/tokens", json=body)))

    async def revoke_token(self, token_id: str) -> None:
        """Revokes a token, and those that it made."""
        await self._do(Call("DELETE", path("tokens", token_id), safe=True))

    async def webhooks(self) -> AsyncIterator[WebhookInfo]:
        """All webhook endpoints of the tenant."""
        async for webhook in self._pages("/webhooks", {}):
            yield webhook

    async def create_webhook(
        self,
        url: str,
        *,
        events: list[EventKind] | None = None,
        payload: PayloadForm | None = None,
        signature: SignatureVersion | None = None,
        description: str | None = None,
    ) -> WebhookWithSecret:
        """Makes an endpoint that is told what happens; its secret is shown this once."""
        body = protocol.without_nothing(
            url=url, events=events, payload=payload, signature=signature, description=description
        )
        return cast(WebhookWithSecret, await self._do(Call("POST", "/webhooks", json=body)))

    async def test_webhook(self, webhook_id: str) -> DeliveryInfo:
        """Sends a `webhook.test`."""
        return cast(DeliveryInfo, await self._do(Call("POST", path("webhooks", webhook_id, "test"))))

    async def rotate_webhook_secret(self, webhook_id: str) -> WebhookWithSecret:
        """Gives a new secret; for a day messages are signed with either."""
        return cast(WebhookWithSecret, await self._do(Call("POST", path("webhooks", webhook_id, "rotate"))))

    async def deliveries(self, webhook_id: str) -> AsyncIterator[DeliveryInfo]:
        """What was sent to an endpoint, latest first."""
        async for delivery in self._pages(path("webhooks", webhook_id, "deliveries"), {}):
            yield delivery

    async def redeliver(self, webhook_id: str, delivery_id: str) -> None:
        """Sends one message again."""
        await self._do(Call("POST", path("webhooks", webhook_id, "deliveries", delivery_id, "redeliver")))

    async def delete_webhook(self, webhook_id: str) -> None:
        """Removes an endpoint."""
        await self._do(Call("DELETE", path("webhooks", webhook_id), safe=True))
