"""Both clients against a real server."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Server
from gleaner import AsyncGleaner, Gleaner, GleanerError

TEXT = "Dana: I'll send the revised offer to Northwind by Friday."
HELD = "2026-03-03T15:00:00Z"


@pytest.fixture
def client(server: Server) -> Iterator[Gleaner]:
    with Gleaner(server.url, server.token) as client:
        yield client


def test_an_item_is_submitted_and_its_tasks_come_back(client: Gleaner) -> None:
    tasks = client.submit_and_wait("meeting", "weekly", TEXT, occurred_at=HELD, title="Weekly")
    assert [(task["title"], task["due"] and task["due"]["date"]) for task in tasks] == [
        ("Send the revised offer to Northwind", "2026-03-06")
    ]
    assert client.task(tasks[0]["id"])["evidence"][0]["quote"] in TEXT
    assert client.explain(tasks[0]["id"])["reasons"]


def test_the_same_submission_is_the_same_job(client: Gleaner) -> None:
    first, second = (client.submit("note", "twice", TEXT, idempotency_key="once-only") for _ in range(2))
    assert first["job_id"] == second["job_id"]
    with pytest.raises(GleanerError) as refused:
        client.submit("note", "twice", "Something else.", idempotency_key="once-only")
    assert refused.value.status == 422


def test_tasks_are_edited_rated_and_found(client: Gleaner) -> None:
    [task] = client.submit_and_wait("call", "vendor", "Sam: I'll order the zinc brackets tomorrow.", occurred_at=HELD)
    assert client.edit(task["id"], title="Order all brackets")["title"] == "Order all brackets"
    assert client.rate(task["id"], "up")["task_id"] == task["id"]
    client.unrate(task["id"])
    assert [found["id"] for found in client.tasks(q="zinc brackets")] == [task["id"]]
    assert client.complete(task["id"])["status"] == "completed"
    assert [found["id"] for found in client.tasks(status="completed", external_id="vendor")] == [task["id"]]
    missed = client.missed("call", "vendor", "Call Sam", "order the zinc brackets", due="2026-03-09")
    assert missed["title"] == "Call Sam"
    client.erase_item("call", "vendor")
    with pytest.raises(GleanerError) as gone:
        client.task(task["id"])
    assert (gone.value.status, gone.value.code) == (404, "not-found")


def test_lists_go_on_past_a_page(client: Gleaner) -> None:
    lines = "\n".join(f"- [ ] Check valve number {number}" for number in range(150))
    client.submit_and_wait("note", "valves-1", lines)
    client.submit_and_wait("note", "valves-2", lines.replace("valve", "gauge"))
    found = [task["id"] for task in client.tasks(q="check", sort="recent")]
    assert len(found) == len(set(found)) == 300


def test_files_go_as_they_are(client: Gleaner, tmp_path: Path) -> None:
    file = tmp_path / "stand-up.vtt"
    file.write_text("WEBVTT\n\n00:01.000 --> 00:04.000\n<v Sam Lee>I'll update the runbook by Monday.\n")
    job = client.wait(client.submit_file(file, source_type="meeting", occurred_at=HELD)["job_id"])
    assert (job["external_id"], job["tasks_extracted"]) == ("stand-up.vtt", 1)
    with pytest.raises(ValueError, match="media type"):
        client.submit_file(tmp_path / "photo.png")


def test_errors_name_the_members_at_fault(client: Gleaner) -> None:
    with pytest.raises(GleanerError) as refused:
        client.submit("Meeting!", "x", " ")
    error = refused.value
    assert error.status == 422 and error.request_id
    assert {one["pointer"] for one in error.errors} == {"/source_type", "/transcript"}


def test_a_token_has_the_scopes_that_were_asked_for(client: Gleaner, server: Server) -> None:
    made = client.create_token("reader", ["tasks:read"])
    with Gleaner(server.url, made["token"]) as reader, pytest.raises(GleanerError) as refused:
        reader.submit("note", "x", TEXT)
    assert refused.value.status == 403
    assert made["token_id"] in {token["token_id"] for token in client.tokens()}
    client.revoke_token(made["token_id"])


def test_a_limit_is_waited_for(tmp_path: Path) -> None:
    settings = {"GLEANER_RATE_LIMIT_PER_MINUTE": "60", "GLEANER_RATE_LIMIT_BURST": "1"}
    with Server(tmp_path, **settings) as server:
        with Gleaner(server.url, server.token, retries=0) as hasty, pytest.raises(GleanerError) as refused:
            for number in range(5):
                hasty.submit("note", f"hasty-{number}", TEXT)
        assert refused.value.status == 429 and refused.value.retry_after
        with Gleaner(server.url, server.token) as patient:
            jobs = {patient.submit("note", f"patient-{number}", TEXT)["job_id"] for number in range(3)}
    assert len(jobs) == 3


def test_events_go_on_after_a_restart(tmp_path: Path) -> None:
    with Server(tmp_path) as server, Gleaner(server.url, server.token) as client:
        first = client.submit("note", "before", TEXT)["job_id"]
        client.wait(first)
        done: list[str] = []
        for event in client.events("0"):
            if event.type != "job.succeeded":
                continue
            done.append(event.data["job_id"])
            if len(done) == 2:
                break
            server.stop()
            server.start()
            # Another connection than the stream's, which finds its server gone meanwhile.
            with Gleaner(server.url, server.token) as other:
                second = other.submit("note", "after", TEXT.replace("offer", "invoice"))["job_id"]
    assert done == [first, second]


def test_the_async_client_does_the_same(server: Server) -> None:
    async def run() -> None:
        async with AsyncGleaner(server.url, server.token) as client:
            texts = [f"Dana: I'll send report number {number} to Sam by Friday." for number in range(8)]
            submitted = (client.submit_and_wait("meeting", f"many-{number}", text) for number, text in enumerate(texts))
            found = await asyncio.gather(*submitted)
            assert all(len(tasks) == 1 for tasks in found)
            assert [task async for task in client.tasks(external_id="many-3")] == found[3]

    asyncio.run(run())
