"""Client of Gleaner: meetings, mail and chat in; tasks out, each with the words that prove it."""

from ._async import AsyncGleaner
from ._protocol import Event, GleanerError, JobFailed
from ._sync import Gleaner
from .webhooks import InvalidWebhook, verify_webhook

__all__ = [
    "AsyncGleaner",
    "Event",
    "Gleaner",
    "GleanerError",
    "InvalidWebhook",
    "JobFailed",
    "verify_webhook",
]
