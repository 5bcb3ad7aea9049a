"""Writes what is generated: the types from the OpenAPI document, and the sync client from the async one.

`python generate.py` writes them; `python generate.py --check` fails where the files that are checked in differ.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import unasync

HERE = Path(__file__).parent
DOCUMENT = HERE / "../../api/openapi.json"
PACKAGE = HERE / "src/gleaner"


def with_enums(node: Any) -> Any:
    """A schema in which a choice of constants is an enumeration: the generator knows those as literals."""
    if isinstance(node, list):
        return [with_enums(one) for one in node]
    if not isinstance(node, dict):
        return node
    choices = node.get("oneOf", [])
    if choices and all(isinstance(one, dict) and "const" in one for one in choices):
        rest = {name: value for name, value in node.items() if name != "oneOf"}
        return {**rest, "type": "string", "enum": [one["const"] for one in choices]}
    return {name: with_enums(value) for name, value in node.items()}


def types() -> str:
    """The records of the interface as typed dictionaries."""
    with tempfile.TemporaryDirectory() as folder:
        document, output = Path(folder, "openapi.json"), Path(folder, "types.py")
        document.write_text(json.dumps(with_enums(json.loads(DOCUMENT.read_text()))))
        command = [sys.executable, "-m", "datamodel_code_generator", "--input-file-type", "openapi"]
        command += ["--input", str(document), "--output", str(output), "--openapi-scopes", "schemas"]
        command += ["--output-model-type", "typing.TypedDict", "--target-python-version", "3.11"]
        command += ["--use-union-operator", "--use-standard-collections", "--enum-field-as-literal", "all"]
        subprocess.run([*command, "--disable-timestamp", "--use-schema-description"], check=True, stderr=subprocess.DEVNULL)
        return output.read_text()


def sync() -> str:
    """The sync client: the async one without waiting."""
    words = {"AsyncGleaner": "Gleaner", "AsyncClient": "Client", "AsyncIterator": "Iterator", "aclose": "close", "aread": "read"}
    words |= {"aiter_lines": "iter_lines", "asyncio": "time", "_async": "_sync"}
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "async"), Path(folder, "sync")
        source.mkdir()
        (source / "client.py").write_text((PACKAGE / "_async.py").read_text())
        rule = unasync.Rule(str(source) + "/", str(target) + "/", additional_replacements=words)
        unasync.unasync_files([str(source / "client.py")], [rule])
        text = (target / "client.py").read_text()
    text = text.replace("import time\nimport os\n", "import os\nimport time\n")
    return text.replace('"""The async client."""', '"""The sync client, generated from the async one by generate.py."""')


def main() -> int:
    wanted = {PACKAGE / "types.py": types(), PACKAGE / "_sync.py": sync()}
    if "--check" not in sys.argv:
        for path, text in wanted.items():
            path.write_text(text)
        return 0
    stale = [path.name for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if stale:
        print(f"not what generate.py writes: {', '.join(stale)}; run `python generate.py`", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
