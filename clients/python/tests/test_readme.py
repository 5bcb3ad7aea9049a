"""The first lines of the README, as a new user would paste them."""

import re
from pathlib import Path

import pytest

from conftest import Server

HERE = Path(__file__).parent
SAMPLES = HERE / "../../../samples"


def test_the_first_lines_of_the_readme_work(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = re.findall(r"```python\n(.*?)```", (HERE / "../README.md").read_text(), re.DOTALL)[0]
    monkeypatch.chdir(SAMPLES)
    exec(lines.replace("http://127.0.0.1:8080", server.url).replace("gln_…", server.token), {})
    assert "Northwind" in capsys.readouterr().out
