"""Verification of webhooks, as Standard Webhooks has it."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

#: How far a message's time may be off, in seconds.
TOLERANCE = 300


class InvalidWebhook(ValueError):
    """The message is not from the endpoint's server, or not of now."""


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str, *, tolerance: float = TOLERANCE
) -> dict[str, Any]:
    """The message of a webhook, once its signature and its time are right.

    `body` is the request's body as it came, byte for byte; `secret` begins with ``whsec_``, or with
    ``whpk_`` where messages are signed with a key pair (``v1a``): that takes the package ``cryptography``, which
    ``gleaner-client[ed25519]`` brings.

    Raises:
        InvalidWebhook: where a header is missing, the time is off, or no signature is right.
        ImportError: where a public key is given, and ``cryptography`` is not installed.
    """
    raw = body.encode() if isinstance(body, str) else body
    known = {name.lower(): value for name, value in headers.items()}
    try:
        message, sent, signatures = (known[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise InvalidWebhook(f"the header {missing.args[0]} is missing") from None
    try:
        age = abs(time.time() - int(sent))
        version, is_right = _verifier(secret)
    except (ValueError, binascii.Error):
        raise InvalidWebhook("the timestamp or the secret is malformed") from None
    if age > tolerance:
        raise InvalidWebhook("the message is too old, or the clocks differ")
    signed = f"{message}.{sent}.".encode() + raw
    # While a secret is rotated there is a signature with either.
    given = [one.removeprefix(version) for one in signatures.split() if one.startswith(version)]
    if not any(is_right(one, signed) for one in given):
        raise InvalidWebhook("no signature is right")
    payload: dict[str, Any] = json.loads(raw)
    return payload


def _verifier(secret: str) -> tuple[str, Callable[[str, bytes], bool]]:
    """How signatures of a secret begin, and whether one of them is right."""
    if not secret.startswith("whpk_"):
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)

        def is_shared(signature: str, signed: bytes) -> bool:
            wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
            return hmac.compare_digest(wanted, signature.encode())

        return "v1,", is_shared

    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(secret.removeprefix("whpk_"), validate=True))

    def is_private(signature: str, signed: bytes) -> bool:
        try:
            public.verify(base64.b64decode(signature), signed)
        except (InvalidSignature, binascii.Error):
            return False
        return True

    return "v1a,", is_private
