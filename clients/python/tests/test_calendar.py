"""A feed as other programs read it."""

import httpx
from icalendar import Calendar, Component

from conftest import Server
from gleaner import Gleaner

TITLE = 'Send Grüße, "quoted"; a, b and \\c to everybody who was at the big meeting on the second floor'
TEXT = f"- [ ] Dana Reyes: {TITLE} (due 2026-03-06)\n- [ ] Priya Shah: Book the room for the offsite\n"


def entries(text: str, kind: str) -> dict[str, Component]:
    """The entries of one kind, by their UID."""
    calendar = Calendar.from_ical(text)
    assert str(calendar["VERSION"]) == "2.0" and calendar["PRODID"]
    found = list(calendar.walk(kind))
    assert not [error for entry in found for error in entry.errors]
    return {str(entry["UID"]): entry for entry in found}


def test_a_feed_is_read_by_a_calendar_library(server: Server) -> None:
    with Gleaner(server.url, server.token) as client, httpx.Client() as http:
        tasks = client.submit_and_wait("note", "calendar", TEXT, occurred_at="2026-03-03T15:00:00Z")
        sent, booked = sorted(tasks, key=lambda task: task["title"], reverse=True)
        headers = {"authorization": f"Bearer {server.token}"}
        made = http.post(f"{server.url}/feeds", json={"name": "phone"}, headers=headers).json()
        url = server.url + made["url"] + "&source_type=note"

        answer = http.get(url)
        todos = entries(answer.text, "VTODO")
        todo = todos[sent["id"]]
        assert str(todo["SUMMARY"]) == sent["title"] and str(todo["STATUS"]) == "NEEDS-ACTION"
        assert todo.decoded("DUE").isoformat() == "2026-03-06" and todo.decoded("DTSTAMP").tzinfo
        assert booked["id"] in todos and "DUE" not in todos[booked["id"]]
        tag = answer.headers["etag"]
        assert http.get(url, headers={"if-none-match": tag}).status_code == 304

        client.edit(sent["id"], title="Send nothing", due={"date": "2026-03-09"})
        client.complete(booked["id"])
        changed = http.get(url, headers={"if-none-match": tag})
        assert changed.status_code == 200
        after = entries(changed.text, "VTODO")
        assert booked["id"] not in after, "what is done is to be done no more"
        assert int(str(after[sent["id"]]["SEQUENCE"])) > int(str(todo["SEQUENCE"]))
        assert str(after[sent["id"]]["SUMMARY"]) == "Send nothing"
        done = entries(http.get(f"{url}&status=completed").text, "VTODO")[booked["id"]]
        assert str(done["STATUS"]) == "COMPLETED" and done.decoded("COMPLETED")

        event = entries(http.get(f"{url}&as=events").text, "VEVENT")[sent["id"]]
        days = [event.decoded(name).isoformat() for name in ("DTSTART", "DTEND")]
        assert days == ["2026-03-09", "2026-03-10"], "all of its day"
        http.delete(f"{server.url}/feeds/{made['feed_id']}", headers=headers).raise_for_status()
        assert http.get(url).status_code == 401
