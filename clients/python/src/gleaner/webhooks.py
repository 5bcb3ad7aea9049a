"""Verification of webhooks, as Standard Webhooks has it."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

#: How far a message's time may be off, in seconds.
TOLERANCE = 300


class InvalidWebhook(ValueError):
    """The message is not from the endpoint's server, or not of now."""


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str, *, tolerance: float = TOLERANCE
) -> dict[str, Any]:
    """The message of a webhook, once its signature and its time are right.

    `body` is the request's body as it came, byte for byte; `secret` begins with ``whsec_``.

    Raises:
        InvalidWebhook: where a header is missing, the time is off, or no signature is right.
    """
    raw = body.encode() if isinstance(body, str) else body
    known = {name.lower(): value for name, value in headers.items()}
    try:
        message, sent, signatures = (known[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise InvalidWebhook(f"the header {missing.args[0]} is missing") from None
    try:
        age = abs(time.time() - int(sent))
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (ValueError, binascii.Error):
        raise InvalidWebhook("the timestamp or the secret is malformed") from None
    if age > tolerance:
        raise InvalidWebhook("the message is too old, or the clocks differ")
    digest = hmac.new(key, f"{message}.{sent}.".encode() + raw, hashlib.sha256).digest()
    wanted = base64.b64encode(digest).decode()
    # While a secret is rotated there is a signature with either.
    given = [signature.removeprefix("v1,") for signature in signatures.split() if signature.startswith("v1,")]
    if not any(hmac.compare_digest(wanted.encode(), one.encode()) for one in given):
        raise InvalidWebhook("no signature is right")
    payload: dict[str, Any] = json.loads(raw)
    return payload
