"""Webhooks of a real server, received and verified; and the reference library's own messages."""

import json
import queue
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from conftest import Server
from gleaner import Gleaner, InvalidWebhook, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
Received = queue.Queue[tuple[bytes, dict[str, str]]]


@pytest.fixture
def receiver() -> Iterator[tuple[str, Received]]:
    received: Received = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.put((body, dict(self.headers)))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *_: object) -> None:
            pass

    listener = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{listener.server_port}/hook", received
    listener.shutdown()


def test_what_a_server_sends_is_verified(server: Server, receiver: tuple[str, Received]) -> None:
    url, received = receiver
    with Gleaner(server.url, server.token) as client:
        made = client.create_webhook(url, events=["task.created"], payload="thin")
        [task] = client.submit_and_wait("note", "told", "Dana: I'll water the office plants tomorrow.")
        body, headers = received.get(timeout=60)
        assert verify_webhook(body, headers, made["secret"])["data"] == {"id": task["id"]}
        # The reference library as the receiver.
        assert Webhook(made["secret"]).verify(body, headers)["data"] == {"id": task["id"]}
        with pytest.raises(WebhookVerificationError):
            Webhook(made["secret"]).verify(body + b" ", headers)
        with pytest.raises(InvalidWebhook, match="signature"):
            verify_webhook(body + b" ", headers, made["secret"])
        client.test_webhook(made["id"])
        assert json.loads(received.get(timeout=60)[0])["type"] == "webhook.test"
        assert len(list(client.deliveries(made["id"]))) == 2
        client.delete_webhook(made["id"])
        assert made["id"] not in {webhook["id"] for webhook in client.webhooks()}


def test_what_a_server_signs_with_a_key_pair_is_verified(server: Server, receiver: tuple[str, Received]) -> None:
    url, received = receiver
    with Gleaner(server.url, server.token) as client:
        made = client.create_webhook(url, events=["task.created"], signature="v1a")
        assert made["public_key"] == made["secret"] and made["secret"].startswith("whpk_")
        client.test_webhook(made["id"])
        body, headers = received.get(timeout=60)
        assert verify_webhook(body, headers, made["secret"])["type"] == "webhook.test"
        for wrong in (body + b" ", b""):
            with pytest.raises(InvalidWebhook, match="signature"):
                verify_webhook(wrong, headers, made["secret"])
        client.delete_webhook(made["id"])


def test_what_the_reference_library_signs_is_verified() -> None:
    body, now = '{"type":"task.created"}', datetime.now(UTC)
    headers = {"webhook-id": "evt_1", "webhook-timestamp": str(int(now.timestamp()))}
    signed = {**headers, "webhook-signature": "v1a,bm8= v1,bm8= " + Webhook(SECRET).sign("evt_1", now, body)}
    assert verify_webhook(body, signed, SECRET) == {"type": "task.created"}
    for missing in signed:
        with pytest.raises(InvalidWebhook):
            verify_webhook(body, {name: value for name, value in signed.items() if name != missing}, SECRET)
    with pytest.raises(InvalidWebhook, match="too old"):
        verify_webhook(body, {**signed, "webhook-timestamp": str(int(time.time()) - 3600)}, SECRET)
