"""A real server for the tests: `gleaner dev`, with a redis-server of its own."""

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest


class Server:
    """A server on a data directory; it may be started again at the same address."""

    def __init__(self, folder: Path, **settings: str) -> None:
        binary = os.environ.get("GLEANER_BINARY")
        if not binary:
            raise RuntimeError("GLEANER_BINARY names the binary under test; tests/clients/run.sh sets it")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.listen = f"127.0.0.1:{free.getsockname()[1]}"
        self._command = [binary, "dev", "--json", "--log", "off", "--me", "Dana Reyes", "--listen", self.listen]
        self._command += ["--admin-listen", "127.0.0.1:0", "--data-dir", str(folder)]
        self._settings = settings
        self.start()

    def start(self) -> None:
        env = {**os.environ, **self._settings}
        self._process = subprocess.Popen(self._command, env=env, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        greeting: dict[str, Any] = json.loads(self._process.stdout.readline())
        self.url, self.token = str(greeting["url"]), str(greeting["token"])

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)
        self._process.wait(timeout=60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for most tests: each uses items of its own."""
    settings = {"GLEANER_WEBHOOK_ALLOW_CIDRS": "127.0.0.0/8", "GLEANER_WEBHOOK_ALLOW_HTTP": "true"}
    with Server(tmp_path_factory.mktemp("data"), **settings) as running:
        yield running
